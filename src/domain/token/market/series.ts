/** Prices at past hours, candles of any window, and trades, for callers who draw or tax them. */
import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf, iso } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { poolSidesOf } from "../../valuation/prices/pool_sides.ts";
import { type Price, priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { metadataIn, metadataOf } from "../metadata/metadata.ts";
import { type Candle, candleOf } from "./candles.ts";
import { tradedAs } from "./liquidity.ts";

/** Length of a candle by its name. A week begins on a Monday, UTC. */
const INTERVALS = { "1h": HOUR_S, "4h": 4 * HOUR_S, "1d": DAY_S, "1w": 7 * DAY_S } as const;
export type CandleInterval = keyof typeof INTERVALS;

/** Candles of one answer. */
export const CANDLES_MAX = 400;

/** The first Monday after 1970 began: weeks count from it. */
const MONDAY = 4 * DAY_S;

/** The first second of the candle that contains a moment. */
const beginOf = (time: number, interval: CandleInterval): number => {
  const step = INTERVALS[interval];
  const offset = interval === "1w" ? MONDAY : 0;
  return time - ((((time - offset) % step) + step) % step);
};

/** How many candles a window has, its first and last one in part. */
export const candlesIn = ({ since, until }: CandleWindow, interval: CandleInterval): number =>
  (beginOf(until, interval) - beginOf(since, interval)) / INTERVALS[interval] + 1;

/** The price of a token in the hour of a moment; null: no verified pool, and no price of the operator, had one. */
export const priceInHour = async (scope: SnapshotContext, token: Hex, time: number): Promise<Price | null> => {
  const { facts, snapshot, chain } = scope;
  const hour = hourOf(time);
  const prices = await pricesAtHours({ facts, network: chain.network, snapshot }, [{ token, hour }]);
  return prices.get(priceKey(token, hour)) ?? null;
};

/** Unix seconds, both inside. */
export interface CandleWindow {
  readonly since: number;
  readonly until: number;
}

export interface VolumeCandle extends Candle {
  /** Trades of verified pools, net of round trips inside a transaction; null where its first block is not indexed. */
  readonly trades: number | null;
  /** Null also where a trade was in an hour without a price, and where the token's decimals are unknown. */
  readonly volume_usd: number | null;
}

interface CandleQuery extends CandleWindow {
  readonly interval: CandleInterval;
  /** First indexed moment; null: all blocks are indexed. */
  readonly covered: number | null;
}

type StepVolume = Pick<VolumeCandle, "trades" | "volume_usd">;

const UNKNOWN: StepVolume = { trades: null, volume_usd: null };
const NONE: StepVolume = { trades: 0, volume_usd: 0 };

/** Candles of whole intervals that overlap the window; hours after the snapshot's block have no price. */
export const readCandles = async (
  scope: SnapshotContext,
  token: Hex,
  { interval, covered, ...window }: CandleQuery,
): Promise<readonly VolumeCandle[]> => {
  const { facts, snapshot, chain } = scope;
  const step_s = INTERVALS[interval];
  const since = Math.max(0, beginOf(window.since, interval));
  const until = Math.min(beginOf(window.until, interval) + step_s - 1, snapshot.block.time);
  const count = candlesIn(window, interval);
  const hours = Array.from({ length: (count * step_s) / HOUR_S + 1 }, (_, i) => since + (i - 1) * HOUR_S);
  const wanted = hours.filter((hour) => hour >= 0 && hour <= until).map((hour) => ({ token, hour }));
  const prices = await pricesAtHours({ facts, network: chain.network, snapshot }, wanted);
  const at = (time: number): number | null => prices.get(priceKey(token, hourOf(time)))?.price_usd ?? null;
  const volumes = await readVolumes(scope, token, { since, until, step_s, at });
  return Array.from({ length: count }, (_, i) => {
    const from = since + i * step_s;
    const is_indexed = from >= (covered ?? 0) && from <= snapshot.block.time;
    return { ...candleOf({ at }, from, step_s), ...(is_indexed ? (volumes.get(i) ?? NONE) : UNKNOWN) };
  });
};

interface VolumeSteps extends CandleWindow {
  readonly step_s: number;
  readonly at: (time: number) => number | null;
}

const readVolumes = async (
  scope: SnapshotContext,
  token: Hex,
  { since, until, step_s, at }: VolumeSteps,
): Promise<ReadonlyMap<number, StepVolume>> => {
  const { facts, snapshot } = scope;
  const traded = tradedAs(scope, token);
  const [sides, faces] = await Promise.all([poolSidesOf(scope, traded), metadataOf(scope, [traded])]);
  const { decimals } = metadataIn(faces, traded);
  if (sides.pools.length === 0 || until < since) return new Map();
  const hours = Array.from({ length: Math.floor((until - since) / HOUR_S) + 1 }, (_, i) => hourOf(since) + i * HOUR_S);
  // -1 means "no price" in the query.
  const params = { hours, prices: hours.map((hour) => at(hour) ?? -1), since, until, step_s, decimals: decimals ?? 0 };
  const rows = await facts.ask(snapshot, "market/volumes", { ...sides, ...params });
  return new Map(
    rows.map(({ step, trades, volume_usd, unpriced }) => [
      step,
      { trades, volume_usd: unpriced > 0 || decimals === null ? null : volume_usd },
    ]),
  );
};

/** The place of a trade: trades of one page are before it. */
export interface TradePlace {
  readonly block: number;
  readonly tx_index: number;
  readonly pool: Hex;
}

/** One trader in one pool and transaction, net of round trips inside it. */
export interface PoolTrade {
  readonly place: TradePlace;
  readonly time: string;
  /** Null where the index has no transaction at this place. */
  readonly tx_hash: Hex | null;
  readonly trader: Hex;
  readonly bought: TradeSide;
  readonly sold: TradeSide;
}

export interface TradeSide {
  readonly token: Hex;
  readonly raw: bigint;
}

/** After every trade. */
export const NEWEST: TradePlace = { block: 2 ** 52, tx_index: 2 ** 31, pool: "" };

interface TradePage extends CandleWindow {
  readonly before: TradePlace;
  readonly limit: number;
}

export interface TradeList {
  readonly trades: readonly PoolTrade[];
  /** `before` of the next page; null on the last one. */
  readonly next: TradePlace | null;
}

const cursorOf = ({ before, limit }: Pick<TradePage, "before" | "limit">) => ({
  ...{ before_block: before.block, before_tx: before.tx_index, before_pool: before.pool, most: limit + 1 },
});

/** Trades of a token in verified pools, the newest first. */
export const readTokenTrades = async (
  scope: SnapshotContext,
  token: Hex,
  { since, until, ...page }: TradePage,
): Promise<TradeList> => {
  const { pools } = await poolSidesOf(scope, tradedAs(scope, token));
  if (pools.length === 0) return { trades: [], next: null };
  const bounds = { since, until: Math.min(until, scope.snapshot.block.time) };
  const rows = await scope.facts.ask(scope.snapshot, "market/trade_rows", { pools, ...bounds, ...cursorOf(page) });
  return pageOf(scope, rows, page.limit);
};

/** Trades that a wallet made in pools of known factories, the newest first. */
export const readWalletTrades = async (
  scope: SnapshotContext,
  wallet: Hex,
  page: Pick<TradePage, "before" | "limit">,
): Promise<TradeList> => {
  const rows = await scope.facts.ask(scope.snapshot, "market/wallet_trades", { wallet, ...cursorOf(page) });
  return pageOf(scope, rows, page.limit);
};

interface TradeRow {
  readonly block_number: number;
  readonly tx_index: number;
  readonly time: number;
  readonly pool: Hex;
  readonly trader: Hex;
  readonly amount0: bigint;
  readonly amount1: bigint;
}

/** The trades of one row more than a page has. */
const pageOf = async (scope: SnapshotContext, found: readonly TradeRow[], limit: number): Promise<TradeList> => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (last === undefined) return { trades: [], next: null };
  const place = { block: last.block_number, tx_index: last.tx_index, pool: last.pool };
  return { trades: await tradesOf(scope, rows), next: found.length > limit ? place : null };
};

