import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../lib/time.ts";
import { tradedToken } from "../../aliases.ts";
import { indexedSince } from "../../window/indexed_since.ts";
import { readDemanded, readUndemanded } from "./demanded_prices.ts";
import { OperatorPrices } from "./operator_prices.ts";
import { storedPoolEvents } from "./pool_events.ts";
import { anchorsOf, type PriceContext, poolsFor, storedPoolIndex } from "./pools.ts";
import {
  momentOf,
  type Price,
  PriceCache,
  priceKey,
  type StoredHours,
  type TokenHour,
  type TokenPrices,
} from "./price_cache.ts";
import { PriceCalculator, type PricedHour } from "./price_calculator.ts";
import type { HourPrice } from "./quotes.ts";
import { readStored } from "./stored_prices.ts";

export type { PriceContext } from "./pools.ts";
export { type Price, priceKey } from "./price_cache.ts";
export type { PriceConfidence, PriceMethod } from "./quotes.ts";

/** Limit of hours to compute after the last stored price: 45 days. */
export const REPLAY_HOURS_MAX = 45 * 24;

/**
 * Prices at the snapshot's block, from facts up to that block only, so that an answer at a block
 * never changes. The native coin ('') and its wrapped form have one price. A token without a price is absent.
 */
export const pricesAt = async (context: PriceContext, tokens: readonly Hex[]): Promise<ReadonlyMap<Hex, Price>> => {
  const hour = hourOf(context.snapshot.block.time);
  const prices = await pricesAtHours(
    context,
    tokens.map((token) => ({ token, hour })),
  );
  return new Map(
    tokens.flatMap((token) => {
      const price = prices.get(priceKey(token, hour));
      return price === undefined ? [] : [[token, price]];
    }),
  );
};

/**
 * Prices of hours (`hour` = its first second), by `priceKey`. Hours with stored prices are read; newer ones are
 * computed from the facts up to the snapshot's block, whose own hour counts up to the block. A pair without a price is
 * absent.
 */
export const pricesAtHours = async (context: PriceContext, wanted: readonly TokenHour[]): Promise<TokenPrices> => {
  const { facts, snapshot } = context;
  const own = facts.own(OperatorPrices);
  const found = await poolPrices(context, wanted);
  if (!own.has(snapshot.network)) return found;
  const prices = new Map(found);
  const now = hourOf(snapshot.block.time);
  for (const { token, hour } of wanted) {
    const key = priceKey(token, hour);
    const price = prices.has(key) || hour > now ? null : own.at(snapshot, namesOf(context, token), hour);
    if (price !== null) prices.set(key, price);
  }
  return prices;
};

/** On a network that is read on demand: the pairs (`priceKey`) whose prices are not read yet. They are from now on. */
export const unreadPrices = async (
  context: PriceContext,
  wanted: readonly TokenHour[],
): Promise<ReadonlySet<string>> =>
  anchorsOf(context.network).size === 0 ? new Set() : readUndemanded(context, wanted);

/** The native coin and its wrapped form have one price. */
const namesOf = ({ network }: PriceContext, token: Hex): readonly Hex[] => {
  const { wrapped_native } = network;
  if (wrapped_native === null || (token !== "" && token !== wrapped_native)) return [token];
  return [tradedAs({ network }, ""), ""];
};

/** Reports whether tokens of a network can have prices: it has a dollar coin, or the operator provides prices. */
export const canBePriced = ({ facts, network }: Pick<PriceContext, "facts" | "network">): boolean =>
  anchorsOf(network).size > 0 || facts.own(OperatorPrices).has(network.id);

const poolPrices = async (context: PriceContext, wanted: readonly TokenHour[]): Promise<TokenPrices> => {
  const prices = new Map<string, Price>();
  const [anchor] = anchorsOf(context.network);
  if (anchor === undefined || wanted.length === 0) return prices;
  if (context.snapshot.followed !== undefined) return readDemanded(context, wanted);
  const now = hourOf(context.snapshot.block.time);
  const range = await storedHours(context, anchor);
  const isStored = (hour: number): boolean =>
    range !== null && hour < now && hour >= range.first_hour && hour <= range.last_hour;
  const isComputed = (hour: number): boolean =>
    hour === now || (hour < now && (range === null || hour > range.last_hour));
  const traded = wanted.map(({ token, hour }) => ({ token: tradedAs(context, token), hour }));
  const memory = context.facts.own(PriceCache);
  const [stored, computed] = await Promise.all([
    readStored(
      context,
      traded.filter(({ hour }) => isStored(hour)),
    ),
    memory.read(
      momentOf(context.snapshot, range),
      traded.filter(({ hour }) => isComputed(hour)),
      (missing) => compute(context, missing, range),
    ),
  ]);
  for (const { token, hour } of wanted) {
    const traded_as = tradedAs(context, token);
    const price = isStored(hour) ? stored(traded_as, hour) : computed.get(priceKey(traded_as, hour));
    if (price) prices.set(priceKey(token, hour), price);
  }
  return prices;
};

export const storedHours = ({ facts, snapshot }: PriceContext, anchor: Hex): Promise<StoredHours | null> =>
  facts.own(PriceCache).range(snapshot, async () => {
    const [range] = await facts.ask(snapshot, "prices/range", { anchor });
    return range ?? null;
  });

/** Hours [from, until) whose stored prices apply to this snapshot, in unix seconds; later ones are computed. */
export const storedSpan = async (context: PriceContext): Promise<StoredSpan> => {
  // Operator prices are not stored, so sums over stored prices would lack them.
  if (context.facts.own(OperatorPrices).has(context.network.id)) return { from: 0, until: 0 };
  return pooledSpan(context);
};

