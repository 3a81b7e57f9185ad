import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep } from "./nesting.ts";

/** Independent: walks the parsed value. */
const levelsOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

test("an answer is too deep exactly when its value is", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"', "\\", '\\"', "[[[[", "}}}}", '{"', "\\\\"));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "large", withCrossShrink: true }, text, tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 6 }), fc.boolean(), (json, levels_max, pretty) => {
      const sent = JSON.stringify(json, null, pretty ? 1 : 0);
      // Object.create(null) and `__proto__` keys do not survive JSON: judge what a reader would get.
      expect(isTooDeep(sent, levels_max)).toBe(levelsOf(JSON.parse(sent)) > levels_max);
    }),
    { numRuns: 1_000 },
  );
});

test("the deepest trace that the machine allows passes, and 5,000 levels of any kind do not", () => {
  // 1,024 frames of two levels, within a result within an answer within a batch.
  const frames = `${'{"calls":['.repeat(1_024)}${"]}".repeat(1_024)}`;
  expect(isTooDeep(`[{"id":1,"result":[{"result":${frames}}]}]`)).toBe(false);
  expect(isTooDeep(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)).toBe(true);
  expect(isTooDeep(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)).toBe(true);
  expect(isTooDeep(`${'["]]]]",{"}":'.repeat(2_500)}1${"}]".repeat(2_500)}`)).toBe(true);
  expect(isTooDeep(`[${"[],".repeat(50_000)}[]]`)).toBe(false);
  expect(isTooDeep(`"${"[".repeat(50_000)}"`)).toBe(false);
});
