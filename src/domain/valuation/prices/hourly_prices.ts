import type { Hex } from "../../../lib/bytes.ts";
import { anchorPrices } from "./anchors.ts";
import {
  capOf,
  confidenceOf,
  DEPTH_USD_MIN,
  type EarlierPrice,
  type HourPrice,
  medianOf,
  type PoolHour,
  type PoolQuote,
  quoteOf,
  type UsdQuote,
} from "./quotes.ts";

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

/** Duration of a carried price after the last qualifying pool. */
const CARRY_S = 24 * 3600;
/** A pool whose price is further from the median than this … */
const OUTLIER_RATIO = 0.3;
/** … and that holds less than this share of all depth does not count. */
const OUTLIER_DEPTH_SHARE = 0.5;

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
    const direct = soldAs(facts, token, fromQuotes(quotesOf(token, list, prices)));
    if (direct !== null) anchored.set(token, direct);
  }
  for (const [token, list] of pools) {
    const price =
      token === facts.native ? anchored.get(token) : soldAs(facts, token, fromQuotes(quotesOf(token, list, anchored)));
    if (price !== undefined && price !== null) prices.set(token, price);
  }
  for (const [token, earlier] of facts.earlier) {
    if (prices.has(token) || facts.hour - earlier.hour > CARRY_S || facts.hour <= earlier.hour) continue;
    const depth_usd = deepest(quotesOf(token, pools.get(token) ?? [], anchored));
    const { price_usd } = earlier;
    const sells = token === facts.native ? null : { reserve: depth_usd / price_usd, payout_max_usd: depth_usd };
    prices.set(token, { price_usd, volume_usd: 0, depth_usd, sells, method: "last", confidence: "low" });
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
 * Quotes of `token` from each pool, in USD. `priced`: prices of the other sides. The depth is the lesser of both hops.
 */
const quotesOf = (token: Hex, pools: readonly PoolHour[], priced: ReadonlyMap<Hex, HourPrice>): readonly UsdQuote[] => {
  const quotes: UsdQuote[] = [];
  for (const pool of pools) {
    const side = priced.get(pool.token0 === token ? pool.token1 : pool.token0);
    const quote = side === undefined ? null : quoteOf(pool, token);
    if (side === undefined || quote === null) continue;
    const depth_usd = hopDepth(quote, side);
    const price_usd = quote.price * side.price_usd;
    const volume_usd = quote.volume * side.price_usd;
    quotes.push({ price_usd, volume_usd, depth_usd, method: quote.method, confidence_max: side.confidence });
  }
  return quotes;
};

/** A dollar coin at its peg needs no pool of its own. */
const hopDepth = (quote: PoolQuote, side: HourPrice): number => {
  const depth_usd = quote.reserve * side.price_usd;
  return side.method === "anchor" ? depth_usd : Math.min(depth_usd, side.depth_usd);
};

const deepest = (quotes: readonly UsdQuote[]): number =>
  quotes.reduce((depth, { depth_usd }) => Math.max(depth, depth_usd), 0);

/** Depth-weighted median of the pools that are deep enough, without outliers; null when none is. */
const fromQuotes = (quotes: readonly UsdQuote[]): HourPrice | null => {
  const deep = quotes.filter(({ depth_usd, price_usd }) => depth_usd >= DEPTH_USD_MIN && isPrice(price_usd));
  const first = medianOf(deep);
  if (first === null) return null;
  const total = deep.reduce((sum, { depth_usd }) => sum + depth_usd, 0);
  const kept = deep.filter(
    ({ price_usd, depth_usd }) =>
      Math.abs(price_usd / first.price_usd - 1) <= OUTLIER_RATIO || depth_usd >= OUTLIER_DEPTH_SHARE * total,
  );
  const median = medianOf(kept) ?? first;
  const deepestKept = kept.reduce((best, quote) => (quote.depth_usd > best.depth_usd ? quote : best), median);
  const confidence = confidenceOf(deepestKept.depth_usd);
  if (confidence === null) return null;
  const paid_usd = kept.reduce((sum, { depth_usd }) => sum + depth_usd, 0);
  return {
    price_usd: median.price_usd,
    volume_usd: kept.reduce((sum, { volume_usd }) => sum + volume_usd, 0),
    depth_usd: deepestKept.depth_usd,
    sells: { reserve: paid_usd / median.price_usd, payout_max_usd: paid_usd },
    method: median.method,
    confidence: capOf(confidence, deepestKept.confidence_max),
  };
};

const soldAs = ({ native }: HourFacts, token: Hex, price: HourPrice | null): HourPrice | null =>
  price !== null && token === native ? { ...price, sells: null } : price;

const isPrice = (price: number): boolean => Number.isFinite(price) && price > 0;
