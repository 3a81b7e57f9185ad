import fc from "fast-check";
import { expect, test } from "vitest";
import { DOCUMENT_BOUNDS, isTooDeep, JsonFault, readJson, readJsonOrNull } from "./json_bounds.ts";

/** Independent implementation: walks the parsed value. */
const levelsOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

test("calls a text too deep exactly when its value is", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "[[[[", "}}}}", '{"', "\\\\"));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "large", withCrossShrink: true }, text, tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 6 }), fc.boolean(), (json, levels_max, pretty) => {
      const sent = JSON.stringify(json, null, pretty ? 1 : 0);
      // Object.create(null) and `__proto__` keys do not survive JSON: compare with the parsed value.
      expect(isTooDeep(sent, levels_max)).toBe(levelsOf(JSON.parse(sent)) > levels_max);
    }),
    { numRuns: 1_000 },
  );
});

test("accepts the deepest possible call trace and rejects 5,000 levels of any kind", () => {
  // 1,024 frames of two levels, in a result in a response in a batch.
  const frames = `${'{"calls":['.repeat(1_024)}${"]}".repeat(1_024)}`;
  expect(isTooDeep(`[{"id":1,"result":[{"result":${frames}}]}]`)).toBe(false);
  expect(isTooDeep(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)).toBe(true);
  expect(isTooDeep(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)).toBe(true);
  expect(isTooDeep(`${'["]]]]",{"}":'.repeat(2_500)}1${"}]".repeat(2_500)}`)).toBe(true);
  expect(isTooDeep(`[${"[],".repeat(50_000)}[]]`)).toBe(false);
  expect(isTooDeep(`"${"[".repeat(50_000)}"`)).toBe(false);
});

const SMALL = { length_max: 1_000, levels_max: 3, values_max: 10 };
const refusal = (text: string, bounds = SMALL): string => {
  try {
    readJson(text, bounds);
    return "";
  } catch (error) {
    if (error instanceof JsonFault) return error.message;
    throw error;
  }
};

test("parses a text within its bounds, and names the bound that a text exceeds", () => {
  expect(readJson('[{"a":[1,"[[[[",3]}]', SMALL)).toEqual([{ a: [1, "[[[[", 3] }]);
  expect(refusal("[[[1]]]")).toBe("");
  expect(refusal("[[[[1]]]]")).toBe("it is nested deeper than 3 levels");
  expect(refusal("[1,2,3,4,5,6,7,8]")).toBe("");
  expect(refusal("[1,2,3,4,5,6,7,8,9,10]")).toBe("it holds more than 10 values");
  expect(refusal(`"${"x".repeat(1_000)}"`)).toBe("it is longer than 1000 characters");
  expect(refusal("{")).toContain("it is not JSON");
  expect(readJsonOrNull("[[[[1]]]]", SMALL)).toBeNull();
});

test("rejects ten million brackets, commas or quotes within a second each", () => {
  for (const text of ["[".repeat(1e7), '{"a":'.repeat(2e6), "[],".repeat(3e6), '"\\"'.repeat(3e6)]) {
    const started = performance.now();
    expect(refusal(text, DOCUMENT_BOUNDS)).not.toBe("");
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});
