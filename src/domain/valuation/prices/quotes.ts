import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { SalePrice } from "../worth.ts";
import type { PoolHour } from "./pool_hour.ts";
import { COST_USD_MIN, MOVE_RATIO, WEIGHT_RATIO } from "./thresholds.ts";

/**
 * Origin of a price. `anchor`: a dollar coin at 1. `market`: verified pools at the ends of their blocks. `last`: carried
 * from at most 24 hours ago. `operator`: the operator's own.
 */
export type PriceMethod = "anchor" | "market" | "last" | "operator";
export type PriceConfidence = "low" | "medium" | "high";

/** The price of a token for one hour. */
export interface HourPrice extends SalePrice {
  /** USD traded in the counted pools, net of round trips inside a transaction. */
  readonly volume_usd: number;
  /** USD on the other side of the deepest pool. */
  readonly depth_usd: number;
  /** USD that move the price by a tenth for the hour; null where no pool sets the price. */
  readonly cost_to_move_usd: number | null;
  readonly method: PriceMethod;
  readonly confidence: PriceConfidence;
}

export interface EarlierPrice {
  readonly price_usd: number;
  readonly hour: number;
}

/** A pool's quote of one of its tokens, in its other token. Amounts in whole coins. */
export interface PoolQuote {
  readonly price: number;
  /** Share of the hour with a price, 0..1. */
  readonly share: number;
  readonly volume: number;
  /** Holdings of the other token, and its reserve on the curve around the price. */
  readonly reserve: number;
  readonly virtual: number;
  /** The same of the quoted token. */
  readonly own_reserve: number;
  readonly own_virtual: number;
}

/** A quote in USD. */
export interface UsdQuote {
  readonly price_usd: number;
  readonly volume_usd: number;
  readonly depth_usd: number;
  readonly cost_usd: number;
  readonly weight_usd: number;
  readonly own_virtual: number;
  readonly payout_usd: number;
  /** Confidence of the other token's price: a chain of hops has the confidence of its weakest one. */
  readonly confidence_max: PriceConfidence;
}

const RANK: Readonly<Record<PriceConfidence, number>> = { low: 1, medium: 2, high: 3 };

/** Null below the cost of a price at all. */
export const confidenceOf = (cost_usd: number): PriceConfidence | null => {
  if (cost_usd >= COST_USD_MIN.high) return "high";
  if (cost_usd >= COST_USD_MIN.medium) return "medium";
  return cost_usd >= COST_USD_MIN.low ? "low" : null;
};

/** The lesser of the two. */
export const capOf = (confidence: PriceConfidence, max: PriceConfidence): PriceConfidence =>
  RANK[confidence] <= RANK[max] ? confidence : max;

/** Null without a price in the hour. */
export const quoteOf = (pool: PoolHour, token: Hex): PoolQuote | null => {
  const { price, share } = pool;
  if (price === null) return null;
  const first = { reserve: pool.reserve0, virtual: pool.virtual0 };
  const second = { reserve: pool.reserve1, virtual: pool.virtual1 };
  const is_first = pool.token0 === token;
  const [own, other] = is_first ? [first, second] : [second, first];
  return {
    ...{ price: is_first ? price : 1 / price, share, volume: is_first ? pool.volume1 : pool.volume0, ...other },
    ...{ own_reserve: own.reserve, own_virtual: own.virtual },
  };
};

/** Money that a sale takes out when it lowers the price by `ratio`: x * y = k, and no more than the pool holds. */
const paidDown = ({ virtual, reserve }: PoolQuote, ratio: number): number =>
  Math.min(virtual * (1 - 1 / Math.sqrt(1 + ratio)), reserve);

/** Money that a purchase brings in when it raises the price by `ratio`; less where the pool has nothing more to sell. */
const paidUp = ({ virtual, own_reserve, price }: PoolQuote, ratio: number): number =>
  Math.min(virtual * (Math.sqrt(1 + ratio) - 1), own_reserve * price * Math.sqrt(1 + ratio));

/** Units of the other token that move the price by a tenth, in the cheaper direction. */
export const costOf = (quote: PoolQuote): number => Math.min(paidDown(quote, MOVE_RATIO), paidUp(quote, MOVE_RATIO));

/**
 * Units of the other token within 2 % of the price, over the hour; of a concentrated pool no more than its holdings
 * would have there if they were spread over all prices. Otherwise a position of 4,000 USD within 1 % of an invented
 * price would outweigh pools of 400,000.
 */
export const weightOf = (quote: PoolQuote): number =>
  paidDown({ ...quote, virtual: Math.min(quote.virtual, quote.reserve) }, WEIGHT_RATIO) * quote.share;

/**
 * The quote at which half of all weight is reached, from the lowest price up: an exact tie takes the lower one. Null
 * without quotes.
 */
export const medianOf = <Q extends { readonly price_usd: number; readonly weight_usd: number }>(
  quotes: readonly Q[],
): Q | null => {
  const sorted = [...quotes].sort((a, b) => a.price_usd - b.price_usd || b.weight_usd - a.weight_usd);
  const half = sorted.reduce((sum, { weight_usd }) => sum + weight_usd, 0) / 2;
  let reached = 0;
  for (const quote of sorted) {
    reached += quote.weight_usd;
    if (reached >= half) return quote;
  }
  return null;
};

/** USD that move a weighted median: the cheapest pools that hold half of all weight. */
export const medianCostOf = (quotes: readonly Pick<UsdQuote, "cost_usd" | "weight_usd">[]): number => {
  const half = quotes.reduce((sum, { weight_usd }) => sum + weight_usd, 0) / 2;
  let [cost_usd, reached] = [0, 0];
  for (const quote of [...quotes].sort((a, b) => a.cost_usd / a.weight_usd - b.cost_usd / b.weight_usd)) {
    if (reached >= half) break;
    cost_usd += quote.cost_usd;
    reached += quote.weight_usd;
  }
  return cost_usd;
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
