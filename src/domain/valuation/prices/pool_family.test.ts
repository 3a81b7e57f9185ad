import { expect, test } from "vitest";
import { midOfPool, unitsOf } from "./pool_family.ts";

const state = (reserve0: bigint, reserve1: bigint) => ({ reserve0, reserve1, sqrt_price_x96: 0n, liquidity: 0n });

test("a stable pool in balance trades one for one, whatever its decimals", () => {
  expect(midOfPool("solidly_stable", state(500n, 500_000n), { decimals0: 0, decimals1: 3 })).toBe(1);
});

test("a stable pool out of balance moves far less than its ratio", () => {
  // x = 3, y = 1: (3*9*1 + 1) / (27 + 3*3*1) = 28/36; a plain pool would say 1/3.
  expect(midOfPool("solidly_stable", state(3n, 1n), { decimals0: 0, decimals1: 0 })).toBeCloseTo(28 / 36, 12);
  expect(midOfPool("solidly", state(3n, 1n), { decimals0: 0, decimals1: 0 })).toBeCloseTo(1 / 3, 12);
});

test("an empty side has no price", () => {
  expect(midOfPool("solidly_stable", state(0n, 5n), { decimals0: 0, decimals1: 0 })).toBeNull();
});

test("a negative rounding rest is 0", () => {
  expect([unitsOf(-3.2), unitsOf(2.6)]).toEqual([0n, 3n]);
});
