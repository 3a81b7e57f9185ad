import { TAIL_PART_BLOCKS } from "../store/writer.ts";
import type { Backfill } from "./backfill.ts";
import { type FetchedBlocks, forkFault } from "./fetch.ts";
import type { Head } from "./head.ts";
import type { IndexerOptions } from "./options.ts";
import type { Quarantine } from "./quarantine.ts";
import { bucketStart, clipRanges, type IndexRange, nextPromotion } from "./ranges.ts";
import { readSegment } from "./segments.ts";

interface PromotionTarget {
  readonly head: Head;
  readonly backfill: Backfill;
  readonly quarantine: Quarantine;
  /** Oldest block that this run writes. */
  readonly oldest: () => number;
}

/** Moves blocks that have become final from the tail to the final tables. */
export class Promotion {
  readonly #parts: IndexerOptions;
  readonly #of: PromotionTarget;

  constructor(parts: IndexerOptions, of: PromotionTarget) {
    this.#parts = parts;
    this.#of = of;
  }

  /**
   * Moves the oldest buckets of the tail that have become final to the final tables. Returns the number of blocks
   * moved.
   */
  async step(signal: AbortSignal): Promise<number> {
    const start = this.#of.head.start;
    const tip = this.#of.head.tip;
    if (start === null || tip === null || tip.number < start + TAIL_PART_BLOCKS - 1) return 0;
    const final = Math.min(await this.#parts.chain.finalized(signal), tip.number);
    const ripe = bucketStart(final + 1) - 1;
    if (ripe < start) return 0;
    const promotion = nextPromotion({ from: start, to: ripe }, this.#of.backfill.segment_blocks);
    const [gap] = clipRanges(this.#of.quarantine.gaps, promotion);
    if (gap?.from === start) return this.#passGap(gap);
    const to = gap === undefined ? promotion.to : gap.from - 1;
    const fetched = await this.#readPromoted({ from: start, to }, signal);
    if (fetched === null) return 0;
    // Endpoints may be on different branches: a block becomes final only if it is the parent of the tail above it.
    if (fetched.last_hash !== this.#of.head.hashOf(to)) {
      throw forkFault(`block ${to} became final, but is not the block that the tail follows`);
    }
    await this.#of.backfill.write(fetched, signal);
    await this.#of.head.promoted(to);
    this.#of.backfill.want({ from: this.#of.oldest(), to });
    return to - start + 1;
  }

  /** A recorded gap that has become final is history to be retried. Counts as work: blocks above may be final too. */
  async #passGap({ from, to }: IndexRange): Promise<number> {
    await this.#of.head.promoted(to);
    this.#of.backfill.want({ from: this.#of.oldest(), to });
    return to - from + 1;
  }

  /** Null if a block of the range has just become a recorded gap. */
  async #readPromoted(range: IndexRange, signal: AbortSignal): Promise<FetchedBlocks | null> {
    try {
      return await readSegment(this.#parts, range, signal);
    } catch (error) {
      if (await this.#of.quarantine.refused(error, { ...this.#parts, signal, asked: range })) return null;
      throw error;
    }
  }
}
