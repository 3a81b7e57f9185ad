import { type Hex, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { leastVerified, type Verified } from "../lib/verified.ts";
import { type EncodedRows, joinEncoded, newsOf } from "./encoded.ts";
import { massTransfersOf } from "./mass_transfers.ts";
import type { SegmentParts } from "./parts.ts";
import type { Range } from "./ranges.ts";
import { type BlockRows, emptyRows, joinRows } from "./rows.ts";

/** A range is read in so many pieces, some at once: what is held as text and objects is a part of a segment (docs/decisions/0059). */
const CHUNKS = 8;
const CHUNK_BLOCKS_MIN = 16;
const CHUNK_BLOCKS_MAX = 24;
const CONCURRENT_CHUNKS = 4;

/** A verified, decoded run of blocks. */
export interface Fetched {
  readonly range: Range;
  readonly first_parent: Hex;
  readonly last_hash: Hex;
  readonly refs: readonly {
    readonly number: number;
    readonly hash: Hex;
    readonly parent_hash: Hex;
    readonly time: number;
  }[];
  readonly has_traces: boolean;
  readonly verified: Verified;
  readonly rows: EncodedRows;
  /** What `Enrich` has to see of the rows. */
  readonly news: BlockRows;
}

export const forkFault = (message: string): AssayError =>
  new AssayError({ code: "FORK", message, public: "The chain is being reorganised.", retryable: true });

interface Chunk {
  readonly refs: Fetched["refs"];
  readonly has_traces: boolean;
  readonly verified: Verified;
  readonly rows: EncodedRows;
  readonly news: BlockRows;
}

const chunksOf = ({ from, to }: Range): Range[] => {
  const chunks: Range[] = [];
  const fitting = Math.ceil((to - from + 1) / CHUNKS);
  const size = Math.max(CHUNK_BLOCKS_MIN, Math.min(CHUNK_BLOCKS_MAX, fitting));
  for (let at = from; at <= to; at += size) chunks.push({ from: at, to: Math.min(at + size - 1, to) });
  return chunks;
};

type FetchParts = Pick<SegmentParts, "chain" | "store" | "decode" | "complete" | "openings">;

/** Reads and decodes a range, several chunks at once, and checks that the chunks are one chain. */
export const fetchRange = async (
  { chain, store, decode, complete, openings }: FetchParts,
  range: Range,
  signal: AbortSignal,
): Promise<Fetched> => {
  const chunks = chunksOf(range);
  const read: Chunk[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < chunks.length; at = next++) {
      const chunk = chunks[at];
      if (chunk === undefined) return;
      const blocks = await chain.blocks(chunk.from, chunk.to, signal);
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
      const has_traces = blocks.every((block) => block.has_traces);
      const verified = leastVerified(blocks.map((block) => block.verified));
      read[at] = { refs, rows: store.encode(rows), news: newsOf(rows, openings), has_traces, verified };
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_CHUNKS, chunks.length) }, worker));
  return joinChunks(range, read);
};

const joinChunks = (range: Range, chunks: readonly Chunk[]): Fetched => {
  const refs = chunks.flatMap((chunk) => chunk.refs);
  for (const [i, ref] of refs.entries()) {
    const before = refs[i - 1];
    if (ref.number !== range.from + i) throw forkFault(`block ${range.from + i} was asked and ${ref.number} came`);
    if (before !== undefined && before.hash !== ref.parent_hash) {
      throw forkFault(`block ${ref.number} does not follow the block ${before.number} that was read`);
    }
  }
  const first = refs[0];
  const last = refs.at(-1);
  if (first === undefined || last === undefined || last.number !== range.to) {
    throw forkFault(`blocks ${range.from} to ${range.to} were asked and ${refs.length} came`);
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
    has_traces: chunks.every((chunk) => chunk.has_traces),
    verified: leastVerified(chunks.map((chunk) => chunk.verified)),
  };
};
