import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { type HourFacts, priceHour } from "./hourly_prices.ts";
import type { PoolHour } from "./pool_hour.ts";
import { midOfReserves, midOfSqrt } from "./quotes.ts";

const USDC = named("usdc");
const WETH = named("weth");
const TOK = named("tok");
const FAR = named("far");
const DAI = named("dai");
const USDT = named("usdt");

const HOUR = 1_800_000_000;
const DAY_S = 86_400;

/** A constant-product pool that had the price of its reserves for the whole hour. */
const resting = (token0: Hex, token1: Hex, [reserve0, reserve1]: readonly [number, number]): PoolHour => ({
  token0,
  token1,
  price: reserve1 / reserve0,
  share: 1,
  reserve0,
  reserve1,
  virtual0: reserve0,
  virtual1: reserve1,
  volume0: 0,
  volume1: 0,
});

const facts = (pools: readonly PoolHour[], more: Partial<HourFacts> = {}): HourFacts => ({
  hour: HOUR,
  anchors: new Set([USDC]),
  native: WETH,
  pools,
  earlier: new Map(),
  ...more,
});

test("a pool is priced by its market of the hour, whatever traded in it and whatever it holds at the end", () => {
  // 2,050 for most of the hour, 2,000 at its end. A tenth down takes 200,000 * (1 - 1 / sqrt(1.1)) = 9,307.48 USDC out.
  const pool = { ...resting(USDC, WETH, [200_000, 100]), price: 1 / 2050, volume0: 20_500, volume1: 10 };
  const price = priceHour(facts([pool])).get(WETH);
  expect(price).toMatchObject({ volume_usd: 20_500, depth_usd: 200_000, method: "market", confidence: "medium" });
  expect(price?.price_usd).toBeCloseTo(2050, 9);
  expect(price?.cost_to_move_usd).toBeCloseTo(9_307.48, 2);
  // The native coin: any amount has its price.
  expect(price?.sells).toBeNull();
});

test("a token can be sold for what its pools hold", () => {
  // 30,000 TOK against 30,000 USDC, and 100 TOK against 100 USDC: too cheap to set the price, but they pay too.
  const price = priceHour(facts([resting(TOK, USDC, [30_000, 30_000]), resting(TOK, USDC, [100, 100])])).get(TOK);
  expect(price?.sells).toEqual({ reserve: 30_100, payout_max_usd: 30_100 });
});

test.each([
  // 0.0465374 of the depth: 1 - 1 / sqrt(1.1).
  [4_942, undefined],
  [4_943, "low"],
  [24_711, "low"],
  [24_712, "medium"],
  [247_113, "medium"],
  [247_114, "high"],
])("%d USD of depth is confidence %s", (depth, confidence) => {
  expect(priceHour(facts([resting(TOK, USDC, [1, depth])])).get(TOK)?.confidence).toBe(confidence);
});

test("a concentrated position of little money does not outweigh pools of much", () => {
  // 4,000 USDC within a hundredth of 20, on a curve of 400,000, beside 140,000 USDC at 1.
  const narrow = { ...resting(TOK, USDC, [200, 4_000]), virtual0: 20_000, virtual1: 400_000 };
  const honest = resting(TOK, USDC, [140_000, 140_000]);
  expect(priceHour(facts([honest, narrow])).get(TOK)?.price_usd).toBe(1);
  expect(priceHour(facts([narrow])).get(TOK)?.price_usd).toBe(20);
});

test("a range that holds little is cheap to move, however much liquidity it states", () => {
  // Virtual reserves of a million each, of which 4,000 TOK are there to be bought: 4,000 * 1 * sqrt(1.1) = 4,195 USD.
  const range = { virtual0: 1_000_000, virtual1: 1_000_000 };
  const pool = { ...resting(TOK, USDC, [4_000, 900_000]), price: 1, ...range };
  const price = priceHour(facts([pool])).get(TOK);
  expect(price?.cost_to_move_usd).toBeCloseTo(4_195.235, 2);
  expect(price?.sells).toEqual({ reserve: 1_000_000, payout_max_usd: 900_000 });
});

test("one cheap pool does not price the native coin; two do, and so does a costly one", () => {
  const thin = resting(WETH, USDC, [5, 10_000]);
  expect(priceHour(facts([thin])).has(WETH)).toBe(false);
  expect(priceHour(facts([thin, thin])).get(WETH)).toMatchObject({ price_usd: 2000, confidence: "low" });
  expect(priceHour(facts([resting(WETH, USDC, [13, 26_000])])).get(WETH)).toMatchObject({ confidence: "medium" });
});

