import type { Hex } from "../../../lib/bytes.ts";
import { type SaleDepth, worthOfUnits } from "../worth.ts";
import { anchorPrices } from "./anchors.ts";
import type { PoolHour } from "./pool_hour.ts";
import {
  capOf,
  confidenceOf,
  costOf,
  type EarlierPrice,
  type HourPrice,
  medianCostOf,
  medianOf,
  type PriceConfidence,
  quoteOf,
  type UsdQuote,
  weightOf,
} from "./quotes.ts";
import {
  CARRY_S,
  COST_USD_MIN,
  DISAGREEMENT_RATIO,
  OUTLIER_RATIO,
  OUTLIER_WEIGHT_SHARE,
  REFERENCE_COST_USD_MIN,
  REFERENCE_POOLS_MIN,
} from "./thresholds.ts";

/** Facts of one hour, or of its elapsed part. Amounts in whole coins. */
export interface HourFacts {
  readonly hour: number;
  /** Coins pegged to the dollar. */
  readonly anchors: ReadonlySet<Hex>;
  /** The wrapped native coin; null on a network without one. */
  readonly native: Hex | null;
  /** One per pool of a known venue whose tokens have decimals. */
  readonly pools: readonly PoolHour[];
  /** Newest price that came from a pool, by token. */
  readonly earlier: ReadonlyMap<Hex, EarlierPrice>;
}

/**
 * USD prices of one hour. Dollar coins are 1 unless the market contradicts; the native coin is priced by its pools
 * against them; any other token by its pools against dollar coins and against tokens that such a pool has priced: two
 * hops at most, so no price depends on the order of computation. A token without a price is absent.
 */
export const priceHour = (facts: HourFacts): ReadonlyMap<Hex, HourPrice> => {
  const prices = new Map<Hex, HourPrice>(anchorPrices(facts.anchors, facts.pools));
  const anchored = new Map<Hex, HourPrice>(prices);
  const pools = poolsByToken(facts);
  for (const [token, list] of pools) {
    const quotes = quotesOf(token, list, prices);
    const direct = token === facts.native ? referencePrice(quotes) : marketPrice(quotes);
    if (direct !== null) anchored.set(token, direct);
  }
  for (const [token, list] of pools) {
    const price = token === facts.native ? anchored.get(token) : marketPrice(quotesOf(token, list, anchored));
    if (price !== undefined && price !== null) prices.set(token, price);
  }
  for (const [token, earlier] of facts.earlier) {
    if (prices.has(token) || facts.hour - earlier.hour > CARRY_S || facts.hour <= earlier.hour) continue;
    const quotes = quotesOf(token, pools.get(token) ?? [], anchored);
    prices.set(token, {
      ...{ price_usd: earlier.price_usd, volume_usd: 0, depth_usd: deepest(quotes), method: "last", confidence: "low" },
      cost_to_move_usd: null,
      sells: token === facts.native ? null : sellSideOf(quotes),
    });
  }
  return prices;
};

/** Pools of every token that is not a dollar coin. */
const poolsByToken = ({ pools, anchors }: HourFacts): ReadonlyMap<Hex, readonly PoolHour[]> => {
  const lists = new Map<Hex, PoolHour[]>();
  const add = (token: Hex, pool: PoolHour): void => {
    const list = lists.get(token);
    if (list === undefined) lists.set(token, [pool]);
    else list.push(pool);
  };
  for (const pool of pools) {
    if (!anchors.has(pool.token0)) add(pool.token0, pool);
    if (!anchors.has(pool.token1)) add(pool.token1, pool);
  }
  return lists;
};

/**
 * Quotes of `token` from each pool, in USD. `priced`: prices of the other sides. Depth and cost are the lesser of both
 * hops: a dollar coin at its peg needs no pool of its own.
 */
