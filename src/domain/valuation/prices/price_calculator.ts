import type { Hex } from "../../../lib/bytes.ts";
import { HOUR_S } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { addEntered, type CarriedPool, emptyPool, hourOfPool, setState } from "./carried_pool.ts";
import { priceHour } from "./hourly_prices.ts";
import { isConcentrated, isInSingleton, midOfPool } from "./pool_family.ts";
import { type MarketSpan, marketOf } from "./pool_hour.ts";
import {
  poolReservesAt,
  poolStatesAt,
  type RangeChange,
  rangeChangesAt,
  type SingletonChange,
  singletonChangesAt,
  until,
} from "./pool_states.ts";
import { anchorsOf, inBatches, type PriceContext, type PricePool } from "./pools.ts";
import type { EarlierPrice, HourPrice } from "./quotes.ts";

/** Prices of one hour. */
export interface PricedHour {
  readonly hour: number;
  readonly prices: ReadonlyMap<Hex, HourPrice>;
}

/** Events of one hour. */
interface HourRows {
  readonly volumes: QueryRow<"prices/volumes">[];
  readonly states: QueryRow<"prices/states">[];
  readonly deltas: QueryRow<"prices/reserves">[];
  readonly ranges: RangeChange[];
  readonly singletons: SingletonChange[];
}

/**
 * Pools and earlier prices, carried forward hour by hour. All prices are computed here, both stored hours and the
 * current one. `pools` null in `open` means a book of all pools.
 */
export class PriceCalculator {
  readonly #is_all: boolean;
  /** In the order of their ids, so that no sum over pools depends on the order of discovery. */
  #entries = new Map<Hex, CarriedPool>();
  readonly #earlier = new Map<Hex, EarlierPrice>();
  #next_hour: number;
  /** Last block that the entries contain; null when they contain none. */
  #block: number | null = null;

  private constructor(next_hour: number, is_all: boolean) {
    this.#next_hour = next_hour;
    this.#is_all = is_all;
  }

