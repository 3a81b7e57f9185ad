import type { BlockRef } from "../chains/chain.ts";
import { blockOf } from "../chains/node/refused_block.ts";
import { allEnded } from "../lib/all_ended.ts";
import { AssayError } from "../lib/errors.ts";
import { type FetchedBlocks, fetchRange, forkFault } from "./fetch.ts";
import type { IndexerOptions, SegmentOptions } from "./options.ts";
import type { Quarantine } from "./quarantine.ts";
import { bucketStart, type IndexRange } from "./ranges.ts";

/** Blocks written to the head tables at once. */
const STEP_BLOCKS = 32;

/**
 * How often dropped blocks may return: a chain may return to a branch, and nodes on two branches alternate for ever.
 */
const RETURNS_MAX = 3;
/** Polling intervals without a reorganisation after which the chain counts as stable again. */
const QUIET_POLLS = 100;

type HeadOptions = SegmentOptions & Pick<IndexerOptions, "now" | "poll_ms">;
type HeadRef = FetchedBlocks["refs"][number];

/** Some blocks, and their rows in all tables. */
export interface Size {
  readonly blocks: number;
  readonly rows: number;
}

/**
 * The unfinalised tail. It is empty after a start (the rest of an unclean end is dropped first) and read again from the
 * node: it is short, and so it needs no durable writes.
 */
export class Head {
  readonly #parts: HeadOptions;
  readonly #quarantine: Quarantine;
  #blocks: HeadRef[] = [];
  #start: number | null = null;
  /**
   * From here on the tables may hold rows that `#blocks` does not list: they are dropped before anything is written.
   */
  #dirty: number | null = null;
  /** Follows the tip. Its rows are in the tables and no block row shows them yet: a node has yet to return the rest. */
  #unshown: FetchedBlocks | null = null;
  #newest: Size | null = null;
  /** Hashes dropped since the tail was last stable, how often some returned, and when blocks were last dropped. */
  readonly #taken_back = new Set<HeadRef["hash"]>();
  #returns = 0;
  #taken_back_at = 0;

  constructor(parts: HeadOptions, quarantine: Quarantine) {
    this.#parts = parts;
    this.#quarantine = quarantine;
  }

  /** First block of the tail: a multiple of 32 above everything final. Null before `open`. */
  get start(): number | null {
    return this.#start;
  }

  /** Size of the last write; null = nothing yet. */
  get newest(): Size | null {
    return this.#newest;
  }

  get tip(): HeadRef | null {
    return this.#blocks.at(-1) ?? null;
  }

