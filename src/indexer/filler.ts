import { AssayError } from "../lib/errors.ts";
import type { FetchedBlocks } from "./fetch.ts";
import type { HistoryRanges, RangeHold } from "./options.ts";
import type { Quarantine } from "./quarantine.ts";
import { clipRanges, type IndexRange, mergeRanges, missingRanges, nextSegment } from "./ranges.ts";
import { finishSegments, readSegment, writeSegment } from "./segments.ts";

/** A segment takes some forty statements of 5 to 30 ms each, whatever its size (docs/design/exactly_once.md). */
const SEGMENT_BLOCKS_MIN = 32;
const SEGMENT_BLOCKS_MAX = 4_096;
const SEGMENT_BLOCKS_FIRST = 32;
/** Most growth from one segment to the next: the rows of the next blocks are an estimate from the last ones. */
const GROWTH_MAX = 8;

/** Length of a segment of `segment_rows`, from the rows of some blocks. */
const fittingBlocks = (segment_rows: number, { blocks, rows }: { blocks: number; rows: number }): number => {
  // Sizes are powers of two (`nextSegment`): the nearest one, not the next smaller one.
  const fitting = Math.round((Math.SQRT2 * segment_rows * blocks) / Math.max(1, rows));
  return Math.max(SEGMENT_BLOCKS_MIN, Math.min(SEGMENT_BLOCKS_MAX, fitting, blocks * GROWTH_MAX));
};

/**
 * Fills ranges of history that this process holds, one after another, each from its newest missing block backwards,
 * reading one segment ahead of the writing.
 */
export class RangeFiller {
  readonly #ranges: HistoryRanges;
  readonly #quarantine: Quarantine;
  readonly #segment_rows: number;
  #hold: RangeHold | null = null;
  #held: readonly IndexRange[] = [];
  #segment_blocks = SEGMENT_BLOCKS_FIRST;
  #has_written = false;
  /** A segment was begun in the held range and is not done. */
  #is_cut = false;
  #ahead: { range: IndexRange; fetched: Promise<FetchedBlocks> } | null = null;
  /** Parent hash of the lowest block above a gap, by the number of the block it names. */
  readonly #parents = new Map<number, string>();

  /** `segment_rows`: rows that a segment aims at. */
  constructor(ranges: HistoryRanges, quarantine: Quarantine, segment_rows: number) {
    this.#ranges = ranges;
    this.#quarantine = quarantine;
    this.#segment_rows = segment_rows;
  }

  /** Ranges of the final tables, as far as this process knows. */
  get held(): readonly IndexRange[] {
    return this.#held;
  }

  /** The range being filled. */
  get range(): IndexRange | null {
    return this.#hold?.range ?? null;
  }

  /** Most blocks of a segment, from the size of the last one. */
  get segment_blocks(): number {
    return this.#segment_blocks;
  }

  /** Updates the known ranges from the store. */
  saw(held: readonly IndexRange[]): void {
    this.#held = held;
  }

