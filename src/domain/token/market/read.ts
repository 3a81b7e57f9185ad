import type { LiveTokenMetadata } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { poolSidesOf } from "../../valuation/prices/pool_sides.ts";
import { type Price, priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { unstoredPrices } from "../../valuation/prices/unstored_prices.ts";
import { stateBlock } from "../holders/balances.ts";
import { readHolderGrowth } from "../holders/growth.ts";
import { readHolderSums } from "../holders/sums.ts";
import { readBurned } from "../holders/supply.ts";
import { decimalsOf, tokenOf } from "../metadata/subject.ts";

/** A token's contract data at the snapshot's block. */
export interface MarketToken {
  /** As in the call: '' is the native coin. */
  readonly token: Hex;
  /** As pools hold it: the wrapped form of the native coin. */
  readonly traded: Hex;
  readonly face: Pick<LiveTokenMetadata, "symbol" | "name" | "decimals" | "has_hidden">;
  readonly total_supply: bigint | null;
  /** Base units at burn addresses. */
  readonly burned: bigint | null;
  /** First second of its life; null when the index does not cover its creation. */
  readonly created_at: number | null;
}

/** Returns null when the address does not answer like a token and the token never moved. */
export const readSubject = async (scope: SnapshotContext, token: Hex): Promise<MarketToken | null> => {
  const { chain, snapshot, signal, facts } = scope;
  const { native, wrapped_native } = chain.network;
  if (token === "") {
    const face = { symbol: native.symbol, name: native.symbol, decimals: native.decimals };
    return { token, traded: wrapped_native ?? "", face, total_supply: null, burned: null, created_at: null };
  }
  const at = await stateBlock(scope);
  const [[told], burnt, [creation]] = await Promise.all([
    chain.tokenMetadata([token], signal, at),
    readBurned(scope, [token], at),
    facts.ask(snapshot, "creations_among", { addresses: [token] }),
  ]);
  const known = await tokenOf(scope, told, token);
  if (known === null) return null;
  return {
    token,
    traded: token,
    face: {
      ...{ symbol: known.symbol, name: known.name, decimals: decimalsOf(known) },
      has_hidden: known.has_hidden === true,
    },
    total_supply: known.total_supply,
    burned: burnt.get(token) ?? null,
    created_at: creation?.time ?? null,
  };
};

export interface PriceHistory {
  readonly now: Price | null;
  /** The token's price in the hour of a moment (unix seconds). */
  readonly at: (time: number) => number | null;
  /** USD by hour, in parallel, for hours with a price. */
  readonly hours: readonly number[];
  readonly prices: readonly number[];
  /** The highest price that was stored or just computed, with the first hour that had it. */
  readonly highest: { readonly price_usd: number; readonly hour: number } | null;
}

/** Ages of the prices that the current price is compared with, in seconds. */
export const CHANGE_AGES = {
  "1h": HOUR_S,
  "6h": 6 * HOUR_S,
  "24h": DAY_S,
  "7d": 7 * DAY_S,
  "30d": 30 * DAY_S,
} as const;

/** Prices of the last `span_s` seconds, and of the hours that the price is compared with. */
export const readPriceHistory = async (scope: SnapshotContext, token: Hex, span_s: number): Promise<PriceHistory> => {
  const { facts, snapshot, chain } = scope;
  const end = snapshot.block.time;
  const first = hourOf(Math.max(0, end - span_s));
  const hours = new Set(
    Array.from({ length: Math.floor((hourOf(end) - first) / HOUR_S) + 1 }, (_, i) => first + i * HOUR_S),
  );
  for (const age of Object.values(CHANGE_AGES)) hours.add(hourOf(Math.max(0, end - age)));
  const wanted = [...hours].sort((a, b) => a - b);
  const context = { facts, network: chain.network, snapshot };
  const until = Math.max(0, hourOf(end) - HOUR_S);
  const [found, [stored], fresh] = await Promise.all([
    pricesAtHours(
      context,
      wanted.map((hour) => ({ token, hour })),
    ),
    facts.ask(snapshot, "market/highest", { token, until }),
    unstoredPrices(context, [token], until),
  ]);
  const priced = wanted.flatMap((hour) => {
    const price = found.get(priceKey(token, hour));
    return price === undefined ? [] : [{ hour, price_usd: price.price_usd }];
  });
  const highest = [...fresh, ...priced].reduce<{ price_usd: number; hour: number } | null>(
    (best, price) =>
      best === null || price.price_usd > best.price_usd ? { price_usd: price.price_usd, hour: price.hour } : best,
    stored ?? null,
  );
  return {
    now: found.get(priceKey(token, hourOf(end))) ?? null,
    at: (time) => found.get(priceKey(token, hourOf(time)))?.price_usd ?? null,
    hours: priced.map(({ hour }) => hour),
    prices: priced.map(({ price_usd }) => price_usd),
    highest,
  };
};

/** Highest and lowest price of the 24 hours that end at a moment; null when none is known. */
export const rangeOf = ({ hours, prices }: PriceHistory, end: number) => {
  const inside = prices.filter((_, i) => (hours[i] ?? 0) > hourOf(end) - DAY_S);
  return inside.length === 0 ? { high: null, low: null } : { high: Math.max(...inside), low: Math.min(...inside) };
};

const DAYS_BEFORE = 30;

/** Trades of one period, counted and summed. */
export type PeriodTrades = QueryRow<"market/trades">;

export interface TokenTrading {
  /** The timeframe, and the same length of time before; null without a trade. */
  readonly current: PeriodTrades | null;
  readonly before: PeriodTrades | null;
  readonly days: readonly QueryRow<"market/days">[];
  readonly wash: QueryRow<"market/wash"> | null;
}

/** Trades of verified pools, up to the snapshot's block. */
export const readTrading = async (
  { facts, snapshot }: SnapshotContext,
  { traded, face }: MarketToken,
  asked: { readonly period_s: number; readonly history: PriceHistory },
): Promise<TokenTrading> => {
  const { period_s, history } = asked;
  const until = snapshot.block.time;
  // The engine's `transform` needs at least one pair; -1 means "no price", as everywhere in the query.
  const priced = history.hours.length === 0 ? { hours: [0], prices: [-1] } : history;
  const sides = await poolSidesOf({ facts, snapshot }, traded);
  const common = { ...sides, until, decimals: face.decimals ?? 0, hours: priced.hours, prices: priced.prices };
  const back = (seconds: number): number => Math.max(0, until - seconds + 1);
  const [periods, days, [wash]] = await Promise.all([
    facts.ask(snapshot, "market/trades", { ...common, period_s, since: back(2 * period_s) }),
    facts.ask(snapshot, "market/days", { ...common, since: back((DAYS_BEFORE + 1) * DAY_S) }),
    facts.ask(snapshot, "market/wash", { ...sides, until, since: back(period_s) }),
  ]);
  return {
    current: periods.find(({ period }) => period === 0) ?? null,
    before: periods.find(({ period }) => period === 1) ?? null,
    days,
    wash: wash ?? null,
  };
};

/** Amounts traded in the last 24 hours, and in each earlier day that began after `since`, newest first. */
export const dailyAmounts = (
  { days }: TokenTrading,
  { end, since }: { readonly end: number; readonly since: number },
) => {
  const amountOf = (day: number): number =>
    days.filter((row) => row.day === day).reduce((sum, { amount }) => sum + amount, 0);
  const whole_days = Math.floor((end - since) / DAY_S);
  const count = Math.min(DAYS_BEFORE, Math.max(0, whole_days - 1));
  return { latest: amountOf(0), before: Array.from({ length: count }, (_, i) => amountOf(i + 1)) };
};

/**
 * The number of holders; null when the index does not cover the whole history, or the token's events do not show its holders
 * (`is_doubtful`).
 */
export const readHolderCount = async (scope: SnapshotContext, token: Hex) => {
  const { complete, logs, traces } = scope.snapshot.coverage;
  if (!complete || !logs || (token === "" && !traces)) return { count: null, is_doubtful: false };
  const { holders, is_doubtful } = await readHolderSums(scope, token);
  return { count: is_doubtful ? null : holders, is_doubtful };
};

/** Current holders, and the change over 24 hours. */
export const readHolders = async (scope: SnapshotContext, token: Hex) => {
  const { facts, snapshot } = scope;
  const since = Math.max(0, snapshot.block.time - DAY_S);
  const [{ count, is_doubtful }, [block]] = await Promise.all([
    readHolderCount(scope, token),
    facts.ask(snapshot, "block_at_time", { time: since }),
  ]);
  if (count === null) return { count, change: null, is_doubtful };
  const since_block = block === undefined ? 0 : block.block_number + 1;
  const window = { since, since_block, interval_s: 2 * DAY_S };
  const changes = await readHolderGrowth(scope, token, { ...window, members: null, movements: null });
  return { count, change: changes.reduce((sum, { change }) => sum + change, 0), is_doubtful };
};
