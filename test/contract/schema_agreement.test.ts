import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindArguments, servedBy } from "../../src/surfaces/bind.ts";
import { describeTool, type JsonSchema } from "../../src/surfaces/describe.ts";
import { tools } from "../../src/tools/index.ts";
import { fixedChain } from "../fixed_chain.ts";

const demo = fixedChain();
const now_ms = Date.UTC(2026, 10, 20);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const dayBefore = (days: number): string => new Date(now_ms - days * 86_400_000).toISOString().slice(0, 10);

const TRIED = tools.map((tool) => {
  const { input_schema } = describeTool(tool, [demo.network]);
  // `properties` of an object schema maps names to schemas; an example is an object of arguments.
  const properties = input_schema.properties as Record<string, JsonSchema>;
  // On one network and for a few days, so that rules across fields have nothing to say to a change of one.
  const narrow = Object.entries({ network: "demo", from_date: dayBefore(3) }).filter(([field]) => field in properties);
  // `required` of a JSON Schema is a list of names; every tool requires something.
  const required = Object.entries(tool.example).filter(([field]) =>
    (input_schema.required as string[]).includes(field),
  );
  const example: Record<string, unknown> = Object.fromEntries([...required, ...narrow]);
  const bind = (args: Readonly<Record<string, unknown>>) =>
    bindArguments(tool, args, { chains: servedBy(tool, [demo]), now_ms });
  return { name: tool.name, input_schema, properties, example, bind };
});

/** Values that one field may take by its published schema; null where only the example is known to be right. */
const valid = (field: string, schema: JsonSchema): fc.Arbitrary<unknown> | null => {
  const { type, enum: words, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, format } = schema;
  if (Array.isArray(words)) return fc.constantFrom(...words);
  if (type === "boolean") return fc.boolean();
  // Paging ends at a deepest row, which no schema of one field can say.
  if (type === "integer")
    return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), Number(minimum) + 99) });
  const [nearest, farthest] = field === "to_date" ? [1, 3] : [3, 28];
  return format === "date" ? fc.integer({ min: nearest, max: farthest }).map(dayBefore) : null;
};

/** Changes to right arguments: any value in any field, a field less, a field more. */
const mutated = (example: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...fields, "colour", "__proto__"),
        fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((changes) =>
      Object.fromEntries([...Object.entries(example), ...changes].filter(([, value]) => value !== undefined)),
    );

describe.each(TRIED)("$name", ({ input_schema, properties, example, bind }) => {
  test("binds what its published schema allows, field by field", () => {
    for (const [field, schema] of Object.entries(properties)) {
      const values = valid(field, schema);
      if (values === null) continue;
      const seen = fc.sample(values, { numRuns: 20, seed: 7 });
      for (const value of seen)
        expect(bind({ ...example, [field]: value }), `${field}=${value}`).toMatchObject({ kind: "bound" });
    }
  });

  test("binds nothing that its published schema refuses", () => {
    const validate = ajv.compile(input_schema);
    fc.assert(
      fc.property(mutated(example, Object.keys(properties)), (args) => {
        if (bind(args).kind === "bound") expect(validate(args), JSON.stringify(args)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("refuses each field in each type that is not its own", () => {
    for (const [field, schema] of Object.entries(properties)) {
      const own = schema.type === "integer" ? "number" : schema.type;
      const strangers = [{}, [], null, 1.5, "7", true].filter((value) => typeof value !== own);
      for (const value of strangers)
        expect(bind({ ...example, [field]: value }), `${field}=${JSON.stringify(value)}`).toMatchObject({
          kind: "refused",
        });
    }
  });
});
