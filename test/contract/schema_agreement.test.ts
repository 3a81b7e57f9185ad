import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindArguments, servedBy } from "../../src/surfaces/call/arguments/bind.ts";
import { tools } from "../../src/tools/index.ts";
import { fixedChain } from "../fixed_chain.ts";
import { changedArguments, NOW_MS, publishedInput, rightValues, wrongValues } from "./schema_values.ts";

const demo = fixedChain();
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const TRIED = tools.map((tool) => {
  const bind = (args: Readonly<Record<string, unknown>>) =>
    bindArguments(tool, args, { chains: servedBy(tool, [demo]), now_ms: NOW_MS });
  return { ...publishedInput(tool), bind };
});

describe.each(TRIED)("$name", ({ input_schema, properties, example, bind }) => {
  test("binds what its published schema allows, field by field", () => {
    for (const [field, schema] of Object.entries(properties)) {
      const values = rightValues(field, schema);
      if (values === null) continue;
      const seen = fc.sample(values, { numRuns: 20, seed: 7 });
      for (const value of seen)
        expect(bind({ ...example, [field]: value }), `${field}=${value}`).toMatchObject({ kind: "bound" });
    }
  });

  test("binds nothing that its published schema refuses", () => {
    const validate = ajv.compile(input_schema);
    fc.assert(
      fc.property(changedArguments(example, Object.keys(properties)), (args) => {
        if (bind(args).kind === "bound") expect(validate(args), JSON.stringify(args)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("refuses each field in each type that is not its own, and beyond its bounds", () => {
    for (const [field, schema] of Object.entries(properties))
      for (const value of wrongValues(schema))
        expect(bind({ ...example, [field]: value }), `${field}=${JSON.stringify(value)}`).toMatchObject({
          kind: "refused",
        });
  });
});
