/** The rows of the unfinalised tail on a network that is read on demand: single blocks of followed addresses. */
import type { BlockRef } from "../../chains/chain.ts";
import { allEnded } from "../../lib/all_ended.ts";
import { leastVerified } from "../../lib/verified.ts";
import type { SubjectHead } from "../../store/subjects/records.ts";
import { bucketStart, mergeRanges } from "../ranges.ts";
import type { SubjectOptions } from "./subject_history.ts";
import { readBatch } from "./write_batch.ts";

type ReadBlock = Awaited<ReturnType<typeof readBatch>>["refs"][number];

export class TailBlocks {
  readonly #parts: SubjectOptions;
  readonly #blocks = new Map<number, ReadBlock>();
  /** From here on the tables may hold rows that `#blocks` does not list: they are dropped before anything is written. */
  #dirty: number | null = 0;

  constructor(parts: SubjectOptions) {
    this.#parts = parts;
  }

  /** Nothing is known of what the tables hold. */
  async clear(): Promise<void> {
    await this.#drop(0);
  }

  has(number: number): boolean {
    return this.#blocks.has(number);
  }

  /** The part of a record about these blocks; null if one of them is not in the tail. */
  describe(numbers: readonly number[]): Pick<SubjectHead, "blocks" | "verified" | "untraced"> | null {
    const known = numbers.flatMap((number) => this.#blocks.get(number) ?? []);
    if (known.length < numbers.length) return null;
    const untraced = known.filter(({ has_traces }) => !has_traces).map(({ number }) => ({ from: number, to: number }));
    return {
      blocks: known.map(({ number, hash }) => [number, hash] as const),
      verified: leastVerified(known.map(({ verified }) => verified)),
      untraced: mergeRanges(untraced).map(({ from, to }) => [from, to] as const),
    };
  }

  /** Reads, verifies and shows these blocks (ascending); those that it has already are left out. */
  async write(numbers: readonly number[], signal: AbortSignal): Promise<void> {
    const { enrich, store } = this.#parts;
    if (this.#dirty !== null) await this.#drop(this.#dirty);
    const blocks = numbers.filter((number) => !this.#blocks.has(number));
    const [from, to] = [blocks[0], blocks.at(-1)];
    if (from === undefined || to === undefined) return;
    const { rows, news, refs } = await readBatch(this.#parts, blocks, signal);
    this.#dirty = bucketStart(from);
    await allEnded([store.insertHead(rows), enrich({ from, to }, news, signal)]);
    await store.showHead(rows);
    for (const ref of refs) this.#blocks.set(ref.number, ref);
    this.#dirty = null;
  }

  /** Drops the tail from the first of these blocks on of which the node has another one. True if there is one. */
  async compare(numbers: readonly number[], signal: AbortSignal): Promise<boolean> {
    for (const number of numbers) {
      const theirs = await this.#parts.chain.ref(number, signal);
      // A node that does not have the block proves nothing: it may be some blocks behind.
      if (theirs === null || theirs.hash === this.#blocks.get(number)?.hash) continue;
      await this.#drop(number);
      return true;
    }
    return false;
  }

  /** Whether the node has another block there, as far as it knows: itself, or a block of the tail below it. */
  async isReplaced({ number, hash }: Pick<SubjectHead, "number" | "hash">, node_head: BlockRef, signal: AbortSignal) {
    if (node_head.number === number) return node_head.hash !== hash;
    if (node_head.parent_hash === hash) return false;
    const theirs = await this.#parts.chain.ref(number, signal);
    if (theirs !== null) return theirs.hash !== hash;
    const below = [...this.#blocks.keys()].filter((at) => at <= node_head.number).reduce((a, b) => Math.max(a, b), -1);
    const known = below < 0 ? null : await this.#parts.chain.ref(below, signal);
    return known !== null && known.hash !== this.#blocks.get(below)?.hash;
  }

  /** Blocks, ascending. */
  get numbers(): readonly number[] {
    return [...this.#blocks.keys()].sort((a, b) => a - b);
  }

  /** No record needs blocks up to this one any more: whole parts of them are dropped. */
  async promoted(to: number): Promise<void> {
    const end = bucketStart(to + 1) - 1;
    const gone = [...this.#blocks.keys()].filter((number) => number <= end);
    if (gone.length === 0) return;
    for (const number of gone) this.#blocks.delete(number);
    await this.#parts.store.dropPromoted(end);
  }

  async #drop(block: number): Promise<void> {
    const from = Math.min(bucketStart(block), this.#dirty ?? Number.POSITIVE_INFINITY);
    this.#dirty = from;
    for (const number of this.#blocks.keys()) if (number >= from) this.#blocks.delete(number);
    await this.#parts.store.dropHead(from);
    this.#dirty = null;
  }
}
