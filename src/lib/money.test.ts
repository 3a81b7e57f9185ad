import fc from "fast-check";
import { expect, test } from "vitest";
import { toAmount, usdOf } from "./money.ts";

test("base units become the nearest double, whatever their size", () => {
  expect(toAmount(1n, 18)).toBe(1e-18);
  expect(toAmount(123_456_789_012_345_678_901n, 18)).toBe(123.45678901234568);
  expect(toAmount(-1_500_000n, 6)).toBe(-1.5);
  expect(Object.is(toAmount(0n, 18), 0)).toBe(true);
});

test("an amount reads as its digits do with the point in their place", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.integer({ min: 0, max: 30 }), (raw, decimals) => {
      // The language reads decimal text as the nearest double.
      expect(toAmount(raw, decimals)).toBe(raw === 0n ? 0 : Number(`${raw}e-${decimals}`));
    }),
  );
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 22 }), (raw, decimals) => {
      expect(toAmount(BigInt(raw), decimals)).toBe(raw === 0 ? 0 : Number(`${raw}e-${decimals}`));
    }),
  );
});

test("without a price there is no value", () => {
  expect(usdOf(5n, 0, null)).toBeNull();
  expect(usdOf(5n, 1, 2)).toBe(1);
});
