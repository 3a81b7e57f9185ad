import { allEnded } from "../lib/all_ended.ts";
import { type Hex, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { leastVerified, type VerificationLevel } from "../lib/verified.ts";
import { type EncodedRows, joinEncoded, newsOf } from "./encoded.ts";
import { massTransfersOf } from "./mass_transfers.ts";
import type { SegmentOptions } from "./options.ts";
import { type IndexRange, mergeRanges } from "./ranges.ts";
import { type BlockRows, emptyRows, joinRows } from "./rows.ts";

/**
 * Number of pieces of a range, read a few at a time: only a part of a segment is in memory as text and objects
 * (docs/design/exactly_once.md).
 */
const CHUNKS = 8;
const CHUNK_BLOCKS_MIN = 16;
const CHUNK_BLOCKS_MAX = 24;
const CONCURRENT_CHUNKS = 4;

/** A verified, decoded run of blocks. */
export interface FetchedBlocks {
  readonly range: IndexRange;
  readonly first_parent: Hex;
  readonly last_hash: Hex;
  readonly refs: readonly {
    readonly number: number;
    readonly hash: Hex;
    readonly parent_hash: Hex;
    readonly time: number;
  }[];
  /** Blocks whose inner calls are unknown, ascending. */
  readonly untraced: readonly IndexRange[];
  readonly verified: VerificationLevel;
  readonly rows: EncodedRows;
  /** The rows that `Enrich` needs. */
  readonly news: BlockRows;
}

export const forkFault = (message: string): AssayError =>
  new AssayError({ code: "FORK", message, public: "The chain is being reorganised.", retryable: true });

/** Decoded blocks of a run. */
export type Chunk = Pick<FetchedBlocks, "refs" | "untraced" | "verified" | "rows" | "news">;

const chunksOf = ({ from, to }: IndexRange): IndexRange[] => {
  const chunks: IndexRange[] = [];
  const fitting = Math.ceil((to - from + 1) / CHUNKS);
  const size = Math.max(CHUNK_BLOCKS_MIN, Math.min(CHUNK_BLOCKS_MAX, fitting));
  for (let at = from; at <= to; at += size) chunks.push({ from: at, to: Math.min(at + size - 1, to) });
  return chunks;
};

type FetchOptions = Pick<SegmentOptions, "chain" | "store" | "decode" | "complete" | "openings">;

/** Ranges of one indexer whose chunks are kept after a failure: a segment, the next one, and the tail. */
const KEPT_RANGES_MAX = 3;

/** Chunks of ranges that failed, by the indexer's own decoder; the range that failed last is the last entry. */
const kept = new WeakMap<FetchOptions["decode"], Map<string, (Chunk | undefined)[]>>();

const keyOf = ({ from, to }: IndexRange): string => `${from}-${to}`;

/** The chunks that an earlier read of the same range has left. */
const takeCached = ({ decode }: FetchOptions, range: IndexRange): (Chunk | undefined)[] => {
  const ranges = kept.get(decode);
  const chunks = ranges?.get(keyOf(range)) ?? [];
  ranges?.delete(keyOf(range));
  return chunks;
};

const cacheChunks = ({ decode }: FetchOptions, range: IndexRange, chunks: (Chunk | undefined)[]): void => {
  const ranges = kept.get(decode) ?? new Map<string, (Chunk | undefined)[]>();
  kept.set(decode, ranges);
  ranges.set(keyOf(range), chunks);
  for (const oldest of ranges.keys()) if (ranges.size > KEPT_RANGES_MAX) ranges.delete(oldest);
};

/** Reads and decodes one or several runs of blocks. */
export const readChunk = async (
  { chain, store, decode, complete, openings }: FetchOptions,
  runs: readonly IndexRange[],
  signal: AbortSignal,
): Promise<Chunk> => {
  const blocks = (await allEnded(runs.map(({ from, to }) => chain.blocks(from, to, signal)))).flat();
  const rows = emptyRows();
  for (const block of blocks) joinRows(rows, decode(block));
  await complete(rows, signal);
  rows.mass_transfers.push(...massTransfersOf(rows.transfers));
  const refs = blocks.map((block) => ({
    number: block.number,
    hash: toHex(block.hash),
    parent_hash: toHex(block.parent_hash),
    time: block.time,
  }));
  const untraced = blocks.filter(({ has_traces }) => !has_traces).map(({ number }) => ({ from: number, to: number }));
  const verified = leastVerified(blocks.map((block) => block.verified));
  return { refs, rows: store.encode(rows), news: newsOf(rows, openings), untraced: mergeRanges(untraced), verified };
};

/**
 * Reads and decodes a range, several chunks at once, and checks that the chunks are one chain. If some chunks are
 * unavailable, the others are kept: the next read of the same range requests only the missing ones.
 */
export const fetchRange = async (
  parts: FetchOptions,
  range: IndexRange,
  signal: AbortSignal,
): Promise<FetchedBlocks> => {
  const chunks = chunksOf(range);
  const read = takeCached(parts, range);
  let next = 0;
  let has_failed = false;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < chunks.length && !has_failed; at = next++) {
      const chunk = chunks[at];
      if (chunk === undefined) return;
      try {
        read[at] ??= await readChunk(parts, [chunk], signal);
      } catch (error) {
        has_failed = true;
        throw error;
      }
    }
  };
  try {
    await allEnded(Array.from({ length: Math.min(CONCURRENT_CHUNKS, chunks.length) }, worker));
  } catch (error) {
    if (!signal.aborted) cacheChunks(parts, range, read);
    throw error;
  }
  // If the chunks do not join, none is kept and all are read again.
  return joinChunks(
    range,
    read.flatMap((chunk) => chunk ?? []),
  );
};

const joinChunks = (range: IndexRange, chunks: readonly Chunk[]): FetchedBlocks => {
  const refs = chunks.flatMap((chunk) => chunk.refs);
  for (const [i, ref] of refs.entries()) {
    const before = refs[i - 1];
    if (ref.number !== range.from + i) throw forkFault(`block ${range.from + i} was requested and ${ref.number} came`);
    if (before !== undefined && before.hash !== ref.parent_hash) {
      throw forkFault(`block ${ref.number} does not follow the block ${before.number} that was read`);
    }
  }
  const first = refs[0];
  const last = refs.at(-1);
  if (first === undefined || last === undefined || last.number !== range.to) {
    throw forkFault(`blocks ${range.from} to ${range.to} were requested and ${refs.length} came`);
  }
  const news = emptyRows();
  for (const chunk of chunks) joinRows(news, chunk.news);
  return {
    range,
    refs,
    rows: joinEncoded(chunks.map((chunk) => chunk.rows)),
    news,
    first_parent: first.parent_hash,
    last_hash: last.hash,
    untraced: mergeRanges(chunks.flatMap((chunk) => chunk.untraced)),
    verified: leastVerified(chunks.map((chunk) => chunk.verified)),
  };
};
