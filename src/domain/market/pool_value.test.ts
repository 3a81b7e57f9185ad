import { expect, test } from "vitest";
import { poolPriceUsd, poolValueUsd } from "./pool_value.ts";

test("two priced sides count at their prices", () => {
  // 10 at 3 and 40 at 1.
  const pool = { own: { amount: 10, price_usd: 3 }, other: { amount: 40, price_usd: 1 }, mid: 4 };
  expect(poolValueUsd(pool)).toBe(70);
  expect(poolPriceUsd(pool)).toBe(4);
});

test("a side without a price counts at the pool's price, but never for more than the other", () => {
  const known = { amount: 50, price_usd: 2 };
  // 10 own at 4 other at 2 USD = 80, less than 100.
  expect(poolValueUsd({ own: { amount: 10, price_usd: null }, other: known, mid: 4 })).toBe(180);
  expect(poolValueUsd({ own: { amount: 1_000_000, price_usd: null }, other: known, mid: 4 })).toBe(200);
  // The other side unpriced: one own costs 2 USD and 4 other, so one other is 0.5 USD; 60 of them are 30.
  expect(poolValueUsd({ own: known, other: { amount: 60, price_usd: null }, mid: 4 })).toBe(130);
});

test("without any price the value is unknown, of nothing it is 0", () => {
  const unpriced = { amount: 5, price_usd: null };
  expect(poolValueUsd({ own: unpriced, other: unpriced, mid: 1 })).toBeNull();
  expect(poolValueUsd({ own: unpriced, other: { amount: 5, price_usd: 1 }, mid: null })).toBeNull();
  const nothing = { amount: 0, price_usd: null };
  expect(poolValueUsd({ own: nothing, other: nothing, mid: null })).toBe(0);
  expect(poolPriceUsd({ own: unpriced, other: unpriced, mid: 1 })).toBeNull();
});
