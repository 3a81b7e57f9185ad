import type { BlockRef } from "../chains/chain.ts";
import { RefusedBlock } from "../chains/node/refused_block.ts";
import { AssayError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { IndexStore, KnownGap } from "./parts.ts";
import { mergeRanges, type Range } from "./ranges.ts";

/** Refusals in a row after which the indexer goes on without a block; more where an endpoint did not give the block at all. */
const REFUSALS = { all_asked: 4, some_unasked: 8 };
/** And no sooner than so long after the first of them: a node that comes to itself leaves no gap. */
const REFUSED_MS_MIN = 30_000;
/** With so many open gaps the fault is hardly one of single blocks: the network waits, as with any other fault. */
const OPEN_MAX = 32;
/** A recorded block is asked for again after a minute, then after twice as long each time, at most after six hours. */
const ASK_FIRST_MS = 60_000;
const ASK_MAX_MS = 21_600_000;
/** Operators and other processes write records too. */
const LOOK_MS = 5_000;

/** How long after an attempt the next one is made. */
export const backoffMs = (attempts: number): number =>
  Math.min(ASK_MAX_MS, ASK_FIRST_MS * 2 ** Math.min(30, Math.max(0, attempts - 1)));

export interface QuarantineParts {
  readonly network: string;
  readonly store: Pick<IndexStore, "gapRecords">;
  readonly log: Log;
  /** Unix milliseconds: times of records are compared with it. */
  readonly now_ms: () => number;
}

type Records = Pick<IndexStore, "recordGap">;
type Refs = { readonly ref: (number: number, signal: AbortSignal) => Promise<BlockRef | null> };

const rangeOf = ({ from_block, to_block }: KnownGap): Range => ({ from: from_block, to: to_block });

/**
 * Blocks that verification refuses. After some refusals a block becomes a recorded gap, history goes on around it, and it is
 * asked for again with growing pauses (docs/design/exactly_once.md).
 */
export class Quarantine {
  readonly #parts: QuarantineParts;
  /** Refusals in a row of blocks that are not recorded. */
  readonly #refusals = new Map<number, { count: number; first_ms: number }>();
  /** Headers of refused blocks as this process was told them. */
  readonly #headers = new Map<number, BlockRef>();
  /** Gaps whose node gave no answer at all, by their first block: when they are asked for again. */
  readonly #postponed = new Map<number, number>();
  #known: readonly KnownGap[] = [];
  #reread: readonly KnownGap[] = [];
  #looked_ms = Number.NEGATIVE_INFINITY;

  constructor(parts: QuarantineParts) {
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
  get gaps(): readonly Range[] {
    return mergeRanges(this.#known.map(rangeOf));
  }

  /** Gaps that are not to be asked for now, merged. */
  get resting(): readonly Range[] {
    return mergeRanges(this.#known.filter((gap) => !this.#isDue(gap)).map(rangeOf));
  }

  /** Gaps that are to be asked for now. */
  get due(): readonly KnownGap[] {
    return this.#known.filter((gap) => this.#isDue(gap));
  }

  /** Segments that are not done because a block of them is refused, and that are to be read again now. */
  get due_segments(): readonly Range[] {
    return this.due.map(rangeOf).filter(({ from, to }) => from < to);
  }

  /** The parent of a refused block by its header, where that has the hash that the block above names; null where it is not known. */
  parentOf(number: number, hash: string | null): string | null {
    const header = this.#headers.get(number);
    return header !== undefined && header.hash === hash ? header.parent_hash : null;
  }

  /** Gaps that lie in a range. */
  within({ from, to }: Range): readonly KnownGap[] {
    return this.#known.filter(({ from_block, to_block }) => from <= from_block && to_block <= to);
  }

  /** Records of blocks that are held by now: prices and labels are still to be derived from them. */
  filled(held: readonly Range[]): readonly KnownGap[] {
    const isHeld = ({ from_block, to_block }: KnownGap) =>
      held.some(({ from, to }) => from <= from_block && to_block <= to);
    return [...this.#known, ...this.#reread].filter(isHeld);
  }

  /** What the operator is told; null when no block waits. */
  problem(): string | null {
    const open = this.#known.filter(({ state }) => state === "open");
    const [first] = open;
    if (first === undefined) return null;
    const others = open.length === 1 ? "" : ` (and ${open.length - 1} more)`;
    return `${first.reason}${others}; indexing goes on without it, and asks again`;
  }

  /**
   * Takes note of a failure. True when it is the refusal of a block that is a recorded gap from now on: whatever comes next is to be
   * done without it. Also true when the range that was `asked` for is such a gap and cannot be had for another reason: it is asked for
   * later. `is_one`: the range can be written only as a whole.
   */
  async refused(
    error: unknown,
    how: {
      readonly store: Records;
      readonly chain: Refs;
      readonly signal: AbortSignal;
      readonly asked: Range;
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
      "verification refuses a block: indexing goes on without it, and asks again",
    );
    await this.look(true);
    return true;
  }

  /** These are gaps no more, and everything that follows from their blocks is written. */
  async close(records: readonly KnownGap[], store: Records): Promise<void> {
    for (const gap of records) await store.recordGap({ ...gap, state: "closed" });
    if (records.length > 0) await this.look(true);
  }

  #recordOf({ from, to }: Range): KnownGap | undefined {
    return this.#known.find(({ from_block, to_block }) => from_block === from && to_block === to);
  }

  #postpone(asked: Range): boolean {
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

/** The header of a refused block may be had all the same; null where it is not. */
const headerOf = async (
  { chain, signal }: { readonly chain: Refs; readonly signal: AbortSignal },
  number: number,
): Promise<BlockRef | null> => {
  try {
    return await chain.ref(number, signal);
  } catch {
    signal.throwIfAborted();
    return null; // the record then says that the hash is not known, and links across the gap are not compared
  }
};