  /** Opens a book right before `hour`. */
  static async open(
    context: PriceContext,
    pools: readonly PricePool[],
    how: { readonly hour: number; readonly is_all: boolean },
  ): Promise<PriceCalculator> {
    const book = new PriceCalculator(how.hour, how.is_all);
    const { facts, snapshot } = context;
    const tokens = how.is_all ? [] : [...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))];
    const askEarlier = (part: readonly Hex[]) =>
      facts.ask(snapshot, "prices/earlier", { tokens: part, before: how.hour });
    const [before, earlier] = await Promise.all([
      facts.ask(snapshot, "prices/block_before", { before: how.hour }),
      how.is_all ? askEarlier([]) : inBatches(tokens, askEarlier),
    ]);
    book.#block = before[0]?.block_number ?? null;
    for (const { token, price_usd, hour } of earlier) book.#earlier.set(token, { price_usd, hour });
    await book.admit(context, pools);
    return book;
  }

  /** First hour that is not priced yet. */
  get next_hour(): number {
    return this.#next_hour;
  }

  /** Adds missing pools with their state at the book's last block. */
  async admit(context: PriceContext, pools: readonly PricePool[]): Promise<void> {
    const fresh = pools.filter(({ pool }) => !this.#entries.has(pool));
    for (const pool of fresh) this.#entries.set(pool.pool, emptyPool(pool));
    if (fresh.length > 0) this.#entries = new Map([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
    const at = this.#block ?? Math.max(0, context.snapshot.from_block - 1);
    const ranged = fresh.filter(({ family }) => isConcentrated(family));
    const deep = ranged.filter(({ family }) => !isInSingleton(family));
    const single = ranged.filter(({ family }) => isInSingleton(family));
    const [states, balances, singletons] = await Promise.all([
      this.#block === null ? [] : poolStatesAt(context, idsOf(fresh), at),
      poolReservesAt(context, deep, at),
      this.#block === null ? [] : singletonChangesAt(context, idsOf(single), { at, after: 0 }),
    ]);
    for (const state of states) {
      const entry = this.#entries.get(state.pool);
      if (entry !== undefined) setState(entry, state);
    }
    const ids = new Set(idsOf(ranged));
    const placed = states.filter(({ pool }) => ids.has(pool));
    for (const change of await rangeChangesAt(context, placed, at)) this.#addEntered(change);
    for (const moved of singletons) this.#addMoved(moved);
    for (const { holder, token, amount } of balances) this.#addBalance(holder, token, amount);
    for (const { pool } of fresh) this.#refresh(pool);
  }

  /** Prices every hour up to `to_hour`, from blocks up to the snapshot's. */
  async advance(context: PriceContext, to_hour: number): Promise<readonly PricedHour[]> {
    const { facts, network, snapshot } = context;
    const from_block = this.#block === null ? snapshot.from_block : this.#block + 1;
    const hours = await facts.ask(until(snapshot, snapshot.block.number, from_block), "prices/hours", {
      until: to_hour + HOUR_S,
    });
    const last_blocks = new Map(hours.map(({ hour, last_block }) => [hour, last_block]));
    const happened = await this.#read(context, hours);
    const anchors = anchorsOf(network);
    const priced: PricedHour[] = [];
    for (let hour = this.#next_hour; hour <= to_hour; hour += HOUR_S) {
      const rows = happened.get(hour);
      if (rows !== undefined) this.#apply(rows, hour);
      if (snapshot.block.time < hour + HOUR_S) this.#trail(hour, snapshot.block.time + 1);
      const pools = [...this.#entries.values()].flatMap((entry) => entry.hour ?? []);
      const prices = priceHour({ hour, anchors, native: network.wrapped_native, pools, earlier: this.#earlier });
      for (const [token, { method, price_usd }] of prices) {
        if (method === "market") this.#earlier.set(token, { price_usd, hour });
      }
      this.#block = last_blocks.get(hour) ?? this.#block;
      priced.push({ hour, prices });
      if (rows !== undefined) this.#endHour(rows);
    }
    this.#next_hour = Math.max(this.#next_hour, to_hour + HOUR_S);
    return priced;
  }

  /** Reads the events of all hours with blocks, in three queries. */
  async #read(
    context: PriceContext,
    hours: readonly QueryRow<"prices/hours">[],
  ): Promise<ReadonlyMap<number, HourRows>> {
    const { facts, snapshot } = context;
    const [first, last] = [hours[0], hours.at(-1)];
    const happened = new Map<number, HourRows>();
    if (first === undefined || last === undefined || this.#entries.size === 0) return happened;
    const range = until(snapshot, last.last_block, first.first_block);
    const pools = this.#is_all ? null : [...this.#entries.keys()];
    const own = [...this.#entries.values()].map(({ pool }) => pool).filter(({ family }) => isConcentrated(family));
    const deep = own.filter(({ family }) => !isInSingleton(family));
    const single = own.filter(({ family }) => isInSingleton(family));
    const ofPools = <R>(ask: (part: readonly Hex[]) => Promise<readonly R[]>) =>
      pools === null ? ask([]) : inBatches(pools, ask);
    const [volumes, states, deltas, ranges, singletons] = await Promise.all([
      ofPools((part) => facts.ask(range, "prices/volumes", { pools: part })),
      ofPools((part) => facts.ask(range, "prices/states", { pools: part })),
      inBatches(deep, (part) => facts.ask(range, "prices/reserves", { holders: idsOf(part), tokens: tokensOf(part) })),
      rangeChangesAt(context, idsOf(own).map(startingAt(first.first_block)), last.last_block),
      // Their amounts depend on states that may be older than the range.
      singletonChangesAt(context, idsOf(single), { at: last.last_block, after: first.first_block }),
    ]);
    const rowsOf = (hour: number): HourRows => {
      const rows = happened.get(hour) ?? { volumes: [], states: [], deltas: [], ranges: [], singletons: [] };
      happened.set(hour, rows);
      return rows;
    };
    for (const row of volumes) rowsOf(row.hour).volumes.push(row);
    for (const row of states) rowsOf(row.hour).states.push(row);
    for (const row of deltas) rowsOf(row.hour).deltas.push(row);
    for (const row of ranges) rowsOf(row.hour).ranges.push(row);
    for (const row of singletons) rowsOf(row.hour).singletons.push(row);
    return happened;
  }

  #apply(rows: HourRows, hour: number): void {
    const { volumes, states, deltas, ranges, singletons } = rows;
    for (const state of states) {
      const entry = this.#entries.get(state.pool);
      if (entry === undefined) continue;
      const { pool } = entry;
      const carried = entry.state === null ? null : midOfPool(pool.family, entry.state, pool);
      const present = { hour, carried, ends: { seconds: state.seconds, ratios: state.ratios } };
      entry.past = [...entry.past.filter((one) => one.hour === hour - HOUR_S), present];
      entry.market = marketOf(pool, [present], { start: hour, end: hour + HOUR_S });
      setState(entry, state);
    }
    for (const change of ranges) this.#addEntered(change);
    for (const { holder, token, delta } of deltas) this.#addBalance(holder, token, delta);
    for (const moved of singletons) this.#addMoved(moved);
    for (const { pool, volume0, volume1 } of volumes) {
      const entry = this.#entries.get(pool);
      if (entry === undefined) continue;
      entry.volume0 = volume0;
      entry.volume1 = volume1;
    }
    this.#refreshAll(rows);
  }

  /**
   * An hour that is not over has the market of the last sixty minutes: the first blocks of an hour alone would be cheap
   * to hold.
   */
  #trail(hour: number, end: number): void {
    const span: MarketSpan = { start: end - HOUR_S, end };
    for (const entry of this.#entries.values()) {
      const past = entry.past.filter((one) => one.hour >= hour - HOUR_S);
      if (past.length === 0) continue;
      entry.market = marketOf(entry.pool, past, span);
      this.#refresh(entry.pool.pool);
    }
  }

  /** Volumes and the market belong to their hour; other values are carried forward. */
  #endHour({ volumes, states }: HourRows): void {
    for (const { pool } of [...volumes, ...states]) {
      const entry = this.#entries.get(pool);
      if (entry === undefined) continue;
      entry.volume0 = 0n;
      entry.volume1 = 0n;
      entry.market = null;
    }
    this.#refreshAll({ volumes, states, deltas: [], ranges: [], singletons: [] });
  }

  #refreshAll({ volumes, states, deltas, ranges, singletons }: HourRows): void {
    const touched = [...volumes, ...states, ...ranges, ...singletons].map(({ pool }) => pool);
    for (const pool of new Set([...touched, ...deltas.map(({ holder }) => holder)])) this.#refresh(pool);
  }

  #addBalance(pool: Hex, token: Hex, amount: bigint): void {
    const entry = this.#entries.get(pool);
    if (entry?.pool.token0 === token) entry.balance0 += amount;
    else if (entry?.pool.token1 === token) entry.balance1 += amount;
  }

  #addEntered(change: RangeChange): void {
    const entry = this.#entries.get(change.pool);
    if (entry !== undefined) addEntered(entry, change);
  }

  #addMoved({ pool, delta0, delta1 }: SingletonChange): void {
    const entry = this.#entries.get(pool);
    if (entry === undefined) return;
    entry.balance0 += BigInt(Math.round(delta0));
    entry.balance1 += BigInt(Math.round(delta1));
  }

  #refresh(pool: Hex): void {
    const entry = this.#entries.get(pool);
    if (entry !== undefined) entry.hour = hourOfPool(entry);
  }
}

const tokensOf = (pools: readonly PricePool[]): readonly Hex[] => [
  ...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1])),
];

/** More than any log index. */
const LOG_MAX = 2 ** 32 - 1;
/** The place before the first log of a block. */
const startingAt = (block: number) => (pool: Hex) => ({
  ...{ pool, state_block: Math.max(0, block - 1), state_log: LOG_MAX },
});

const idsOf = (pools: readonly PricePool[]): readonly Hex[] => pools.map(({ pool }) => pool);
