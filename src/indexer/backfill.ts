import type { Fetched } from "./fetch.ts";
import type { IndexerParts } from "./parts.ts";
import { countBlocks, mergeRanges, missingRanges, nextSegment, type Range } from "./ranges.ts";
import { doneRanges, finishBegun, readSegment, writeSegment } from "./segments.ts";

/** A segment aims at this many rows: large enough for the engine, small enough for memory. */
const SEGMENT_ROWS = 150_000;
const SEGMENT_BLOCKS_MIN = 16;
const SEGMENT_BLOCKS_MAX = 4_096;
const SEGMENT_BLOCKS_FIRST = 64;

/** Fills the final tables from the newest missing block backwards, reading one segment ahead of the writing. */
export class Backfill {
  readonly #parts: IndexerParts;
  #held: Range[] = [];
  #wanted: Range | null = null;
  #segment_blocks = SEGMENT_BLOCKS_FIRST;
  /** A segment was begun by this run and is not done. */
  #is_cut = false;
  #ahead: { range: Range; fetched: Promise<Fetched> } | null = null;
  /** Parent hash of the lowest block above a gap, by the number of the block it names. */
  readonly #parents = new Map<number, string>();

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /** Finishes what was begun, and learns what is held. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#parts.store.open();
    const mending = await this.#parts.store.mendLostParts(signal);
    if (mending !== null) {
      const { network } = this.#parts.chain;
      const parts = mending.parts.map(({ table, name }) => `${table}/${name}`);
      const { taken_back } = mending;
      this.#parts.log.warn({ network: network.id, parts, taken_back }, "damaged parts of the facts are written again");
    }
    await finishBegun(this.#parts, signal);
    await mending?.finish();
    this.#held = doneRanges(await this.#parts.store.segments());
    this.#is_cut = false;
  }

  /** Finishes a segment whose writing has failed: with its own bounds, before anything else is written. */
  async finish(signal: AbortSignal): Promise<void> {
    if (this.#is_cut) await this.open(signal);
  }

  /** Blocks that the final tables shall hold; null for none yet. */
  want(range: Range | null): void {
    this.#wanted = range;
  }

  /** Blocks that a segment may have, as far as the last one told. */
  get segment_blocks(): number {
    return this.#segment_blocks;
  }

  get held(): readonly Range[] {
    return this.#held;
  }

  /** The block above `number` names `hash` as its parent. */
  expect(number: number, hash: string): void {
    this.#parents.set(number, hash);
  }

  get missing(): readonly Range[] {
    return this.#wanted === null ? [] : missingRanges(this.#wanted, this.#held);
  }

  get remaining_blocks(): number {
    return countBlocks(this.missing);
  }

  /** Reads and writes one segment. False when nothing is missing. Returns the blocks written. */
  async step(signal: AbortSignal): Promise<number> {
    const range = this.#ahead?.range ?? nextSegment(this.missing, this.#segment_blocks);
    if (range === null) return 0;
    const pending = this.#ahead?.fetched ?? readSegment(this.#parts, range, signal);
    this.#ahead = null;
    const fetched = await pending;
    this.#readAhead(range, signal);
    await this.write(fetched, signal);
    return range.to - range.from + 1;
  }

  /** Writes a segment that was read, and remembers what it says of the block below. */
  async write(fetched: Fetched, signal: AbortSignal): Promise<void> {
    const { range, first_parent, rows } = fetched;
    this.#is_cut = true;
    const expected_hash = this.#parents.get(range.to) ?? null;
    await writeSegment(this.#parts, fetched, { expected_hash, is_fresh: true, signal });
    this.#is_cut = false;
    this.#parents.delete(range.to);
    this.#parents.set(range.from - 1, first_parent);
    this.#held = mergeRanges([...this.#held, range]);
    const blocks = range.to - range.from + 1;
    // Sizes are powers of two (`nextSegment`): the nearest one, not the next smaller one.
    const fitting = Math.round((Math.SQRT2 * SEGMENT_ROWS * blocks) / Math.max(1, rows.count));
    this.#segment_blocks = Math.max(SEGMENT_BLOCKS_MIN, Math.min(SEGMENT_BLOCKS_MAX, fitting, blocks * 4));
  }

  #readAhead(current: Range, signal: AbortSignal): void {
    const missing = this.#wanted === null ? [] : missingRanges(this.#wanted, mergeRanges([...this.#held, current]));
    const range = nextSegment(missing, this.#segment_blocks);
    if (range === null) return;
    const fetched = readSegment(this.#parts, range, signal);
    // A failure is met when the segment's turn comes; until then it must not count as unhandled.
    fetched.catch(() => undefined);
    this.#ahead = { range, fetched };
  }

  /** Forgets what was read ahead (after a failure, or when the wanted range changed under it). */
  reset(): void {
    this.#ahead = null;
  }
}
