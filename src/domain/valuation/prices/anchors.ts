import type { Hex } from "../../../lib/bytes.ts";
import {
  confidenceOf,
  DEPTH_USD_MIN,
  type HourPrice,
  medianOf,
  type PoolHour,
  type PoolQuote,
  quoteOf,
} from "./quotes.ts";

/** A dollar coin may deviate this far from the others before its market price applies. */
const PEG_TOLERANCE_RATIO = 0.005;
/**
 * Number of other coins that must exist, and agree, before a coin counts as off its peg: with one, either could be off.
 */
const WITNESSES_MIN = 2;

/** A pair of dollar coins: the price of `of` in `against`, and the depth of the market. */
interface DollarPair {
  readonly of: Hex;
  readonly against: Hex;
  readonly ratio: number;
  readonly depth_usd: number;
  readonly method: "vwap" | "mid";
}

/**
 * Dollar coins: 1 each, unless a coin is more than 0.5 % away from the depth-weighted median of at least two others and
 * from at least two of them; then its market price against that median.
 */
export const anchorPrices = (anchors: ReadonlySet<Hex>, pools: readonly PoolHour[]): ReadonlyMap<Hex, HourPrice> => {
  const pairs = pairsOf(anchors, pools);
  const values = relativeValues(pairs);
  const prices = new Map<Hex, HourPrice>();
  for (const anchor of anchors) {
    const own = pairs.filter(({ of, against }) => of === anchor || against === anchor);
    const best = own.reduce<DollarPair | null>(
      (deepest, pair) => (deepest && deepest.depth_usd >= pair.depth_usd ? deepest : pair),
      null,
    );
    const depth_usd = best?.depth_usd ?? 0;
    const market = best === null ? null : offPeg(anchor, values);
    const volume_usd = volumeOf(anchor, anchors, pools);
    const confidence = confidenceOf(depth_usd);
    prices.set(
      anchor,
      market === null || best === null || confidence === null
        ? { price_usd: 1, volume_usd, depth_usd, sells: null, method: "anchor", confidence: "high" }
        : { price_usd: market, volume_usd, depth_usd, sells: null, method: best.method, confidence },
    );
  }
  return prices;
};

/** One market per pair of anchors: the depth-weighted median of its pools that are deep enough. */
const pairsOf = (anchors: ReadonlySet<Hex>, pools: readonly PoolHour[]): readonly DollarPair[] => {
  const markets = new Map<string, { price_usd: number; depth_usd: number; quote: PoolQuote; pool: PoolHour }[]>();
  for (const pool of pools) {
    if (!anchors.has(pool.token0) || !anchors.has(pool.token1)) continue;
    const quote = quoteOf(pool, pool.token0);
    if (quote === null || quote.reserve < DEPTH_USD_MIN) continue;
    const key = `${pool.token0}:${pool.token1}`;
    const market = { price_usd: quote.price, depth_usd: quote.reserve, quote, pool };
    markets.set(key, [...(markets.get(key) ?? []), market]);
  }
  return [...markets.values()].flatMap((market) => {
    const median = medianOf(market);
    if (median === null) return [];
    const depth_usd = Math.max(...market.map((pool) => pool.depth_usd));
    const { pool, quote } = median;
    return [{ of: pool.token0, against: pool.token1, ratio: quote.price, depth_usd, method: quote.method }];
  });
};

interface AnchorValue {
  readonly price_usd: number;
  readonly depth_usd: number;
}

/**
 * Values of the coins that pools connect, in units of one of them, along the deepest pairs (a maximum spanning tree).
 * Coins of another, shallower group are left out.
 */
const relativeValues = (pairs: readonly DollarPair[]): ReadonlyMap<Hex, AnchorValue> => {
  const sorted = [...pairs].sort((a, b) => b.depth_usd - a.depth_usd || (a.of + a.against < b.of + b.against ? -1 : 1));
  const values = new Map<Hex, AnchorValue>();
  const start = sorted[0];
  if (start === undefined) return values;
  values.set(start.of, { price_usd: 1, depth_usd: start.depth_usd });
  for (let next = joining(sorted, values); next !== undefined; next = joining(sorted, values)) {
    const of = values.get(next.of);
    const against = values.get(next.against);
    if (of !== undefined) values.set(next.against, { price_usd: of.price_usd / next.ratio, depth_usd: next.depth_usd });
    else if (against !== undefined) {
      values.set(next.of, { price_usd: against.price_usd * next.ratio, depth_usd: next.depth_usd });
    }
  }
  return values;
};

/** The deepest pair with exactly one coin of known value. */
const joining = (sorted: readonly DollarPair[], values: ReadonlyMap<Hex, AnchorValue>): DollarPair | undefined =>
  sorted.find(({ of, against }) => values.has(of) !== values.has(against));

/** The market price of a coin off its peg; null when it is on its peg or the others cannot decide. */
const offPeg = (anchor: Hex, values: ReadonlyMap<Hex, AnchorValue>): number | null => {
  const own = values.get(anchor);
  const others = [...values].filter(([other]) => other !== anchor).map(([, value]) => value);
  const median = medianOf(others);
  if (own === undefined || median === null || others.length < WITNESSES_MIN) return null;
  const isAway = (other: AnchorValue): boolean => Math.abs(own.price_usd / other.price_usd - 1) > PEG_TOLERANCE_RATIO;
  if (!isAway(median) || others.filter(isAway).length < WITNESSES_MIN) return null;
  return own.price_usd / median.price_usd;
};

const volumeOf = (anchor: Hex, anchors: ReadonlySet<Hex>, pools: readonly PoolHour[]): number => {
  let volume = 0;
  for (const { token0, token1, volume0, volume1 } of pools) {
    if (!anchors.has(token0) || !anchors.has(token1)) continue;
    if (token0 === anchor) volume += volume0;
    if (token1 === anchor) volume += volume1;
  }
  return volume;
};