const tradesOf = async (
  { facts, snapshot }: SnapshotContext,
  rows: readonly TradeRow[],
): Promise<readonly PoolTrade[]> => {
  const blocks = rows.map(({ block_number }) => block_number);
  const indexes = rows.map(({ tx_index }) => tx_index);
  const [pools, places] = await Promise.all([
    facts.ask(snapshot, "pools_among", { pools: [...new Set(rows.map(({ pool }) => pool))].sort() }),
    facts.ask(snapshot, "transaction_details", { blocks, indexes }),
  ]);
  // A pool of an unknown factory may state any amounts.
  const known = pools.filter(({ venue }) => venue !== "");
  const tokens = new Map(known.map(({ pool, token0, token1 }) => [pool, { token0, token1 }]));
  const hashes = new Map(places.map(({ block_number, tx_index, hash }) => [`${block_number} ${tx_index}`, hash]));
  return rows.flatMap((row): readonly PoolTrade[] => {
    const pair = tokens.get(row.pool);
    if (pair === undefined) return [];
    // Amounts are those that the pool took in.
    const [first, second] = [
      { token: pair.token0, raw: row.amount0 },
      { token: pair.token1, raw: row.amount1 },
    ];
    const [sold, bought] = row.amount0 > 0n ? [first, second] : [second, first];
    return [
      {
        place: { block: row.block_number, tx_index: row.tx_index, pool: row.pool },
        time: iso(row.time),
        tx_hash: hashes.get(`${row.block_number} ${row.tx_index}`) ?? null,
        trader: row.trader,
        sold,
        bought: { ...bought, raw: -bought.raw },
      },
    ];
  });
};
