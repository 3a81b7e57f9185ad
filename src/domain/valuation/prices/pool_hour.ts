import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import { isConcentrated, midOfPool, midOfRatio, type PoolState } from "./pool_family.ts";
import type { PricePool } from "./pools.ts";

/** One pool in one hour, in whole coins. */
export interface PoolHour {
  readonly token0: Hex;
  readonly token1: Hex;
  /** Price of token0 in token1 that held for half of the hour, at block ends; null without one. */
  readonly price: number | null;
  /** Share of the hour in which the pool had a price, 0..1. */
  readonly share: number;
  /** Holdings of the pool at the hour's end. */
  readonly reserve0: number;
  readonly reserve1: number;
  /** Reserves of the constant-product curve that the pool follows around its price at the hour's end. */
  readonly virtual0: number;
  readonly virtual1: number;
  /** Traded amounts; both 0 without a trade. */
  readonly volume0: number;
  readonly volume1: number;
}

/** Prices of a pool from moment to moment: `prices[i]` holds from `seconds[i]` on. 0: no price. */
export interface PricesInTime {
  readonly seconds: readonly number[];
  readonly prices: readonly number[];
}

interface TimeMedian {
  readonly price: number;
  /** Seconds with a price. */
  readonly held_s: number;
}

/**
 * The price at or below which half of the priced time passed before `end_s`; between two prices that share the time
 * equally, their geometric mean, so that the price of the other token is the inverse. Null without a priced second.
 */
export const timeMedianOf = ({ seconds, prices }: PricesInTime, end_s: number): TimeMedian | null => {
  const spans = prices
    .map((price, i) => ({ price, held_s: Math.max(0, (seconds[i + 1] ?? end_s) - (seconds[i] ?? end_s)) }))
    .filter(({ price, held_s }) => price > 0 && held_s > 0)
    .sort((a, b) => a.price - b.price);
  const held_s = spans.reduce((sum, span) => sum + span.held_s, 0);
  let reached = 0;
  for (const [i, { price, held_s: own_s }] of spans.entries()) {
    reached += own_s;
    const next = spans[i + 1];
    if (reached === held_s / 2 && next !== undefined) return { price: Math.sqrt(price * next.price), held_s };
    if (reached > held_s / 2) return { price, held_s };
  }
  return null;
};

/** The time that a market describes; `end` is exclusive. Unix seconds. */
export interface MarketSpan {
  readonly start: number;
  readonly end: number;
}

/** The block-end states of one pool in one hour, with raw prices as the table has them. */
export interface PoolEnds {
  readonly seconds: readonly number[];
  readonly ratios: readonly number[];
}

/** The price carried into an hour, null without one, and the prices at the ends of its blocks. */
export interface PoolPast {
  readonly hour: number;
  readonly carried: number | null;
  readonly ends: PoolEnds;
}

/** Market of a pool over a span, by the hours in which the pool changed; `past` is in order and not empty. */
export const marketOf = (
  pool: PricePool,
  past: readonly PoolPast[],
  { start, end }: MarketSpan,
): Pick<PoolHour, "price" | "share"> => {
  const ratios = past.flatMap(({ ends }) => ends.ratios);
  const seconds = past.flatMap(({ ends }) => ends.seconds).map((second) => Math.max(start, second));
  const prices = ratios.map((ratio) => midOfRatio(pool.family, ratio, pool) ?? 0);
  const carried = past[0]?.carried ?? 0;
  const median = timeMedianOf({ seconds: [start, ...seconds], prices: [carried, ...prices] }, end);
  return median === null ? { price: null, share: 0 } : { price: median.price, share: median.held_s / (end - start) };
};

const TWO_TO_96 = 2 ** 96;

/**
 * Reserves of the constant-product curve around the price: of a concentrated pool, those that its liquidity in range
 * stands for (v3 whitepaper, 2.1). A stable curve pays more than this between its pegs; the figure stays below it.
 */
const virtualOf = (state: PoolState, { decimals0, decimals1 }: PricePool): readonly [number, number] => {
  if (state.sqrt_price_x96 === 0n) return [toAmount(state.reserve0, decimals0), toAmount(state.reserve1, decimals1)];
  const root = Number(state.sqrt_price_x96) / TWO_TO_96;
  const liquidity = Number(state.liquidity);
  return [liquidity / root / 10 ** decimals0, (liquidity * root) / 10 ** decimals1];
};

/** Amounts of a pool in base units. */
export interface PoolAmounts {
  readonly balance0: bigint;
  readonly balance1: bigint;
  readonly volume0: bigint;
  readonly volume1: bigint;
}

/** `market` null: the pool did not change in this hour, so its last price held for all of it. */
export const poolHourOf = (
  pool: PricePool,
  state: PoolState,
  { amounts, market }: { readonly amounts: PoolAmounts; readonly market: Pick<PoolHour, "price" | "share"> | null },
): PoolHour => {
  const { token0, token1, decimals0, decimals1 } = pool;
  const own = isConcentrated(pool.family);
  const [virtual0, virtual1] = virtualOf(state, pool);
  return {
    ...{ token0, token1, virtual0, virtual1 },
    ...(market ?? { price: midOfPool(pool.family, state, pool), share: 1 }),
    reserve0: toAmount(own ? amounts.balance0 : state.reserve0, decimals0),
    reserve1: toAmount(own ? amounts.balance1 : state.reserve1, decimals1),
    volume0: toAmount(amounts.volume0, decimals0),
    volume1: toAmount(amounts.volume1, decimals1),
  };
};
