import { PriceBook, type PricedHour } from "../analysis/price_book.ts";
import { allPools, anchorsOf, type PriceContext } from "../analysis/price_pools.ts";
import type { Network } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { HOUR_S, hourOf } from "../lib/time.ts";
import type { Snapshot } from "../store/facts.ts";
import type { FactsStore } from "../store/open.ts";
import type { PricesRow } from "../store/tables.gen.ts";

/** Hours that are read and written at once. */
const WINDOW_HOURS = 48;
/** Backfill grows history at its old end: the pass begins anew when this many times more hours are covered. */
const RESTART_GROWTH = 2;

export interface PriceParts {
  readonly network: Network;
  readonly store: Pick<FactsStore, "facts" | "writer">;
}

/**
 * Writes the prices of whole hours of final blocks, oldest first. Call it now and then: a call that finds no new whole
 * hour costs one or two questions.
 */
export const openPricePass = (parts: PriceParts): ((signal: AbortSignal) => Promise<void>) => {
  const pass = new PricePass(parts);
  return (signal) => pass.update(signal);
};

class PricePass {
  readonly #parts: PriceParts;
  readonly #anchor: Hex | null;
  /** Decimals by token; null = asked, and none known. */
  readonly #decimals = new Map<Hex, number | null>();
  #book: { readonly prices: PriceBook; readonly first_hour: number } | null = null;

  constructor(parts: PriceParts) {
    this.#parts = parts;
    this.#anchor = [...anchorsOf(parts.network)][0] ?? null;
  }

  async update(signal: AbortSignal): Promise<void> {
    if (this.#anchor === null) return; // without a dollar coin nothing has a price
    const context = await this.#context(signal);
    const covered = context === null ? null : await wholeHours(context);
    if (context === null || covered === null) return;
    await this.#open(context, { ...covered, anchor: this.#anchor });
    const book = this.#book?.prices;
    while (book !== undefined && book.next_hour <= covered.last_hour) {
      signal.throwIfAborted();
      const to_hour = Math.min(covered.last_hour, book.next_hour + (WINDOW_HOURS - 1) * HOUR_S);
      await book.admit(context, await allPools(context, this.#decimals));
      const priced = await book.advance(context, to_hour);
      await this.#parts.store.writer.insert("prices", this.#rowsOf(priced), { signal });
    }
  }

  /** The final blocks alone: what is not final may yet be another price. */
  async #context(signal: AbortSignal): Promise<PriceContext | null> {
    const facts = this.#parts.store.facts.withSignal(signal);
    const newest = await snapshotOrNull(() => facts.snapshot(this.#parts.network.id, null));
    if (newest === null || newest.final_block < newest.from_block) return null;
    const final = Math.min(newest.final_block, newest.block.number);
    const snapshot = await facts.snapshot(this.#parts.network.id, final);
    return { facts, network: this.#parts.network, snapshot };
  }

  /** Goes on behind the stored hours, or begins anew when much more history is covered than they knew of. */
  async #open(context: PriceContext, covered: Covered & { readonly anchor: Hex }): Promise<void> {
    const { first_hour, last_hour, anchor } = covered;
    const [stored] = await context.facts.ask(context.snapshot, "analysis/price_range", { anchor });
    const known = this.#book?.first_hour ?? stored?.first_hour ?? Number.POSITIVE_INFINITY;
    const next = this.#book?.prices.next_hour ?? (stored === undefined ? first_hour : stored.last_hour + HOUR_S);
    const hours = (last_hour - first_hour) / HOUR_S + 1;
    const hours_known = Math.max(0, (next - known) / HOUR_S);
    const is_longer =
      first_hour < known && (context.snapshot.coverage.complete || hours >= RESTART_GROWTH * hours_known);
    const is_behind = next < first_hour;
    if (this.#book !== null && !is_longer && !is_behind) return;
    const begin = is_longer || is_behind ? first_hour : next;
    const pools = await allPools(context, this.#decimals);
    const prices = await PriceBook.open(context, pools, { hour: begin, is_all: true });
    this.#book = { prices, first_hour: is_longer || is_behind ? first_hour : Math.min(known, begin) };
  }

  /** The native coin has the price of its wrapped form under both names. */
  #rowsOf(priced: readonly PricedHour[]): readonly PricesRow[] {
    const { id: network, wrapped_native } = this.#parts.network;
    return priced.flatMap(({ hour, last_block, prices }) =>
      [...prices].flatMap(([token, price]) => {
        const row = { network, hour, ...price, version: last_block ?? 0 };
        const own = { ...row, token: fromHex(token) ?? EMPTY };
        return token === wrapped_native ? [own, { ...row, token: EMPTY }] : [own];
      }),
    );
  }
}

interface Covered {
  readonly first_hour: number;
  readonly last_hour: number;
}

/**
 * The hours of which every block is held. The first block begins in the middle of an hour, unless it is the chain's
 * first; the hour of the newest block is not over.
 */
const wholeHours = async ({ facts, snapshot }: PriceContext): Promise<Covered | null> => {
  const first = snapshot.from_block === 0 ? 1 : snapshot.from_block;
  if (first > snapshot.block.number) return null;
  const { block } = await facts.snapshot(snapshot.network, first);
  const starts_whole = snapshot.from_block === 0 || block.time === hourOf(block.time);
  const first_hour = hourOf(block.time) + (starts_whole ? 0 : HOUR_S);
  const last_hour = hourOf(snapshot.block.time) - HOUR_S;
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