test("pools that disagree by more than 5 % lower the confidence by one step", () => {
  const at = (price: number) => resting(TOK, USDC, [300_000 / price, 300_000]);
  expect(priceHour(facts([at(1), at(1.04)])).get(TOK)?.confidence).toBe("high");
  expect(priceHour(facts([at(1), at(1.06)])).get(TOK)?.confidence).toBe("medium");
});

test("a pool weighs by the part of the hour in which it had a price", () => {
  // Equal pools at 1 and 1.1: the tie gives 1. With a price for a fifth of the hour, the first no longer reaches half.
  const [low, high] = [resting(TOK, USDC, [10_000, 10_000]), resting(TOK, USDC, [10_000, 11_000])];
  expect(priceHour(facts([low, high])).get(TOK)?.price_usd).toBeCloseTo(1.1, 12);
  expect(priceHour(facts([low, { ...high, share: 0.2 }])).get(TOK)?.price_usd).toBe(1);
});

test("the median is weighted by depth and an exact tie takes the lower price", () => {
  // Equal depths of 10,000: half of 20,000 is reached exactly by the lower one, 100; the other says 110.
  const [low, high] = [resting(TOK, USDC, [100, 10_000]), resting(TOK, USDC, [10_000 / 110, 10_000])];
  expect(priceHour(facts([high, low])).get(TOK)?.price_usd).toBe(100);
});

test("a pool more than 30 % away with less than half of the depth does not count", () => {
  // Depths 20,000 at 1.00, 20,000 at 1.02, 30,000 at 2.00. Sorted, half of 70,000 (35,000) is reached at 1.02.
  // 2.00 is 96 % away with 43 % of the depth: out. Left: 20,000 at 1.00 and 20,000 at 1.02, tie: 1.00. Depth: 20,000.
  const pools = [
    resting(TOK, USDC, [20_000, 20_000]),
    resting(TOK, USDC, [20_000 / 1.02, 20_000]),
    resting(TOK, USDC, [15_000, 30_000]),
  ];
  expect(priceHour(facts(pools)).get(TOK)).toMatchObject({ price_usd: 1, depth_usd: 20_000, confidence: "low" });
});

test("a pool with at least half of the depth counts, however far away", () => {
  // 20,000 at 1.00 and 20,000 at 2.00 (300 USD traded): the tie gives 1.00; the other is 100 % away with exactly half.
  const far = { ...resting(TOK, USDC, [10_000, 20_000]), volume0: 150, volume1: 300 };
  const price = priceHour(facts([resting(TOK, USDC, [20_000, 20_000]), far])).get(TOK);
  expect(price).toMatchObject({ price_usd: 1, volume_usd: 300 });
});

test("a second hop has the lesser depth of both and never more confidence than its best hop", () => {
  // WETH 2,000 from 40,000 USDC. TOK: 100 WETH against 100,000 TOK = 0.002 WETH = 4 USD; own depth 200,000, first hop 40,000.
  const pools = [resting(WETH, USDC, [20, 40_000]), resting(TOK, WETH, [50_000, 100])];
  expect(priceHour(facts(pools)).get(TOK)).toMatchObject({ price_usd: 4, depth_usd: 40_000, confidence: "medium" });
});

test("there is no third hop", () => {
  const pools = [
    resting(WETH, USDC, [200, 400_000]),
    resting(TOK, WETH, [50_000, 100]),
    resting(FAR, TOK, [1000, 50_000]),
  ];
  const prices = priceHour(facts(pools));
  expect(prices.get(TOK)?.price_usd).toBe(4);
  expect(prices.has(FAR)).toBe(false);
});

test("the native coin is priced by dollar pools alone", () => {
  // Dollar pool: 2,000 with 40,000. TOK is 1 USD from 900,000; its WETH pool would say 3,000 with 600,000.
  const pools = [
    resting(WETH, USDC, [20, 40_000]),
    resting(TOK, USDC, [900_000, 900_000]),
    resting(WETH, TOK, [200, 600_000]),
  ];
  expect(priceHour(facts(pools)).get(WETH)).toMatchObject({ price_usd: 2000, depth_usd: 40_000 });
});

