import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";

/**
 * Origin of a price. `anchor`: a dollar coin at 1. `last`: carried from at most 24 hours ago. `operator`: the
 * operator's own.
 */
export type PriceMethod = "anchor" | "vwap" | "mid" | "last" | "operator";
export type PriceConfidence = "low" | "medium" | "high";

/** The price of a token for one hour. */
export interface HourPrice {
  readonly price_usd: number;
  /** USD traded in the counted pools. */
  readonly volume_usd: number;
  /** USD on the other side of the deepest pool. */
  readonly depth_usd: number;
  /** What the verified pools hold of it, and pay at most; null: not limited. */
  readonly sells: { readonly reserve: number; readonly payout_max_usd: number } | null;
  readonly method: PriceMethod;
  readonly confidence: PriceConfidence;
}

export interface EarlierPrice {
  readonly price_usd: number;
  readonly hour: number;
}

/** One pool in one hour, in whole coins. */
export interface PoolHour {
  readonly token0: Hex;
  readonly token1: Hex;
  /** Price of token0 in token1 at the hour's end; null without one. */
  readonly mid: number | null;
  /** Holdings of the pool at the hour's end. */
  readonly reserve0: number;
  readonly reserve1: number;
  /** Traded amounts; both 0 without a trade. */
  readonly volume0: number;
  readonly volume1: number;
}

/** A pool's quote of one of its tokens, in its other token. */
export interface PoolQuote {
  readonly price: number;
  readonly volume: number;
  readonly reserve: number;
  readonly method: "vwap" | "mid";
}

/** A quote in USD. */
export interface UsdQuote {
  readonly price_usd: number;
  readonly volume_usd: number;
  readonly depth_usd: number;
  readonly method: "vwap" | "mid";
  /** Confidence of the other token's price: a chain of hops has the confidence of its weakest one. */
  readonly confidence_max: PriceConfidence;
}

/** Pools with less depth on the priced side give no prices. */
export const DEPTH_USD_MIN = 5_000;
const DEPTH_USD_MEDIUM = 25_000;
const DEPTH_USD_HIGH = 250_000;

const RANK: Readonly<Record<PriceConfidence, number>> = { low: 1, medium: 2, high: 3 };

/** Null below 5,000 USD. */
export const confidenceOf = (depth_usd: number): PriceConfidence | null => {
  if (depth_usd >= DEPTH_USD_HIGH) return "high";
  if (depth_usd >= DEPTH_USD_MEDIUM) return "medium";
  return depth_usd >= DEPTH_USD_MIN ? "low" : null;
};

/** The lesser of the two. */
export const capOf = (confidence: PriceConfidence, max: PriceConfidence): PriceConfidence =>
  RANK[confidence] <= RANK[max] ? confidence : max;

/** Volume-weighted price of the hour's trades, else the mid. Null without either. */
export const quoteOf = (pool: PoolHour, token: Hex): PoolQuote | null => {
  const is_first = pool.token0 === token;
  const own = is_first ? pool.volume0 : pool.volume1;
  const volume = is_first ? pool.volume1 : pool.volume0;
  const reserve = is_first ? pool.reserve1 : pool.reserve0;
  if (own > 0 && volume > 0) return { price: volume / own, volume, reserve, method: "vwap" };
  if (pool.mid === null) return null;
  return { price: is_first ? pool.mid : 1 / pool.mid, volume: 0, reserve, method: "mid" };
};

/**
 * The quote at which half of all depth is reached, from the lowest price up: an exact tie takes the lower one. Null
 * without quotes.
 */
export const medianOf = <Q extends { readonly price_usd: number; readonly depth_usd: number }>(
  quotes: readonly Q[],
): Q | null => {
  const sorted = [...quotes].sort((a, b) => a.price_usd - b.price_usd || b.depth_usd - a.depth_usd);
  const half = sorted.reduce((sum, { depth_usd }) => sum + depth_usd, 0) / 2;
  let reached = 0;
  for (const quote of sorted) {
    reached += quote.depth_usd;
    if (reached >= half) return quote;
  }
  return null;
};

const TWO_TO_96 = 2 ** 96;

/**
 * Price of token0 in token1 (whole coins) of a concentrated pool (v3-core: sqrt of the raw price times 2^96). Null
 * without liquidity in range: nothing backs such a price, as before the first swap of an initialised pool.
 */
export const midOfSqrt = (
  state: { readonly sqrt_price_x96: bigint; readonly liquidity: bigint },
  decimals0: number,
  decimals1: number,
): number | null => {
  if (state.sqrt_price_x96 === 0n || state.liquidity === 0n) return null;
  const root = Number(state.sqrt_price_x96) / TWO_TO_96;
  return priceOrNull(root * root * 10 ** (decimals0 - decimals1));
};

/** Price of token0 in token1 (whole coins) of a constant-product pool; null when a side is empty. */
export const midOfReserves = (
  state: { readonly reserve0: bigint; readonly reserve1: bigint },
  decimals0: number,
  decimals1: number,
): number | null => {
  if (state.reserve0 === 0n || state.reserve1 === 0n) return null;
  return priceOrNull(toAmount(state.reserve1, decimals1) / toAmount(state.reserve0, decimals0));
};

const priceOrNull = (price: number): number | null => (Number.isFinite(price) && price > 0 ? price : null);
