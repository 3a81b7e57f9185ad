import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { marketOf, poolHourOf, timeMedianOf } from "./pool_hour.ts";

const HOUR = 1_800_000_000;
const span = { start: HOUR, end: HOUR + 3_600 };
const pool = (family: string) => ({
  ...{ pool: named("pool"), family, token0: named("tok"), token1: named("usdc"), decimals0: 18, decimals1: 6 },
});
/** Raw ratio of a price in whole coins: token0 has 12 decimals more. */
const raw = (price: number) => price * 1e-12;

test("the median of a time is the price at or below which half of it passed", () => {
  // 1 for 600 s, 3 for 1,500 s, 2 for 1,500 s: sorted, half of 3,600 is reached within 2.
  const prices = { seconds: [0, 600, 2_100], prices: [1, 3, 2] };
  expect(timeMedianOf(prices, 3_600)).toEqual({ price: 2, held_s: 3_600 });
  expect(timeMedianOf({ seconds: [0], prices: [0] }, 3_600)).toBeNull();
  // Half of the time each: 2 and 8, or 1/2 and 1/8, whose means are inverse.
  expect(timeMedianOf({ seconds: [0, 1_800], prices: [2, 8] }, 3_600)?.price).toBe(4);
  expect(timeMedianOf({ seconds: [0, 1_800], prices: [1 / 2, 1 / 8] }, 3_600)?.price).toBe(1 / 4);
});

test("a price that holds for less than half of the hour is not its market", () => {
  // Twenty times the price for 29 of 60 minutes, then back.
  const ends = { seconds: [HOUR + 60, HOUR + 1_800], ratios: [raw(20), raw(1)] };
  expect(marketOf(pool("uniswap_v2"), [{ hour: HOUR, carried: 1, ends }], span)).toEqual({
    price: expect.closeTo(1, 9),
    share: 1,
  });
});

test("a pool that began within the hour has a price for the rest of it", () => {
  const ends = { seconds: [HOUR + 2_700], ratios: [raw(5)] };
  const market = marketOf(pool("uniswap_v2"), [{ hour: HOUR, carried: null, ends }], span);
  expect(market).toEqual({ price: expect.closeTo(5, 9), share: 0.25 });
});

test("a span over two hours leaves out what ended before it", () => {
  // From half past: 8 ended before; 1 for 1,500 s, 2 for 1,200 s, 3 for 900 s: half of 3,600 is reached within 2.
  const before = { hour: HOUR, carried: 8, ends: { seconds: [HOUR + 60], ratios: [raw(1)] } };
  const after = {
    hour: HOUR + 3_600,
    carried: 1,
    ends: { seconds: [HOUR + 3_300, HOUR + 4_500], ratios: [raw(2), raw(3)] },
  };
  const market = marketOf(pool("uniswap_v2"), [before, after], { start: HOUR + 1_800, end: HOUR + 5_400 });
  expect(market).toEqual({ price: expect.closeTo(2, 9), share: 1 });
});

const amounts = { balance0: 7n * 10n ** 18n, balance1: 9n * 10n ** 6n, volume0: 0n, volume1: 0n };

test("a concentrated pool is on the curve of its liquidity in range, and holds its balances", () => {
  // Price 4 raw 4e-12: root 2e-6. L = 10^13: x = L / root = 5e18 = 5 coins, y = L * root = 2e7 = 20 coins.
  const sqrt_price_x96 = BigInt(Math.round(2e-6 * 2 ** 96));
  const state = { reserve0: 0n, reserve1: 0n, sqrt_price_x96, liquidity: 10n ** 13n };
  const hour = poolHourOf(pool("uniswap_v3"), state, { amounts, market: null });
  expect(hour.price).toBeCloseTo(4, 9);
  expect([hour.virtual0, hour.virtual1]).toEqual([expect.closeTo(5, 9), expect.closeTo(20, 9)]);
  expect([hour.reserve0, hour.reserve1, hour.share]).toEqual([7, 9, 1]);
});
