import { expect, test } from "vitest";
import { realizableUsd } from "./realizable.ts";

const sells = { reserve: 1_000, payout_max_usd: 5_000 };

test("pools pay along their curve", () => {
  // 1,000 coins against 5,000 USD: 1,000 more halve the price on the way, and bring 5,000 * 1,000 / 2,000 = 2,500.
  expect(realizableUsd({ price_usd: 5, sells }, 1_000)).toBe(2_500);
});

test("pools never pay more than they hold", () => {
  expect(
    realizableUsd({ price_usd: 5_100_000_000, sells: { reserve: 1e-6, payout_max_usd: 5_100 } }, 1_000),
  ).toBeLessThan(5_100.01);
  // Liquidity in range that stands for more than the range holds.
  expect(realizableUsd({ price_usd: 5, sells: { reserve: 1e9, payout_max_usd: 40 } }, 1_000)).toBe(40);
});

test("without pools nothing is paid, and nothing limits a reference coin", () => {
  expect(realizableUsd({ price_usd: 5, sells: { reserve: 0, payout_max_usd: 0 } }, 10)).toBe(0);
  expect(realizableUsd({ price_usd: 5, sells: null }, 10)).toBe(50);
});
