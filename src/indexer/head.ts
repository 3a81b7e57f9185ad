import type { BlockRef } from "../chains/chain.ts";
import { AssayError } from "../lib/errors.ts";
import { type Fetched, fetchRange, forkFault } from "./fetch.ts";
import type { IndexerParts } from "./parts.ts";
import { bucketStart } from "./ranges.ts";

/** Blocks written to the head tables at once. */
const STEP_BLOCKS = 32;

type HeadRef = Fetched["refs"][number];

/**
 * The unfinalised tail. It is empty after a start (what an unclean end left is dropped first) and read again from the
 * node: it is short, and so it needs no durable writes.
 */
export class Head {
  readonly #parts: IndexerParts;
  #blocks: HeadRef[] = [];
  #start: number | null = null;
  /** From here on the tables may hold what `#blocks` does not say: to be dropped before anything is written. */
  #dirty: number | null = null;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /** First block of the tail: a multiple of 32 above everything final. Null before `open`. */
  get start(): number | null {
    return this.#start;
  }

  get tip(): HeadRef | null {
    return this.#blocks.at(-1) ?? null;
  }

  get first(): HeadRef | null {
    return this.#blocks[0] ?? null;
  }

  /** Null for a block that is not in the tail. */
  hashOf(number: number): HeadRef["hash"] | null {
    return this.#blocks.find((block) => block.number === number)?.hash ?? null;
  }

  async open(start: number): Promise<void> {
    this.#start = start;
    await this.#drop(0);
  }

  /** Follows the node towards `node_head`. Returns the number of blocks written; 0 = nothing new. */
  async step(node_head: BlockRef, signal: AbortSignal): Promise<number> {
    if (this.#start === null) throw new AssayError({ code: "BUG", message: "the head was not opened" });
    if (this.#dirty !== null) await this.#drop(this.#dirty);
    const tip = this.tip;
    if (tip !== null && node_head.number === tip.number && node_head.hash === tip.hash) return 0;
    if (tip !== null && (await this.#retreat(tip, node_head, signal))) return 0;
    const from = (this.tip?.number ?? this.#start - 1) + 1;
    const to = Math.min(node_head.number, from + STEP_BLOCKS - 1);
    if (to < from) return 0;
    const fetched = await fetchRange(this.#parts, { from, to }, signal);
    if (this.tip !== null && fetched.first_parent !== this.tip.hash) {
      await this.#reorganise(signal);
      return 0;
    }
    await this.#checkBelow(fetched);
    await this.#write(fetched, signal);
    return to - from + 1;
  }

  /** The first block of the tail must follow the newest final one. */
  async #checkBelow({ range, first_parent }: Fetched): Promise<void> {
    if (this.tip !== null || range.from === 0) return;
    const below = await this.#parts.store.finalBlock(range.from - 1);
    if (below !== null && below.hash !== first_parent) {
      throw forkFault(`block ${range.from} does not follow the stored final block ${range.from - 1}`);
    }
  }

  /** Blocks up to `to` are in the final tables now. */
  async promoted(to: number): Promise<void> {
    // First what is known, then what is dropped: partitions that stay are not read below the boundary, and go next time.
    this.#blocks = this.#blocks.filter(({ number }) => number > to);
    this.#start = to + 1;
    await this.#parts.store.dropPromoted(to);
  }

  /** The node's head is not above our tip: either the node lags (wait), or the tail was replaced. True = look again later. */
  async #retreat(tip: HeadRef, node_head: BlockRef, signal: AbortSignal): Promise<boolean> {
    if (node_head.number > tip.number) return false;
    const ours = this.#blocks.find(({ number }) => number === node_head.number);
    if (ours !== undefined && ours.hash === node_head.hash) return true;
    await this.#reorganise(signal);
    return true;
  }

  /** Finds the newest block that the node still has and drops the buckets from the first one that it has not. */
  async #reorganise(signal: AbortSignal): Promise<void> {
    let keep = this.#blocks.length;
    while (keep > 0) {
      const ours = this.#blocks[keep - 1];
      if (ours === undefined) break;
      const theirs = await this.#parts.chain.ref(ours.number, signal);
      if (theirs !== null && theirs.hash === ours.hash) break;
      keep -= 1;
    }
    const lost = this.#blocks[keep];
    if (lost === undefined) return; // the node returned to our blocks meanwhile
    this.#parts.log.warn(
      { network: this.#parts.chain.network.id, block: lost.number, blocks: this.#blocks.length - keep },
      "the tail was reorganised",
    );
    await this.#drop(lost.number);
  }

  async #drop(block: number): Promise<void> {
    const from = Math.max(bucketStart(block), block === 0 ? 0 : (this.#start ?? 0));
    this.#dirty = Math.min(this.#dirty ?? from, from);
    this.#blocks = this.#blocks.filter(({ number }) => number < from);
    await this.#parts.store.dropHead(this.#dirty);
    this.#dirty = null;
  }

  /** An insert whose outcome is not known may still be under way: `dropHead` ends it before the blocks are written again. */
  async #write(fetched: Fetched, signal: AbortSignal): Promise<void> {
    await this.#parts.enrich(fetched.range, fetched.news, signal);
    this.#dirty = bucketStart(fetched.range.from);
    await this.#parts.store.insertHead(fetched.rows);
    this.#blocks.push(...fetched.refs);
    this.#dirty = null;
  }
}
