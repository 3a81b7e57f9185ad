import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { readMarketStarts } from "../../token/market/market_starts.ts";
import { anchorsOf } from "../../valuation/prices/pools.ts";
import { type Price, priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import type { HourQuote } from "./ledger.ts";
import type { PnlHistory } from "./read_history.ts";
import type { PositionFacts } from "./read_position_events.ts";
import { PRICE_RANK } from "./trade.ts";

export interface PnlPrices {
  readonly quote: (bucket: Hex, time: number) => HourQuote | null;
  readonly priceAt: (bucket: Hex, time: number) => Price | null;
}

/** Hours (their first seconds) that need prices, by token. */
export type PriceHours = Map<Hex, Set<number>>;

export const requestHour = (hours: PriceHours, token: Hex, time: number): void => {
  const known = hours.get(token);
  if (known === undefined) hours.set(token, new Set([hourOf(time)]));
  else known.add(hourOf(time));
};

/** Reads the prices of hours with their ranks, which value the books. */
export const readQuotes = async (scope: SnapshotContext, hours: PriceHours): Promise<PnlPrices> => {
  const { facts, snapshot, chain } = scope;
  const { network } = chain;
  const anchors = anchorsOf(network);
  const wanted = [...hours].flatMap(([token, set]) => [...set].map((hour) => ({ token, hour })));
  const [found, starts] = await Promise.all([
    pricesAtHours({ facts, network, snapshot }, wanted),
    readMarketStarts(scope, [...hours.keys()]),
  ]);
  const rankOf = (token: Hex, price: Price): number => {
    if (anchors.has(token)) return PRICE_RANK.stablecoin;
    return token === "" ? PRICE_RANK.native : PRICE_RANK[price.confidence];
  };
  const quotes = new Map<Hex, Map<number, HourQuote>>();
  for (const { token, hour } of wanted) {
    const price = found.get(priceKey(token, hour));
    if (price === undefined) continue;
    const ofToken = quotes.get(token) ?? new Map<number, HourQuote>();
    ofToken.set(hour, { usd: price.price_usd, sells: price.sells, rank: rankOf(token, price) });
    quotes.set(token, ofToken);
  }
  return {
    quote: (token, time) => {
      // The price of an hour does not hold for its minutes before the first pool.
      const since = found.get(priceKey(token, hourOf(time)))?.since ?? 0;
      if (time < Math.max(since, starts.get(token) ?? 0)) return null;
      return quotes.get(token)?.get(hourOf(time)) ?? null;
    },
    priceAt: (token, time) => found.get(priceKey(token, hourOf(time))) ?? null,
  };
};

interface PnlPricesQuery {
  /** The last counted second. */
  readonly end: number;
  readonly positions: PositionFacts;
  /** Earlier blocks are already in the books, with their prices. */
  readonly from_block: number;
}

/** Prices of every hour in which a bucket moved or a fee was paid, and of all buckets at the window's end. */
export const readPrices = async (
  scope: SnapshotContext,
  history: PnlHistory,
  { end, positions, from_block }: PnlPricesQuery,
): Promise<PnlPrices> => {
  const hours: PriceHours = new Map();
  const pricedAs = (bucket: Hex): Hex => positions.lent.get(bucket) ?? bucket;
  const want = (bucket: Hex, time: number): void => {
    const token = pricedAs(bucket);
    if (!hours.has(token)) requestHour(hours, token, end);
    requestHour(hours, token, time);
  };
  want("", end);
  for (const bucket of history.touched.buckets) want(bucket, end);
  if (from_block === scope.snapshot.from_block) for (const { bucket, time } of history.openings) want(bucket, time);
  for (const { block_number, time } of positions.told.values()) {
    if (block_number >= from_block) for (const bucket of positions.buckets) want(bucket, time);
  }
  history.moves.eachHour(want);
  const { quote, priceAt } = await readQuotes(scope, hours);
  return {
    quote: (bucket, time) => quote(pricedAs(bucket), time),
    priceAt: (bucket, time) => priceAt(pricedAs(bucket), time),
  };
};
