import type { Hex } from "../../lib/bytes.ts";
import { hourOf } from "../../lib/time.ts";
import type { SnapshotContext } from "../context.ts";
import { readMarketStarts } from "../market/starts.ts";
import { anchorsOf } from "../prices/pools.ts";
import { type Price, priceKey, pricesAtHours } from "../prices/price_now.ts";
import type { Quote } from "./book.ts";
import type { History } from "./read_history.ts";
import type { Positions } from "./read_position_events.ts";
import { PRICE_RANK } from "./trade.ts";

export interface Prices {
  readonly quote: (bucket: Hex, time: number) => Quote | null;
  readonly priceAt: (bucket: Hex, time: number) => Price | null;
}

interface Asked {
  /** The last second that counts. */
  readonly end: number;
  readonly positions: Positions;
  /** Blocks before it are in the books already, with their prices. */
  readonly from_block: number;
}

/** Prices of every hour in which a bucket moved or a fee was paid, and of all buckets at the window's end. */
export const readPrices = async (
  place: SnapshotContext,
  history: History,
  { end, positions, from_block }: Asked,
): Promise<Prices> => {
  const { facts, snapshot, chain } = place;
  const { network } = chain;
  const anchors = anchorsOf(network);
  const hours = new Map<Hex, Set<number>>();
  const want = (token: Hex, hour: number): void => {
    const bucket = positions.lent.get(token) ?? token;
    const known = hours.get(bucket);
    if (known === undefined) hours.set(bucket, new Set([hour, hourOf(end)]));
    else known.add(hour);
  };
  want("", hourOf(end));
  for (const bucket of history.touched.buckets) want(bucket, hourOf(end));
  if (from_block === snapshot.from_block) for (const { bucket, time } of history.openings) want(bucket, hourOf(time));
  for (const { block_number, time } of positions.told.values()) {
    if (block_number >= from_block) for (const bucket of positions.buckets) want(bucket, hourOf(time));
  }
  history.moves.eachHour(want);
  const wanted = [...hours].flatMap(([token, set]) => [...set].map((hour) => ({ token, hour })));
  const traded = [...hours.keys()].filter((token) => token !== "" && !anchors.has(token));
  const [found, starts] = await Promise.all([
    pricesAtHours({ facts, network, snapshot }, wanted),
    readMarketStarts(place, traded),
  ]);
  const rankOf = (bucket: Hex, price: Price): number => {
    if (anchors.has(bucket)) return PRICE_RANK.stablecoin;
    return bucket === "" ? PRICE_RANK.native : PRICE_RANK[price.confidence];
  };
  const quotes = new Map<Hex, Map<number, Quote>>();
  for (const { token, hour } of wanted) {
    const price = found.get(priceKey(token, hour));
    if (price === undefined) continue;
    const ofToken = quotes.get(token) ?? new Map<number, Quote>();
    ofToken.set(hour, { usd: price.price_usd, rank: rankOf(token, price) });
    quotes.set(token, ofToken);
  }
  return {
    quote: (bucket, time) => {
      const token = positions.lent.get(bucket) ?? bucket;
      // The price of an hour is no price of its minutes before the first pool.
      if (time < (starts.get(token) ?? Number.NEGATIVE_INFINITY)) return null;
      return quotes.get(token)?.get(hourOf(time)) ?? null;
    },
    priceAt: (bucket, time) => found.get(priceKey(positions.lent.get(bucket) ?? bucket, hourOf(time))) ?? null,
  };
};
