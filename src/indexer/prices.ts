import { PriceBook, type PricedHour } from "../analysis/price_book.ts";
import { allPools, anchorsOf, type PriceContext } from "../analysis/price_pools.ts";
import type { Network } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { DAY_S, HOUR_S, hourOf } from "../lib/time.ts";
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
    const known = this.#book === null ? await storedHours(context, anchor) : heldHours(this.#book);
    const hours = (last_hour - first_hour) / HOUR_S + 1;
    const hours_known = known === null ? 0 : (known.next_hour - known.first_hour) / HOUR_S;
    const { complete } = context.snapshot.coverage;
    const is_longer =
      known === null || (first_hour < known.first_hour && (complete || hours >= RESTART_GROWTH * hours_known));
    const begins_anew = is_longer || known.next_hour < first_hour;
    if (this.#book !== null && !begins_anew) return;
    const hour = begins_anew ? first_hour : known.next_hour;
    const pools = await allPools(context, this.#decimals);
    const prices = await PriceBook.open(context, pools, { hour, is_all: true });
    this.#book = { prices, first_hour: begins_anew ? first_hour : known.first_hour };
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

interface Known {
  readonly first_hour: number;
  /** The hour after the last one. */
  readonly next_hour: number;
}

/** Null when nothing is stored, or with holes: a pass that began anew was cut off. */
const storedHours = async ({ facts, snapshot }: PriceContext, anchor: Hex): Promise<Known | null> => {
  const [stored] = await facts.ask(snapshot, "analysis/price_range", { anchor });
  if (stored === undefined) return null;
  const next_hour = stored.last_hour + HOUR_S;
  return stored.hours * HOUR_S === next_hour - stored.first_hour ? { first_hour: stored.first_hour, next_hour } : null;
};

const heldHours = (book: { readonly prices: PriceBook; readonly first_hour: number }): Known => ({
  first_hour: book.first_hour,
  next_hour: book.prices.next_hour,
});

/**
 * The hours of which every block is held that ever will be: those behind the first one, which is begun in its middle
 * unless the range begins where the network is wanted from, and before the newest one, which is not over.
 */
const wholeHours = async ({ facts, snapshot }: PriceContext): Promise<Covered | null> => {
  const { network, from_block, coverage, block } = snapshot;
  const [first, second] = await Promise.all([
    facts.snapshot(network, from_block),
    facts.snapshot(network, Math.min(from_block + 1, block.number)),
  ]);
  // A first block of its own time (genesis blocks may say 1970) begins no history.
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
