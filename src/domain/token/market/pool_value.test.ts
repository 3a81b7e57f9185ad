import { expect, test } from "vitest";
import { poolPriceUsd, poolValueUsd } from "./pool_value.ts";

const at = { mid: 4, is_other_surer: true };

test("the side with the deeper price values the pool's own price", () => {
  // 10 at 3 and 40 at 1; one own costs 4 other. By the other: 40 + 10 x 4 = 80. By its own: 30 + 40 / 4 x 3 = 60.
  const pool = { own: { amount: 10, price_usd: 3 }, other: { amount: 40, price_usd: 1 }, mid: 4 };
  expect(poolValueUsd({ ...pool, is_other_surer: true })).toBe(80);
  expect(poolValueUsd({ ...pool, is_other_surer: false })).toBe(60);
  expect(poolPriceUsd({ ...pool, is_other_surer: true })).toBe(4);
});

test("a pool has the same value from either of its tokens", () => {
  const [a, b] = [
    { amount: 10, price_usd: 3 },
    { amount: 36, price_usd: 1 },
  ];
  expect(poolValueUsd({ own: a, other: b, mid: 4, is_other_surer: true })).toBe(
    poolValueUsd({ own: b, other: a, mid: 1 / 4, is_other_surer: false }),
  );
});

test("a price that only the pool sets counts for no more than the market price, or than the surer side", () => {
  // A million own at 1,000 would be a billion; the market says 2 each, two million.
  const own = { amount: 1_000_000, price_usd: 2 };
  expect(poolValueUsd({ own, other: { amount: 5, price_usd: 1 }, mid: 1_000, is_other_surer: true })).toBe(2_000_005);
});

test("a side without a price counts at the pool's price, but never for more than the other", () => {
  const known = { amount: 50, price_usd: 2 };
  // 10 own at 4 other at 2 USD = 80, less than 100.
  expect(poolValueUsd({ own: { amount: 10, price_usd: null }, other: known, ...at })).toBe(180);
  expect(poolValueUsd({ own: { amount: 1_000_000, price_usd: null }, other: known, ...at })).toBe(200);
  // The other side unpriced: one own costs 2 USD and 4 other, so one other is 0.5 USD; 60 of them are 30.
  expect(poolValueUsd({ own: known, other: { amount: 60, price_usd: null }, ...at })).toBe(130);
});

test("without any price the value is unknown, and an empty pool has the value 0", () => {
  const unpriced = { amount: 5, price_usd: null };
  expect(poolValueUsd({ own: unpriced, other: unpriced, mid: 1, is_other_surer: true })).toBeNull();
  expect(
    poolValueUsd({ own: unpriced, other: { amount: 5, price_usd: 1 }, mid: null, is_other_surer: true }),
  ).toBeNull();
  const nothing = { amount: 0, price_usd: null };
  expect(poolValueUsd({ own: nothing, other: nothing, mid: null, is_other_surer: true })).toBe(0);
  expect(poolPriceUsd({ own: unpriced, other: unpriced, mid: 1, is_other_surer: true })).toBeNull();
});
