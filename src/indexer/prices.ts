import type { Network } from "../chains/chain.ts";
import { storedPoolEvents } from "../domain/valuation/prices/pool_events.ts";
import { allPools, anchorsOf, type PriceContext } from "../domain/valuation/prices/pools.ts";
import { PriceCalculator, type PricedHour } from "../domain/valuation/prices/price_calculator.ts";
import { storedPass } from "../domain/valuation/prices/price_now.ts";
import { backingColumns } from "../domain/valuation/prices/stored_prices.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { DAY_S, HOUR_S, hourOf } from "../lib/time.ts";
import type { Facts, Snapshot } from "../store/facts.ts";
import type { PricesRow } from "../store/tables.gen.ts";
import type { Writer } from "../store/writer.ts";

/** Hours per window: few if an hour has many prices, more if it has few. */
const WINDOW_HOURS_MIN = 48;
const WINDOW_HOURS_MAX = 768;
/** Prices of a window after which the next one doubles, or shrinks to the shortest. */
const WINDOW_PRICES = { few: 20_000, many: 100_000 };
/**
 * Backfill extends history at its old end: the pass begins again when this many times more hours are covered, and when
 * history is complete.
 */
const RESTART_GROWTH = 2;
/** Hours since 1970, beyond every history: the version of a row is how long before it its pass began. */
const FAR_HOUR = 2 ** 40;

export interface PricePassOptions {
  readonly network: Network;
  readonly store: { readonly facts: Facts; readonly writer: Pick<Writer, "insert"> };
}

/**
 * Writes the prices of whole hours of final blocks, oldest first. Call it repeatedly: a call that finds no new whole
 * hour costs one or two queries.
 */
export const openPricePass = (
  parts: PricePassOptions,
): ((signal: AbortSignal) => Promise<void>) & Pick<PricePass, "redo" | "share"> => {
  const pass = new PricePass(parts);
  const update = (signal: AbortSignal) => pass.update(signal);
  return Object.assign(update, { redo: pass.redo.bind(pass), share: pass.share.bind(pass) });
};

class PricePass {
  readonly #parts: PricePassOptions;
  readonly #anchor: Hex | null;
  /** Decimals by token; null = queried, and unknown. */
  readonly #decimals = new Map<Hex, number | null>();
  #book: Pass | null = null;
  /** The oldest block whose hour is to be priced again; null for none. */
  #redo_from: number | null = null;
  /** Hours with prices, and all of them, while an update writes more than a window; null otherwise. */
  #progress: { readonly done: number; readonly all: number } | null = null;

  constructor(parts: PricePassOptions) {
    this.#parts = parts;
    this.#anchor = [...anchorsOf(parts.network)][0] ?? null;
  }

  /** The next update prices all hours again from the one of this block on. */
  redo(from_block: number): void {
    this.#redo_from = Math.min(this.#redo_from ?? from_block, from_block);
  }

  /** The share of the hours that have their prices while many lack them, 0 to 1; null when few or none do. */
  share(): number | null {
    return this.#progress === null ? null : this.#progress.done / this.#progress.all;
  }

  async update(signal: AbortSignal): Promise<void> {
    try {
      await this.#update(signal);
    } finally {
      this.#progress = null;
    }
  }