test("without a qualifying pool the last price is carried for 24 hours, at low confidence", () => {
  const thin = [resting(WETH, USDC, [2, 4_000])];
  const at = (age_s: number) =>
    priceHour(facts(thin, { earlier: new Map([[WETH, { price_usd: 1900, hour: HOUR - age_s }]]) }));
  expect(at(DAY_S).get(WETH)).toEqual({
    price_usd: 1900,
    volume_usd: 0,
    depth_usd: 4_000,
    cost_to_move_usd: null,
    method: "last",
    confidence: "low",
    sells: null,
  });
  expect(at(DAY_S + 3600).has(WETH)).toBe(false);
});

test("a carried price does not price another token", () => {
  const pools = [resting(WETH, USDC, [1, 4_000]), resting(TOK, WETH, [50_000, 100])];
  const prices = priceHour(facts(pools, { earlier: new Map([[WETH, { price_usd: 1900, hour: HOUR - 3600 }]]) }));
  expect(prices.get(WETH)?.method).toBe("last");
  expect(prices.has(TOK)).toBe(false);
});

test("a dollar coin is 1 without any pool", () => {
  expect(priceHour(facts([])).get(USDC)).toEqual({
    price_usd: 1,
    volume_usd: 0,
    depth_usd: 0,
    cost_to_move_usd: null,
    method: "anchor",
    confidence: "high",
    sells: null,
  });
});

const THREE = { anchors: new Set([USDC, USDT, DAI]) };
const PEGGED = resting(USDC, USDT, [1_000_000, 1_000_000]);

test("a dollar coin 0.5 % off its peg is 1, further off it has the market price", () => {
  // 100,000 DAI against 99,510 USDC: 0.49 % away. Against 97,000 USDC: 3 %.
  const price = (usdc: number) => priceHour(facts([PEGGED, resting(DAI, USDC, [100_000, usdc])], THREE));
  expect(price(99_510).get(DAI)).toMatchObject({ price_usd: 1, method: "anchor" });
  expect(price(97_000).get(DAI)).toMatchObject({
    price_usd: 0.97,
    method: "market",
    confidence: "medium",
    depth_usd: 97_000,
  });
  expect(price(97_000).get(USDC)).toMatchObject({ price_usd: 1, method: "anchor", confidence: "high" });
  expect(price(97_000).get(USDT)).toMatchObject({ price_usd: 1, method: "anchor" });
});

test("the deepest dollar coin loses its peg too when two others agree against it", () => {
  // USDC at 0.90 of both: 1,000,000 USDC against 900,000 USDT, 800,000 USDC against 720,000 DAI. USDT and DAI agree.
  const pools = [resting(USDC, USDT, [1_000_000, 900_000]), resting(USDC, DAI, [800_000, 720_000])];
  const prices = priceHour(facts(pools, THREE));
  expect(prices.get(USDC)?.price_usd).toBeCloseTo(0.9, 12);
  expect([prices.get(USDT)?.price_usd, prices.get(DAI)?.price_usd]).toEqual([1, 1]);
});

test("with one other dollar coin it is unknown which of the two left its peg", () => {
  const prices = priceHour(facts([resting(DAI, USDC, [100_000, 90_000])], { anchors: new Set([USDC, DAI]) }));
  expect([prices.get(USDC)?.price_usd, prices.get(DAI)?.price_usd]).toEqual([1, 1]);
});

test("a token is priced by its pool at the market price of a dollar coin off its peg", () => {
  // TOK at 2 DAI, DAI at 0.97: 1.94.
  const pools = [PEGGED, resting(DAI, USDC, [100_000, 97_000]), resting(TOK, DAI, [10_000, 20_000])];
  expect(priceHour(facts(pools, THREE)).get(TOK)?.price_usd).toBeCloseTo(1.94, 12);
});

test("a concentrated pool's mid is the square of its root, in whole coins", () => {
  // sqrt = 2^96 * 2: raw price 4 of token1 per token0; token0 has 18 decimals, token1 6: 4 * 10^12.
  expect(midOfSqrt({ sqrt_price_x96: 2n ** 97n, liquidity: 1n }, 18, 6)).toBe(4e12);
  expect(midOfSqrt({ sqrt_price_x96: 2n ** 97n, liquidity: 0n }, 18, 6)).toBe(null);
});

test("a constant-product pool's mid is the ratio of its reserves, in whole coins", () => {
  // 5 coins of 18 decimals against 10,000 coins of 6: 2,000.
  expect(midOfReserves({ reserve0: 5n * 10n ** 18n, reserve1: 10n ** 10n }, 18, 6)).toBe(2000);
  expect(midOfReserves({ reserve0: 0n, reserve1: 10n ** 10n }, 18, 6)).toBe(null);
});
