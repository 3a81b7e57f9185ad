import type { BlockRef } from "../chains/chain.ts";
import { RefusedBlock } from "../chains/node/refused_block.ts";
import { AssayError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { IndexStore, KnownGap } from "./options.ts";
import { type IndexRange, mergeRanges } from "./ranges.ts";

/**
 * Rejections in a row after which the indexer continues without a block; more if an endpoint did not serve the block at
 * all.
 */
const REFUSALS = { all_asked: 4, some_unasked: 8 };
/** Minimum time since the first of them: a node that recovers leaves no gap. */
const REFUSED_MS_MIN = 30_000;
/**
 * With this many open gaps the fault is unlikely to be one of single blocks: the network waits, as with any other
 * fault.
 */
const OPEN_MAX = 32;
/** A recorded block is retried after a minute, then after twice as long each time, at most after six hours. */
const ASK_FIRST_MS = 60_000;
const ASK_MAX_MS = 21_600_000;
/** Operators and other processes write records too. */
const LOOK_MS = 5_000;

/** Pause after an attempt before the next one. */
export const backoffMs = (attempts: number): number =>
  Math.min(ASK_MAX_MS, ASK_FIRST_MS * 2 ** Math.min(30, Math.max(0, attempts - 1)));

export interface QuarantineOptions {
  readonly network: string;
  readonly store: Pick<IndexStore, "gapRecords">;
  readonly log: Log;
  /** Unix milliseconds: times of records are compared with it. */
  readonly now_ms: () => number;
}

type GapStore = Pick<IndexStore, "recordGap">;
type Refs = { readonly ref: (number: number, signal: AbortSignal) => Promise<BlockRef | null> };

const rangeOf = ({ from_block, to_block }: KnownGap): IndexRange => ({ from: from_block, to: to_block });

/**
 * Blocks that verification rejects. After some rejections a block becomes a recorded gap, history continues around it,
 * and the indexer retries it with growing pauses (docs/design/exactly_once.md).
 */
export class Quarantine {
  readonly #parts: QuarantineOptions;
  /** Rejections in a row of blocks that are not recorded. */
  readonly #refusals = new Map<number, { count: number; first_ms: number }>();
  /** Headers of rejected blocks that this process has read. */
  readonly #headers = new Map<number, BlockRef>();
  /** Gaps whose node gave no answer at all, by their first block: the time of the next retry. */
  readonly #postponed = new Map<number, number>();
  #known: readonly KnownGap[] = [];
  #reread: readonly KnownGap[] = [];
  #looked_ms = Number.NEGATIVE_INFINITY;

  constructor(parts: QuarantineOptions) {
    this.#parts = parts;
  }

  /** Reads the records, unless they were read a moment ago. */
  async look(is_due = false): Promise<void> {
    const now = this.#parts.now_ms();
    if (!is_due && now - this.#looked_ms < LOOK_MS) return;
    const records = await this.#parts.store.gapRecords();
    this.#known = records.filter(({ kind }) => kind === "refused");
    this.#reread = records.filter(({ kind }) => kind === "traces");
    this.#looked_ms = now;
  }

  /** All recorded gaps, merged. */
  get gaps(): readonly IndexRange[] {
    return mergeRanges(this.#known.map(rangeOf));
  }

  /** Gaps that wait for their next retry, merged. */
  get resting(): readonly IndexRange[] {
    return mergeRanges(this.#known.filter((gap) => !this.#isDue(gap)).map(rangeOf));
  }

  /** Gaps that are due for a retry. */
  get due(): readonly KnownGap[] {
    return this.#known.filter((gap) => this.#isDue(gap));
  }

  /** Segments that are not done because a block of them is rejected, and that are to be read again now. */
  get due_segments(): readonly IndexRange[] {
    return this.due.map(rangeOf).filter(({ from, to }) => from < to);
  }

  /** The parent of a rejected block by its header, if that has the hash that the block above names; null if unknown. */
  parentOf(number: number, hash: string | null): string | null {
    const header = this.#headers.get(number);
    return header !== undefined && header.hash === hash ? header.parent_hash : null;
  }

  /** Gaps within a range. */
  within({ from, to }: IndexRange): readonly KnownGap[] {
    return this.#known.filter(({ from_block, to_block }) => from <= from_block && to_block <= to);
  }

  /** Records of blocks that are stored by now: prices and labels are yet to be derived from them. */
  filled(held: readonly IndexRange[]): readonly KnownGap[] {
    const isHeld = ({ from_block, to_block }: KnownGap) =>
      held.some(({ from, to }) => from <= from_block && to_block <= to);
    return [...this.#known, ...this.#reread].filter(isHeld);
  }

  /** Message for the operator; null if no block waits. */
  problem(): string | null {
    const open = this.#known.filter(({ state }) => state === "open");
    const [first] = open;
    if (first === undefined) return null;
    const others = open.length === 1 ? "" : ` (and ${open.length - 1} more)`;
    return `${first.reason}${others}; indexing continues without it and retries it`;
  }

  /**
   * Records a failure. True if it is the rejection of a block that is a recorded gap from now on, so that work
   * continues without it. Also true if the `asked` range is such a gap and is unavailable for another reason: it is
   * retried later. `is_one`: the range can be written only as a whole.
   */
  async refused(
    error: unknown,
    how: {
      readonly store: GapStore;
      readonly chain: Refs;
      readonly signal: AbortSignal;
      readonly asked: IndexRange;
      readonly is_one?: boolean;
    },
  ): Promise<boolean> {
    if (how.signal.aborted) return false;
    if (!(error instanceof RefusedBlock)) return isUnavailable(error) && this.#postpone(how.asked);
    await this.look(true);
    const { from, to } = how.is_one === true ? how.asked : { from: error.block, to: error.block };
    const known = this.#recordOf({ from, to });
    const now = this.#parts.now_ms();
    const seen = this.#refusals.get(error.block) ?? { count: 0, first_ms: now };
    seen.count += 1;
    this.#refusals.set(error.block, seen);
    if (known === undefined) {
      const wanted = error.unasked.length === 0 ? REFUSALS.all_asked : REFUSALS.some_unasked;
      if (seen.count < wanted || now - seen.first_ms < REFUSED_MS_MIN) return false;
      if (this.#known.filter(({ state }) => state === "open").length >= OPEN_MAX) return false;
    }
    this.#refusals.delete(error.block);
    const attempts = (known?.attempts ?? 0) + (known === undefined ? seen.count : 1);
    const header = from === to ? await headerOf(how, from) : null;
    if (header !== null) this.#headers.set(from, header);
    await how.store.recordGap({
      ...{ kind: "refused", from_block: from, to_block: to, state: known?.state ?? "open" },
      ...{
        check_name: error.check,
        reason: error.message,
        block_hash: header?.hash ?? known?.block_hash ?? "",
        endpoints: error.endpoints.length,
        attempts,
      },
      ...{ first_asked_ms: known?.first_asked_ms ?? seen.first_ms, last_asked_ms: now },
      ask_ms: now + backoffMs(known === undefined ? 1 : attempts - REFUSALS.all_asked + 1),
      ...(known === undefined ? {} : { written_ms: known.written_ms }),
    });
    this.#parts.log.warn(
      { network: this.#parts.network, from, to, check: error.check, attempts },
      "verification rejects a block: indexing continues without it and retries it",
    );
    await this.look(true);
    return true;
  }

  /** Closes records of blocks that are no gaps any more, once everything that follows from these blocks is written. */
  async close(records: readonly KnownGap[], store: GapStore): Promise<void> {
    for (const gap of records) await store.recordGap({ ...gap, state: "closed" });
    if (records.length > 0) await this.look(true);
  }

  #recordOf({ from, to }: IndexRange): KnownGap | undefined {
    return this.#known.find(({ from_block, to_block }) => from_block === from && to_block === to);
  }

  #postpone(asked: IndexRange): boolean {
    if (this.#recordOf(asked) === undefined) return false;
    this.#postponed.set(asked.from, this.#parts.now_ms() + ASK_FIRST_MS);
    return true;
  }

  #isDue({ state, ask_ms, from_block }: KnownGap): boolean {
    return state === "open" && Math.max(ask_ms, this.#postponed.get(from_block) ?? 0) <= this.#parts.now_ms();
  }
}

/** A node gives no usable answer. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE";

/** The header of a rejected block may be available all the same; null if it is not. */
const headerOf = async (
  { chain, signal }: { readonly chain: Refs; readonly signal: AbortSignal },
  number: number,
): Promise<BlockRef | null> => {
  try {
    return await chain.ref(number, signal);
  } catch {
    signal.throwIfAborted();
    return null; // The record then states no hash, and links across the gap are not compared.
  }
};
