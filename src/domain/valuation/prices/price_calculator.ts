import type { Hex } from "../../../lib/bytes.ts";
import { HOUR_S } from "../../../lib/time.ts";
import { addEntered, type CarriedPool, emptyPool, hourOfPool, setState } from "./carried_pool.ts";
import { priceHour } from "./hourly_prices.ts";
import type { PoolEvents, PoolRows } from "./pool_events.ts";
import { type MarketSpan, marketOf } from "./pool_hour.ts";
import type { RangeChange, SingletonChange } from "./pool_states.ts";
import { anchorsOf, type PricePool } from "./pools.ts";
import type { EarlierPrice, HourPrice } from "./quotes.ts";

/** Prices of one hour. */
export interface PricedHour {
  readonly hour: number;
  readonly prices: ReadonlyMap<Hex, HourPrice>;
  /** The prices as of the hour's last block, of hours in `ends`. */
  readonly at_end?: ReadonlyMap<Hex, HourPrice>;
}

/** By hour, the time of its last block. */
export type HourEnds = ReadonlyMap<number, number>;

const NO_ENDS: HourEnds = new Map();

/** Events of one hour. */
type HourRows = { readonly [kind in keyof PoolRows]: PoolRows[kind][number][] };

/**
 * Pools and earlier prices, carried forward hour by hour. All prices are computed here, both stored hours and the
 * current one. `is_all` in `open` means a book of all pools.
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
    events: PoolEvents,
    pools: readonly PricePool[],
    how: { readonly hour: number; readonly is_all: boolean },
  ): Promise<PriceCalculator> {
    const book = new PriceCalculator(how.hour, how.is_all);
    const tokens = [...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))];
    const [before, earlier] = await Promise.all([
      events.blockBefore(how.hour),
      events.earlier(tokens, { before: how.hour, is_all: how.is_all }),
    ]);
    book.#block = before;
    for (const { token, price_usd, hour } of earlier) book.#earlier.set(token, { price_usd, hour });
    await book.admit(events, pools);
    return book;
  }

  /** First hour that is not priced yet. */
  get next_hour(): number {
    return this.#next_hour;
  }

  /** Adds missing pools with their state at the book's last block. */
  async admit(events: PoolEvents, pools: readonly PricePool[]): Promise<void> {
    const fresh = pools.filter(({ pool }) => !this.#entries.has(pool));
    if (fresh.length === 0) return;
    for (const pool of fresh) this.#entries.set(pool.pool, emptyPool(pool));
    this.#entries = new Map([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
    const { states, ranges, balances, singletons } = await events.poolsAt(fresh, this.#block);
    for (const state of states) {
      const entry = this.#entries.get(state.pool);
      if (entry !== undefined) setState(entry, state);
    }
    for (const change of ranges) this.#addEntered(change);
    for (const moved of singletons) this.#addMoved(moved);
    for (const { holder, token, amount } of balances) this.#addBalance(holder, token, amount);
    for (const { pool } of fresh) this.#refresh(pool);
  }

  /**
   * Prices every hour up to `to_hour`, from blocks up to the last one of the events. `ends`: hours to price as of their last block, too, as
   * a book whose events end there does.
   */
  async advance(events: PoolEvents, to_hour: number, ends = NO_ENDS): Promise<readonly PricedHour[]> {
    const { network, block } = events;
    const asked = { pools: [...this.#entries.values()].map(({ pool }) => pool), is_all: this.#is_all };
    const { hours, rows: all } = await events.between(asked, { after: this.#block, end: to_hour + HOUR_S });
    const last_blocks = new Map(hours.map(({ hour, last_block }) => [hour, last_block]));
    const happened = byHour(all);
    const anchors = anchorsOf(network);
    const priced: PricedHour[] = [];
    for (let hour = this.#next_hour; hour <= to_hour; hour += HOUR_S) {
      const rows = happened.get(hour);
      if (rows !== undefined) this.#apply(rows, hour);
      const priceNow = () => {
        const pools = [...this.#entries.values()].flatMap((entry) => entry.hour ?? []);
        return priceHour({ hour, anchors, native: network.wrapped_native, pools, earlier: this.#earlier });
      };
      const end = ends.get(hour);
      const at_end = end === undefined ? null : this.#asOf(hour, end + 1, priceNow);
      if (block.time < hour + HOUR_S) this.#trail(hour, block.time + 1);
      const prices = priceNow();
      for (const [token, { method, price_usd }] of prices) {
        if (method === "market") this.#earlier.set(token, { price_usd, hour });
      }
      this.#block = last_blocks.get(hour) ?? this.#block;
      priced.push({ hour, prices, ...(at_end === null ? {} : { at_end }) });
      if (rows !== undefined) this.#endHour(rows);
    }
    this.#next_hour = Math.max(this.#next_hour, to_hour + HOUR_S);
    return priced;
  }

  #apply(rows: HourRows, hour: number): void {
    const { volumes, states, deltas, ranges, singletons } = rows;
    for (const state of states) {
      const entry = this.#entries.get(state.pool);
      if (entry === undefined) continue;
      const { pool } = entry;
      // With the liquidity that entered its range since its last trade.
      const carried = entry.hour?.price ?? null;
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

  /** The result of `price` with the market of the sixty minutes before `end`. The book goes on with the market of the hour. */
  #asOf<T>(hour: number, end: number, price: () => T): T {
    const markets = [...this.#entries.values()].map((entry) => [entry, entry.market] as const);
    this.#trail(hour, end);
    const priced = price();
    for (const [entry, market] of markets) {
      if (entry.market === market) continue;
      entry.market = market;
      this.#refresh(entry.pool.pool);
    }
    return priced;
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

const byHour = ({ volumes, states, deltas, ranges, singletons }: PoolRows): ReadonlyMap<number, HourRows> => {
  const happened = new Map<number, HourRows>();
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
};
