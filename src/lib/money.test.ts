import fc from "fast-check";
import { expect, test } from "vitest";
import { percentOf, toAmount } from "./money.ts";

test("converts base units of any size to the nearest double", () => {
  expect(toAmount(1n, 18)).toBe(1e-18);
  expect(toAmount(123_456_789_012_345_678_901n, 18)).toBe(123.45678901234568);
  expect(toAmount(-1_500_000n, 6)).toBe(-1.5);
  expect(Object.is(toAmount(0n, 18), 0)).toBe(true);
});

test("equals the decimal text with the point inserted", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.integer({ min: 0, max: 30 }), (raw, decimals) => {
      // JavaScript parses decimal text to the nearest double.
      expect(toAmount(raw, decimals)).toBe(raw === 0n ? 0 : Number(`${raw}e-${decimals}`));
    }),
  );
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 22 }), (raw, decimals) => {
      expect(toAmount(BigInt(raw), decimals)).toBe(raw === 0 ? 0 : Number(`${raw}e-${decimals}`));
    }),
  );
});

test("computes the same percentage as by hand, for any number of base units", () => {
  expect(percentOf(400_000n * 10n ** 18n, 10n ** 24n)).toBe(40);
  expect(percentOf(29n, 100n)).toBe(29);
  expect(percentOf(10n ** 25n, 10n ** 25n)).toBe(100);
  expect(percentOf(0n, 7n)).toBe(0);
  expect(percentOf(1n, 3n)).toBe(100 / 3);
  // One base unit of ten million tokens of 18 decimals.
  expect(percentOf(1n, 10n ** 25n)).toBe(1e-23);
});