  /** A segment of a range was begun again and is not done: it is finished before anything else is written there. */
  cutOff(held: readonly IndexRange[]): void {
    this.#held = held;
    if (this.#hold !== null) this.#is_cut = true;
  }

  /** The block above `number` names `hash` as its parent. */
  expect(number: number, hash: string): void {
    this.#parents.set(number, hash);
  }

  expectedOf(number: number): string | null {
    const above = number + 1;
    return this.#parents.get(number) ?? this.#quarantine.parentOf(above, this.#parents.get(above) ?? null);
  }

  /** The blocks of `wanted` to read now: not held, and in no resting gap. */
  missingOf(wanted: IndexRange): readonly IndexRange[] {
    return missingRanges(wanted, mergeRanges([...this.#held, ...this.#quarantine.resting]));
  }

  /** The held range that shares blocks with this one; null if this process does not fill there now. */
  holdOver({ from, to }: IndexRange): RangeHold | null {
    const hold = this.#hold;
    return hold !== null && hold.range.from <= to && from <= hold.range.to ? hold : null;
  }

  /** A segment was written. */
  wrote({ range, first_parent, rows }: FetchedBlocks): void {
    this.#parents.delete(range.to);
    this.#parents.set(range.from - 1, first_parent);
    this.#held = mergeRanges([...this.#held, range]);
    this.#segment_blocks = fittingBlocks(this.#segment_rows, { blocks: range.to - range.from + 1, rows: rows.count });
    this.#has_written = true;
  }

  /** Rows of some newer blocks, the only estimate before the first segment of the history. */
  sawNewer(blocks: number, rows: number): void {
    if (!this.#has_written) this.#segment_blocks = fittingBlocks(this.#segment_rows, { blocks, rows });
  }

  /**
   * Reads and writes one segment of the missing blocks of `wanted`. False if nothing is missing, or others fill
   * everything that is.
   * @throws AssayError RANGE_LOST (retryable) if another process may fill the range now; errors of the node and the
   * store
   */
  async step(wanted: IndexRange, signal: AbortSignal): Promise<boolean> {
    try {
      const hold = await this.#current(wanted, signal);
      if (hold === null) return false;
      const range = this.#ahead?.range ?? nextSegment(this.#missingIn(hold, wanted), this.#segment_blocks);
      if (range === null) return false;
      const fetched = await this.#read(hold, range);
      // A block of it is a recorded gap from now on.
      if (fetched === null) return true;
      this.#readAhead(hold, { wanted, current: range });
      this.#is_cut = true;
      const expected_hash = this.expectedOf(range.to);
      await writeSegment(hold.parts, fetched, { expected_hash, is_fresh: true, signal: hold.signal });
      this.#is_cut = false;
      this.wrote(fetched);
      return true;
    } catch (error) {
      this.#ahead = null;
      throw await this.#lossOf(error, signal);
    }
  }

  /** Null if a block of the range has just become a recorded gap. */
  async #read({ parts, signal }: RangeHold, range: IndexRange): Promise<FetchedBlocks | null> {
    const pending = this.#ahead?.fetched ?? readSegment(parts, range, signal);
    this.#ahead = null;
    try {
      return await pending;
    } catch (error) {
      if (await this.#quarantine.refused(error, { ...parts, signal, asked: range })) return null;
      throw error;
    }
  }

  /** Releases the held range. */
  async leave(): Promise<void> {
    const hold = this.#hold;
    this.#hold = null;
    this.#ahead = null;
    this.#is_cut = false;
    await hold?.release();
  }

  #missingIn({ range }: RangeHold, wanted: IndexRange): readonly IndexRange[] {
    return clipRanges(this.missingOf(wanted), range);
  }

  /** The held range while blocks of it are missing, or else the next one. */
  async #current(wanted: IndexRange, signal: AbortSignal): Promise<RangeHold | null> {
    await this.#quarantine.look();
    for (;;) {
      if (this.#hold !== null && (this.#is_cut || this.#hasDueSegment(this.#hold))) await this.#finish(this.#hold);
      if (this.#hold !== null && this.#missingIn(this.#hold, wanted).length > 0) return this.#hold;
      await this.leave();
      if (this.missingOf(wanted).length === 0) return null;
      this.#held = await this.#ranges.done();
      const missing = this.missingOf(wanted);
      this.#hold = missing.length === 0 ? null : await this.#ranges.take(missing, signal);
      if (this.#hold === null) return null;
      await this.#finish(this.#hold);
    }
  }

  /** A segment that any process has begun in the range comes first, with its own bounds. */
  async #finish({ parts, range, signal }: RangeHold): Promise<void> {
    this.#is_cut = true;
    await parts.store.open();
    const isOwn = (one: IndexRange) => range.from <= one.from && one.to <= range.to;
    await finishSegments(parts, { signal, isOwn, quarantine: this.#quarantine });
    this.#held = await this.#ranges.done();
    this.#is_cut = false;
  }

  #hasDueSegment({ range }: RangeHold): boolean {
    return clipRanges(this.#quarantine.due_segments, range).length > 0;
  }

  #readAhead(
    hold: RangeHold,
    { wanted, current }: { readonly wanted: IndexRange; readonly current: IndexRange },
  ): void {
    const written = mergeRanges([...this.#held, ...this.#quarantine.gaps, current]);
    const missing = clipRanges(missingRanges(wanted, written), hold.range);
    const range = nextSegment(missing, this.#segment_blocks);
    if (range === null) return;
    const fetched = readSegment(hold.parts, range, hold.signal);
    // A failure surfaces when the segment's turn comes; until then it must not count as unhandled.
    fetched.catch(() => undefined);
    this.#ahead = { range, fetched };
  }

  /** A lost range is left, and does not lose the network. */
  async #lossOf(error: unknown, signal: AbortSignal): Promise<unknown> {
    const is_refused = error instanceof AssayError && error.code === "LEASE_LOST";
    const hold = this.#hold;
    const is_lost = is_refused || (hold?.signal.aborted === true && !signal.aborted);
    if (!is_lost) return error;
    await this.leave();
    const blocks = hold === null ? "a range" : `blocks ${hold.range.from} to ${hold.range.to}`;
    const message = `${blocks}: another process may fill them now`;
    return new AssayError({ code: "RANGE_LOST", message, retryable: true, cause: error });
  }
}