const quotesOf = (token: Hex, pools: readonly PoolHour[], priced: ReadonlyMap<Hex, HourPrice>): readonly UsdQuote[] => {
  const quotes: UsdQuote[] = [];
  for (const pool of pools) {
    const side = priced.get(pool.token0 === token ? pool.token1 : pool.token0);
    const quote = side === undefined ? null : quoteOf(pool, token);
    if (side === undefined || quote === null) continue;
    const is_peg = side.method === "anchor";
    const depth_usd = quote.reserve * side.price_usd;
    const cost_usd = costOf(quote) * side.price_usd;
    quotes.push({
      price_usd: quote.price * side.price_usd,
      volume_usd: quote.volume * side.price_usd,
      depth_usd: is_peg ? depth_usd : Math.min(depth_usd, side.depth_usd),
      cost_usd: is_peg ? cost_usd : Math.min(cost_usd, side.cost_to_move_usd ?? 0),
      weight_usd: weightOf(quote) * side.price_usd,
      own_virtual: quote.own_virtual,
      payout_usd: worthOfUnits(quote.reserve, side.price_usd, side.sells),
      confidence_max: side.confidence,
    });
  }
  return quotes.filter(({ price_usd, weight_usd }) => isPrice(price_usd) && weight_usd > 0);
};

const isPrice = (price: number): boolean => Number.isFinite(price) && price > 0;

const deepest = (quotes: readonly UsdQuote[]): number =>
  quotes.reduce((depth, { depth_usd }) => Math.max(depth, depth_usd), 0);

const sellSideOf = (quotes: readonly UsdQuote[]): SaleDepth => ({
  reserve: quotes.reduce((sum, { own_virtual }) => sum + own_virtual, 0),
  payout_max_usd: quotes.reduce((sum, { payout_usd }) => sum + payout_usd, 0),
});

/** Pools whose cost gives them a say, without those far from their weighted median. */
const countedOf = (quotes: readonly UsdQuote[]): readonly UsdQuote[] => {
  const costly = quotes.filter(({ cost_usd }) => cost_usd >= COST_USD_MIN.low);
  const first = medianOf(costly);
  if (first === null) return [];
  const total = costly.reduce((sum, { weight_usd }) => sum + weight_usd, 0);
  return costly.filter(
    ({ price_usd, weight_usd }) =>
      Math.abs(price_usd / first.price_usd - 1) <= OUTLIER_RATIO || weight_usd >= OUTLIER_WEIGHT_SHARE * total,
  );
};

/** Confidence by the cost, one step lower where the pools disagree. */
const sureOf = (counted: readonly UsdQuote[], cost_usd: number): PriceConfidence | null => {
  const sure = confidenceOf(cost_usd);
  if (sure === null || !disagree(counted)) return sure;
  return sure === "high" ? "medium" : "low";
};

const disagree = (counted: readonly UsdQuote[]): boolean => {
  const prices = counted.map(({ price_usd }) => price_usd);
  return Math.max(...prices) / Math.min(...prices) - 1 > DISAGREEMENT_RATIO;
};

/** Median of the counted pools, weighted by what they hold within 2 % of their price; null when none counts. */
const marketPrice = (quotes: readonly UsdQuote[]): HourPrice | null => {
  const counted = countedOf(quotes);
  const median = medianOf(counted);
  if (median === null) return null;
  const deep = counted.reduce((best, quote) => (quote.depth_usd > best.depth_usd ? quote : best), median);
  const cost_to_move_usd = medianCostOf(counted);
  const confidence = sureOf(counted, cost_to_move_usd);
  if (confidence === null) return null;
  const near = quotes.filter(({ price_usd }) => Math.abs(price_usd / median.price_usd - 1) <= OUTLIER_RATIO);
  return {
    price_usd: median.price_usd,
    volume_usd: counted.reduce((sum, { volume_usd }) => sum + volume_usd, 0),
    depth_usd: deep.depth_usd,
    ...{ cost_to_move_usd, method: "market", sells: sellSideOf(near) },
    confidence: capOf(confidence, deep.confidence_max),
  };
};

/** The same for the native coin, which needs two pools or a costly one; any amount has its price. */
const referencePrice = (quotes: readonly UsdQuote[]): HourPrice | null => {
  const price = marketPrice(quotes);
  if (price === null) return null;
  const is_costly = (price.cost_to_move_usd ?? 0) >= REFERENCE_COST_USD_MIN;
  return is_costly || countedOf(quotes).length >= REFERENCE_POOLS_MIN ? { ...price, sells: null } : null;
};