interface StoredSpan {
  readonly from: number;
  readonly until: number;
}

/** `storedSpan` of pool prices alone. */
export const pooledSpan = async (context: PriceContext): Promise<StoredSpan> => {
  const [anchor] = anchorsOf(context.network);
  const range = anchor === undefined ? null : await storedHours(context, anchor);
  if (range === null) return { from: 0, until: 0 };
  return { from: range.first_hour, until: Math.min(range.last_hour + HOUR_S, hourOf(context.snapshot.block.time)) };
};

/** Hours that the pass from the oldest hour has stored so far; null without any, or with gaps. */
export const storedPass = async (
  { facts, snapshot }: Pick<PriceContext, "facts" | "snapshot">,
  anchor: Hex,
): Promise<{ readonly first_hour: number; readonly next_hour: number } | null> => {
  const [stored] = await facts.ask(snapshot, "prices/pass", { anchor });
  if (stored === undefined) return null;
  const next_hour = stored.last_hour + HOUR_S;
  return stored.hours * HOUR_S === next_hour - stored.first_hour ? { first_hour: stored.first_hour, next_hour } : null;
};

/** Hours [from, until) up to the snapshot's block whose prices are neither stored nor computed, in unix seconds. */
export interface PendingHours {
  readonly from: number;
  readonly until: number;
}

/**
 * The hours that wait for the indexer's pass over prices: after the stored ones, and further back than answers compute them. Null when
 * every hour has its prices, or can have none.
 */
export const pendingPrices = async (context: PriceContext): Promise<PendingHours | null> => {
  const [anchor] = anchorsOf(context.network);
  if (anchor === undefined) return null;
  const range = await storedHours(context, anchor);
  const from = range === null ? hourOf(await indexedSince(context)) : range.last_hour + HOUR_S;
  const until = hourOf(context.snapshot.block.time) - REPLAY_HOURS_MAX * HOUR_S;
  return from < until ? { from, until } : null;
};

/** Starts the reads that all prices at this snapshot need. A failure surfaces when the prices are read. */
export const preparePrices = (context: PriceContext): void => {
  const [anchor] = anchorsOf(context.network);
  if (anchor !== undefined) void storedHours(context, anchor).catch(() => undefined);
};

/** Mark of the stored prices up to an hour. */
export interface PriceVersion {
  /** First second of the newest stored hour; null without any. On a network without prices, no hour is newer. */
  readonly last_hour: number | null;
  /** The same text as long as prices up to `known_to` are the same. */
  readonly known: string;
  /** The same text as long as prices up to `last_hour` are the same. */
  readonly all: string;
}

/**
 * The mark of stored prices, to be read before the prices themselves. Caches of data derived from past prices store
 * their mark. `known_to`: unix seconds.
 */
export const readPriceVersion = async (context: PriceContext, known_to: number): Promise<PriceVersion> => {
  const [anchor] = anchorsOf(context.network);
  const own = context.facts.own(OperatorPrices);
  const own_known = own.mark(context.network.id, known_to);
  const own_all = own.mark(context.network.id, Number.POSITIVE_INFINITY);
  if (anchor === undefined) return { last_hour: Number.POSITIVE_INFINITY, known: own_known, all: own_all };
  const [[row], range] = await Promise.all([
    context.facts.ask(context.snapshot, "prices/mark", { anchor, known_to }),
    storedHours(context, anchor),
  ]);
  return {
    last_hour: range?.last_hour ?? null,
    known: `${row?.known_mark ?? ""}${own_known}`,
    all: `${row?.mark ?? ""}${own_all}`,
  };
};

export const tradedAs = ({ network }: Pick<PriceContext, "network">, token: Hex): Hex => tradedToken(network, token);

/**
 * Hours after the last stored one, replayed from there; or from a day before the first requested one, the longest time
 * that a price is carried.
 */
const compute = async (
  context: PriceContext,
  wanted: readonly TokenHour[],
  stored: StoredHours | null,
): Promise<TokenPrices> => {
  const hours = wanted.map(({ hour }) => hour);
  const first = hours.reduce((a, b) => Math.min(a, b));
  const last = hours.reduce((a, b) => Math.max(a, b));
  const is_behind = stored !== null && first > stored.first_hour;
  // The hour before an unfinished one is part of its last sixty minutes.
  const stored_to = is_behind ? Math.min(stored.last_hour, last - 2 * HOUR_S) : Number.NEGATIVE_INFINITY;
  const from = Math.max(stored_to + HOUR_S, first - DAY_S, last - REPLAY_HOURS_MAX * HOUR_S);
  const tokens = [...new Set(wanted.map(({ token }) => token))];
  const pools = await poolsFor(storedPoolIndex(context), tokens);
  const events = storedPoolEvents(context);
  const book = await PriceCalculator.open(events, pools, { hour: from, is_all: false });
  return pick(await book.advance(events, last), wanted);
};

/** Picks the requested prices. The book also prices the other sides of pools and the hours in between. */
const pick = (priced: readonly PricedHour[], wanted: readonly TokenHour[]): TokenPrices => {
  const hours = new Map(priced.map(({ hour, prices }) => [hour, prices]));
  return new Map(
    wanted.flatMap(({ token, hour }) => {
      const price = hours.get(hour)?.get(token);
      return price === undefined ? [] : [[priceKey(token, hour), priceOf(price, hour)]];
    }),
  );
};

export const priceOf = ({ volume_usd: _, ...price }: HourPrice, hour: number): Price => ({ ...price, hour });