  async #update(signal: AbortSignal): Promise<void> {
    if (this.#anchor === null) return; // without a dollar coin nothing has a price
    const context = await this.#context(signal);
    const covered = context === null ? null : await wholeHours(context);
    if (context === null || covered === null) return;
    const { prices: book, first_hour } = await this.#open(context, { ...covered, anchor: this.#anchor });
    // After a window that could not be written, the next call continues from the stored hours.
    this.#book = null;
    const events = storedPoolEvents(context);
    let window_hours = WINDOW_HOURS_MIN;
    const hoursTo = (hour: number): number => (hour - first_hour) / HOUR_S;
    const is_long = covered.last_hour - book.next_hour > WINDOW_HOURS_MIN * HOUR_S;
    while (book.next_hour <= covered.last_hour) {
      signal.throwIfAborted();
      if (is_long) this.#progress = { done: hoursTo(book.next_hour), all: hoursTo(covered.last_hour + HOUR_S) };
      const to_hour = Math.min(covered.last_hour, book.next_hour + (window_hours - 1) * HOUR_S);
      await book.admit(events, await allPools(context, this.#decimals));
      const rows = this.#rowsOf(await book.advance(events, to_hour), first_hour);
      await this.#parts.store.writer.insert("prices", rows, { signal });
      if (rows.length <= WINDOW_PRICES.few) window_hours = Math.min(WINDOW_HOURS_MAX, window_hours * 2);
      else if (rows.length > WINDOW_PRICES.many) window_hours = WINDOW_HOURS_MIN;
    }
    this.#book = { prices: book, first_hour };
    this.#redo_from = null;
  }

  async #redoHour({ facts, network, snapshot }: PriceContext): Promise<number> {
    if (this.#redo_from === null || this.#redo_from > snapshot.block.number) return Number.POSITIVE_INFINITY;
    const { block } = await facts.snapshot(network.id, Math.max(this.#redo_from, snapshot.from_block));
    return hourOf(block.time);
  }

  /** The final blocks only: later ones may yet change a price. */
  async #context(signal: AbortSignal): Promise<PriceContext | null> {
    const facts = this.#parts.store.facts.withSignal(signal);
    const newest = await snapshotOrNull(() => facts.snapshot(this.#parts.network.id, null));
    if (newest === null || newest.final_block < newest.from_block) return null;
    const final = Math.min(newest.final_block, newest.block.number);
    const snapshot = await facts.snapshot(this.#parts.network.id, final);
    return { facts, network: this.#parts.network, snapshot };
  }

  /** Continues after the stored hours, or begins again if much more history is covered than at their time. */
  async #open(context: PriceContext, covered: PricedHourRange & { readonly anchor: Hex }): Promise<Pass> {
    const { first_hour, last_hour, anchor } = covered;
    const known = this.#book === null ? await storedPass(context, anchor) : pricedHours(this.#book);
    const hours = (last_hour - first_hour) / HOUR_S + 1;
    const hours_known = known === null ? 0 : (known.next_hour - known.first_hour) / HOUR_S;
    const { coverage, from_block } = context.snapshot;
    // Then nothing older is to come, and hours left out so far would stay left out for good.
    const is_all = coverage.gaps.every(([from]) => from > from_block);
    const is_longer =
      known === null || (first_hour < known.first_hour && (is_all || hours >= RESTART_GROWTH * hours_known));
    const begins_anew = is_longer || known.next_hour < first_hour;
    const redo_hour = await this.#redoHour(context);
    if (this.#book !== null && !begins_anew && redo_hour >= known.next_hour) return this.#book;
    const hour = begins_anew ? first_hour : Math.max(first_hour, Math.min(known.next_hour, redo_hour));
    const pools = await allPools(context, this.#decimals);
    const prices = await PriceCalculator.open(storedPoolEvents(context), pools, { hour, is_all: true });
    return { prices, first_hour: begins_anew ? first_hour : known.first_hour };
  }

  /**
   * The native coin has the price of its wrapped form under both names. A pass that began earlier knows more and has
   * the higher version; the dollar coin is the last of its hour, so that its row shows that the whole hour is stored.
   */
  #rowsOf(priced: readonly PricedHour[], first_hour: number): readonly PricesRow[] {
    const { id: network, wrapped_native } = this.#parts.network;
    const version = FAR_HOUR - first_hour / HOUR_S;
    const isLast = ([token]: readonly [Hex, unknown]): number => (token === this.#anchor ? 1 : 0);
    return priced.flatMap(({ hour, prices }) =>
      [...prices]
        .sort((a, b) => isLast(a) - isLast(b))
        .flatMap(([token, price]) => {
          const { sells: _, ...plain } = price;
          const row = { network, hour, ...plain, ...backingColumns(price), version };
          const own = { ...row, token: fromHex(token) ?? EMPTY };
          return token === wrapped_native ? [own, { ...row, token: EMPTY }] : [own];
        }),
    );
  }
}

/** A pass over the hours: its book, and where it began. */
interface Pass {
  readonly prices: PriceCalculator;
  readonly first_hour: number;
}

interface PricedHourRange {
  readonly first_hour: number;
  readonly last_hour: number;
}

interface KnownHours {
  readonly first_hour: number;
  /** The hour after the last one. */
  readonly next_hour: number;
}

const pricedHours = (book: Pass): KnownHours => ({
  first_hour: book.first_hour,
  next_hour: book.prices.next_hour,
});

/**
 * The hours with all blocks that they will ever have: those after the first one, which begins in its middle unless the
 * range begins at the network's first wanted block, and before the newest one, which is not over.
 */
const wholeHours = async ({ facts, snapshot }: PriceContext): Promise<PricedHourRange | null> => {
  const { network, from_block, coverage, block } = snapshot;
  const [first, second] = await Promise.all([
    facts.snapshot(network, from_block),
    facts.snapshot(network, Math.min(from_block + 1, block.number)),
  ]);
  // A first block with a time of its own (genesis blocks may say 1970) begins no history.
  const start = second.block.time - first.block.time > DAY_S ? second.block.time : first.block.time;
  const first_hour = hourOf(start) + (coverage.complete || start === hourOf(start) ? 0 : HOUR_S);
  const last_hour = hourOf(block.time) - HOUR_S;
  return first_hour <= last_hour ? { first_hour, last_hour } : null;
};

const snapshotOrNull = async (take: () => Promise<Snapshot>): Promise<Snapshot | null> => {
  try {
    return await take();
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};