  /** Why the tail is written and dropped again and again; null if it is not. */
  dispute(): string | null {
    if (this.#taken_back.size === 0) return null;
    if (this.#parts.now() > this.#taken_back_at + QUIET_POLLS * this.#parts.poll_ms) {
      this.#taken_back.clear();
      this.#returns = 0;
    }
    return this.#returns < RETURNS_MAX
      ? null
      : `blocks near the head are dropped and return (${this.#returns} times): the nodes are on two branches`;
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
    if (this.#unshown !== null) return this.#finish(this.#unshown, node_head, signal);
    await this.#askAgain(signal);
    const tip = this.tip;
    if (tip !== null && node_head.number === tip.number && node_head.hash === tip.hash) return 0;
    if (tip !== null && (await this.#retreat(tip, node_head, signal))) return 0;
    const range = this.#nextRange((this.tip?.number ?? this.#start - 1) + 1, node_head.number);
    const fetched = range === null ? null : await this.#fetch(range, signal);
    if (fetched === null) return 0;
    if (!(await this.#isJoined(fetched, signal))) {
      await this.#reorganise(signal);
      return 0;
    }
    await this.#checkBelow(fetched);
    await this.#write(fetched, signal);
    await this.#quarantine.close(this.#quarantine.within(fetched.range), this.#parts.store);
    return fetched.refs.length;
  }

  /**
   * The next blocks from `first` on, up to a resting recorded gap; such gaps at the start are skipped. Null if there
   * are no blocks yet.
   */
  #nextRange(first: number, newest: number): IndexRange | null {
    let from = first;
    let to = Math.min(newest, from + STEP_BLOCKS - 1);
    for (const gap of this.#quarantine.resting) {
      if (gap.from <= from && from <= gap.to) {
        from = gap.to + 1;
        to = Math.min(newest, from + STEP_BLOCKS - 1);
      } else if (from < gap.from && gap.from <= to) to = gap.from - 1;
    }
    return to < from ? null : { from, to };
  }

  /**
   * The blocks of the range, or those below one that is missing or rejected: a node may name a head before it has the
   * block. Null if the first block of the range has just become a recorded gap.
   */
  async #fetch(range: IndexRange, signal: AbortSignal): Promise<FetchedBlocks | null> {
    try {
      return await fetchRange(this.#parts, range, signal);
    } catch (error) {
      const block = blockOf(error);
      if (block !== null && range.from < block && block <= range.to) {
        return this.#fetch({ from: range.from, to: block - 1 }, signal);
      }
      if (await this.#quarantine.refused(error, { ...this.#parts, signal, asked: range })) return null;
      throw error;
    }
  }

  /** Retries recorded gaps of the tail that are due: once a block is available, it is read with the blocks above it. */
  async #askAgain(signal: AbortSignal): Promise<void> {
    await this.#quarantine.look();
    const { chain, store } = this.#parts;
    const isOfTail = ({ from_block }: { readonly from_block: number }) =>
      from_block >= (this.#start ?? 0) && from_block < (this.tip?.number ?? 0);
    for (const gap of this.#quarantine.due.filter(isOfTail)) {
      const asked = { from: gap.from_block, to: gap.to_block };
      try {
        await chain.blocks(asked.from, asked.to, signal);
      } catch (error) {
        if (await this.#quarantine.refused(error, { ...this.#parts, signal, asked })) continue;
        throw error;
      }
      await this.#drop(asked.from);
      await this.#quarantine.close([gap], store);
    }
  }

  /**
   * Whether the read blocks follow the tip; across a recorded gap by the header of its block, if the node serves it.
   */
  async #isJoined({ range, first_parent }: FetchedBlocks, signal: AbortSignal): Promise<boolean> {
    const tip = this.tip;
    if (tip === null) return true;
    if (range.from === tip.number + 1) return first_parent === tip.hash;
    const below = await this.#parts.chain.ref(range.from - 1, signal);
    if (below === null) return true;
    if (below.hash !== first_parent)
      throw forkFault(`block ${range.from} does not follow block ${below.number} of the node`);
    return range.from > tip.number + 2 || below.parent_hash === tip.hash;
  }

  /** The first block of the tail must follow the newest final one. */
  async #checkBelow({ range, first_parent }: FetchedBlocks): Promise<void> {
    if (this.tip !== null || range.from === 0) return;
    const below = await this.#parts.store.finalBlock(range.from - 1);
    if (below !== null && below.hash !== first_parent) {
      throw forkFault(`block ${range.from} does not follow the stored final block ${range.from - 1}`);
    }
  }

  /** Blocks up to `to` are in the final tables now. */
  async promoted(to: number): Promise<void> {
    // Memory first, then the tables: partitions that remain are not read below the boundary, and go next time.
    this.#blocks = this.#blocks.filter(({ number }) => number > to);
    this.#start = to + 1;
    await this.#parts.store.dropPromoted(to);
  }

  /**
   * The node's head is not above our tip: either the node lags (wait), or the tail was replaced. True = look again
   * later.
   */
  async #retreat(tip: HeadRef, node_head: BlockRef, signal: AbortSignal): Promise<boolean> {
    if (node_head.number > tip.number) return false;
    const ours = this.#blocks.find(({ number }) => number === node_head.number);
    if (ours !== undefined && ours.hash === node_head.hash) return true;
    await this.#reorganise(signal);
    return true;
  }

  /**
   * Drops the buckets from the lowest block on for which the node has another one. A block that the node does not have
   * at all proves nothing: a node behind a load balancer may be some blocks behind.
   */
  async #reorganise(signal: AbortSignal): Promise<void> {
    let lost: HeadRef | null = null;
    for (const ours of this.#blocks.toReversed()) {
      const theirs = await this.#parts.chain.ref(ours.number, signal);
      if (theirs?.hash === ours.hash) break;
      if (theirs !== null) lost = ours;
    }
    if (lost === null) return; // The node returned to our blocks meanwhile, or is behind them.
    const keep = this.#blocks.indexOf(lost);
    this.#parts.log.warn(
      { network: this.#parts.chain.network.id, block: lost.number, blocks: this.#blocks.length - keep },
      "the tail was reorganised",
    );
    if (this.#parts.counts !== undefined) this.#parts.counts.reorganisations += 1;
    for (const { hash } of this.#blocks.slice(keep)) this.#taken_back.add(hash);
    this.#taken_back_at = this.#parts.now();
    await this.#drop(lost.number);
  }

  async #drop(block: number): Promise<void> {
    const from = Math.max(bucketStart(block), block === 0 ? 0 : (this.#start ?? 0));
    this.#dirty = Math.min(this.#dirty ?? from, from);
    this.#blocks = this.#blocks.filter(({ number }) => number < from);
    this.#unshown = null; // above every block that is kept
    await this.#parts.store.dropHead(this.#dirty);
    this.#dirty = null;
  }

  /**
   * Completes the rows with the node's answers while they are written; block rows, which show them, come after both. An
   * insert with an unknown outcome may still be running: `dropHead` ends it before the blocks are written again.
   */
  async #write(fetched: FetchedBlocks, signal: AbortSignal): Promise<void> {
    const { enrich, store } = this.#parts;
    const asked = enrich(fetched.range, fetched.news, signal);
    this.#dirty = bucketStart(fetched.range.from);
    await allEnded([store.insertHead(fetched.rows), asked.catch(() => undefined)]);
    this.#dirty = null;
    this.#unshown = fetched;
    await asked;
    await this.#show(fetched);
  }

  /**
   * Queries the node once more for the missing answers, without dropping shown blocks. Returns the number of blocks
   * shown.
   */
  async #finish(fetched: FetchedBlocks, node_head: BlockRef, signal: AbortSignal): Promise<number> {
    const { from, to } = fetched.range;
    const theirs = await this.#parts.chain.ref(to, signal);
    if (theirs === null && this.tip !== null) {
      await this.#retreat(this.tip, node_head, signal);
      return 0;
    }
    if (theirs?.hash !== fetched.last_hash) {
      await this.#drop(from);
      return 0;
    }
    await this.#parts.enrich(fetched.range, fetched.news, signal);
    await this.#show(fetched);
    return to - from + 1;
  }

  async #show({ range, rows, refs }: FetchedBlocks): Promise<void> {
    this.#dirty = bucketStart(range.from);
    await this.#parts.store.showHead(rows);
    this.#blocks.push(...refs);
    this.#newest = { blocks: refs.length, rows: rows.count };
    this.#unshown = null;
    this.#dirty = null;
    if (refs.some(({ hash }) => this.#taken_back.has(hash))) this.#returns += 1;
  }
}
