import { AssayError } from "../lib/errors.ts";
import { TAIL_PART_BLOCKS } from "../store/writer.ts";
import type { FetchedBlocks } from "./fetch.ts";
import { RangeFiller } from "./filler.ts";
import type { Size } from "./head.ts";
import type { IndexerOptions, SegmentOptions } from "./options.ts";
import type { Quarantine } from "./quarantine.ts";
import { bucketStart, clipRanges, countBlocks, type IndexRange } from "./ranges.ts";
import { finishSegments, writeSegment } from "./segments.ts";

/** Fills the final tables, beside other processes that fill offered ranges, and writes blocks that leave the tail. */
export class Backfill {
  readonly #parts: IndexerOptions;
  readonly #filler: RangeFiller;
  readonly #quarantine: Quarantine;
  #wanted: IndexRange | null = null;
  /** This run has begun a segment outside of all ranges that is not done. */
  #is_cut = false;
  /** Others may write ranges of the network. */
  #is_shared = false;

  constructor(parts: IndexerOptions, quarantine: Quarantine) {
    this.#parts = parts;
    this.#quarantine = quarantine;
    this.#filler = new RangeFiller(parts.ranges, quarantine, parts.segment_rows);
  }

  /**
   * Finishes begun segments, and reads which ranges are done. Until a range is offered, no other process writes the
   * network.
   */
  async open(signal: AbortSignal): Promise<void> {
    const { store, ranges } = this.#parts;
    await store.open();
    if (this.#is_shared) {
      await this.#mustBeWhole();
      const offered = await ranges.offered();
      const isOwn = (one: IndexRange) => clipRanges(offered, one).length === 0;
      await finishSegments(this.#parts, { signal, isOwn, quarantine: this.#quarantine });
    } else await this.#mend(signal);
    this.#filler.saw(await ranges.done());
    this.#is_cut = false;
  }

  /**
   * The first block above everything that is written, or that others may write: it was final once, and a node that lags
   * makes no tail of it. Whole parts of the tail.
   */
  async firstAbove(): Promise<number> {
    const offered = (await this.#parts.ranges.offered()).at(-1)?.to ?? -1;
    const above = bucketStart(offered + TAIL_PART_BLOCKS);
    return Math.max(above, (this.held.at(-1)?.to ?? -1) + 1);
  }

  /** Lets other processes fill what is missing. */
  async share(): Promise<void> {
    // Set first, because the outcome of a failed offer is unknown.
    this.#is_shared = true;
    await this.#parts.ranges.offer(this.missing);
  }

  /** Finishes a segment whose writing has failed: with its own bounds, before anything else is written. */
  async finish(signal: AbortSignal): Promise<void> {
    if (this.#is_cut || this.#quarantine.due_segments.length > 0) await this.open(signal);
  }

  /** Blocks that the final tables shall hold; null for none yet. */
  want(range: IndexRange | null): void {
    this.#wanted = range;
  }

  /** Most blocks of a segment, from the size of the last one. */
  get segment_blocks(): number {
    return this.#filler.segment_blocks;
  }

  get held(): readonly IndexRange[] {
    return this.#filler.held;
  }

  /** The range that this process fills now. */
  get range(): IndexRange | null {
    return this.#filler.range;
  }

  /** Size of the written tail, from which the rows per block are estimated before any history is known. */
  sawTail({ blocks, rows }: Size): void {
    this.#filler.sawNewer(blocks, rows);
  }

  /** The block above `number` names `hash` as its parent. */
  expect(number: number, hash: string): void {
    this.#filler.expect(number, hash);
  }

  get missing(): readonly IndexRange[] {
    return this.#wanted === null ? [] : this.#filler.missingOf(this.#wanted);
  }

  get remaining_blocks(): number {
    return countBlocks(this.missing);
  }

  /** Writes one segment. Returns how many blocks fewer are missing: others write too. */
  async step(signal: AbortSignal): Promise<number> {
    if (this.#wanted === null) return 0;
    const before = this.remaining_blocks;
    await this.#filler.step(this.#wanted, signal);
    return before - this.remaining_blocks;
  }

  /** Writes blocks that leave the tail, above all offered ranges. */
  async write(fetched: FetchedBlocks, signal: AbortSignal): Promise<void> {
    this.#is_cut = true;
    const expected_hash = this.#filler.expectedOf(fetched.range.to);
    await writeSegment(this.#parts, fetched, { expected_hash, is_fresh: true, signal });
    this.#is_cut = false;
    this.#filler.wrote(fetched);
  }

  /**
   * Runs `work` on a done segment as the only process that may write there. Returns null if another process fills that
   * range now. An interrupted segment is finished before anything else is written there.
   */
  async rewrite(
    range: IndexRange,
    signal: AbortSignal,
    work: (parts: SegmentOptions) => Promise<void>,
  ): Promise<true | null> {
    const { ranges } = this.#parts;
    const held = this.#filler.holdOver(range);
    const is_offered = clipRanges(await ranges.offered(), range).length > 0;
    const taken = held === null && is_offered ? await ranges.take([range], signal) : null;
    if (held === null && is_offered && taken === null) return null;
    const parts = (held ?? taken)?.parts ?? this.#parts;
    try {
      if (taken !== null) await parts.store.open();
      await work(parts);
      return true;
    } catch (error) {
      // If the range has a holder, its begun segment now counts as missing, and the next holder finishes it.
      if (held === null && taken === null) this.#is_cut = true;
      else this.#filler.cutOff(await ranges.done());
      throw error;
    } finally {
      await taken?.release();
    }
  }

  /** Releases the held range. */
  close(): Promise<void> {
    return this.#filler.leave();
  }

  async #mend(signal: AbortSignal): Promise<void> {
    const mending = await this.#parts.store.mendLostParts(signal);
    if (mending !== null) {
      const { network } = this.#parts.chain;
      const parts = mending.parts.map(({ table, name }) => `${table}/${name}`);
      const { taken_back } = mending;
      this.#parts.log.warn({ network: network.id, parts, taken_back }, "damaged parts of the facts are written again");
    }
    await finishSegments(this.#parts, { signal, isOwn: () => true, quarantine: this.#quarantine });
    await mending?.finish();
  }

  /** Only the network's sole writer repairs the damage of lost parts. */
  async #mustBeWhole(): Promise<void> {
    if (!(await this.#parts.store.hasLostParts())) return;
    const { id } = this.#parts.chain.network;
    const message = `${id}: parts of the facts are damaged; Assay reopens the network to write them again`;
    throw new AssayError({ code: "LEASE_LOST", message, retryable: true });
  }
}
