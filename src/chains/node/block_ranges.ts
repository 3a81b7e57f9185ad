/** Ranges of blocks: cut into requests that fit an endpoint, read in parallel, and joined by their parents. */
import { equalBytes } from "../../lib/bytes.ts";
import type { AssayError } from "../../lib/errors.ts";
import type { Block } from "../chain.ts";
import { BadAnswer } from "./answer.ts";

/** Parsing one answer of about this size takes some 5 ms, so that the process stays responsive. */
const ANSWER_BYTES_TARGET = 1_500_000;
const BLOCK_BYTES_FIRST_GUESS = 300_000;
/** Every block of a short range (the tail) is verified in depth. */
const THOROUGH_BLOCKS = 4;
/** A range read across a reorganisation does not join. Its loose ends are read again this many times. */
const JOINS_MAX = 3;

/**
 * Reads some blocks in order from one endpoint, verified and joined by their parents. `bytes` is the size of the
 * answers.
 */
export type ReadChunk = (
  numbers: readonly number[],
  how: { readonly thorough: boolean; readonly signal: AbortSignal },
) => Promise<{ readonly blocks: readonly Block[]; readonly bytes: number }>;

interface BlockRangesOptions {
  readonly read: ReadChunk;
  /** Upper bound of the requests in flight to all endpoints together. */
  readonly concurrency_max: () => number;
  /** Most blocks of one chunk. */
  readonly chunk_blocks_max?: number;
  readonly unavailable: (what: string, cause: unknown) => AssayError;
}

type ReadBlocks = (numbers: readonly number[]) => Promise<readonly Block[]>;

export class BlockRanges {
  readonly #parts: BlockRangesOptions;
  #bytes_per_block = BLOCK_BYTES_FIRST_GUESS;

  constructor(parts: BlockRangesOptions) {
    this.#parts = parts;
  }

  /** @throws AssayError UPSTREAM_UNAVAILABLE if any block of the range is unavailable or incomplete */
  async range(from: number, to: number, signal: AbortSignal): Promise<readonly Block[]> {
    if (to < from) return [];
    const thorough = to - from < THOROUGH_BLOCKS;
    // The first failure stops the other requests of the range.
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const read: ReadBlocks = async (numbers) => {
      const { blocks, bytes } = await this.#parts.read(numbers, { thorough, signal: both });
      this.#bytes_per_block = this.#bytes_per_block * 0.75 + (bytes / numbers.length) * 0.25;
      return blocks;
    };
    try {
      const chunks = await this.#pieces(from, to, read);
      return await this.#join(chunks, read);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  /** Chunks are cut while reading, because only reading shows how large blocks are. */
  async #pieces(from: number, to: number, read: ReadBlocks): Promise<(readonly Block[])[]> {
    const chunks: (readonly Block[])[] = [];
    let next = from;
    const worker = async (): Promise<void> => {
      while (next <= to) {
        const first = next;
        const count = Math.min(this.#chunkBlocks(), to - first + 1);
        next += count;
        const place = chunks.push([]) - 1;
        chunks[place] = await read(Array.from({ length: count }, (_, i) => first + i));
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#parts.concurrency_max(), to - from + 1) }, worker));
    return chunks;
  }

  async #join(chunks: (readonly Block[])[], read: ReadBlocks): Promise<readonly Block[]> {
    for (let round = 0; ; round += 1) {
      const broken = chunks.findIndex((chunk, i) => i > 0 && !follows(chunks[i - 1]?.at(-1), chunk[0]));
      if (broken === -1) return chunks.flat();
      if (round === JOINS_MAX) {
        const number = chunks[broken]?.[0]?.number ?? 0;
        throw this.#parts.unavailable("blocks", new BadAnswer(`block ${number} does not follow its parent`));
      }
      for (const place of [broken - 1, broken])
        chunks[place] = await read((chunks[place] ?? []).map((block) => block.number));
    }
  }

  #chunkBlocks(): number {
    const fitting = Math.floor(ANSWER_BYTES_TARGET / this.#bytes_per_block);
    return Math.max(1, Math.min(fitting, this.#parts.chunk_blocks_max ?? fitting));
  }
}

export const follows = (parent: Block | undefined, child: Block | undefined): boolean =>
  parent !== undefined &&
  child !== undefined &&
  equalBytes(parent.hash, child.parent_hash) &&
  child.time >= parent.time;
