/** Blocks that are written together on a network that is read on demand, exactly once (docs/design/on_demand.md). */
import { allEnded } from "../../lib/all_ended.ts";
import { BEGUN_SUMS } from "../../store/segments.ts";
import { type Batch, writeBatch as markBatch } from "../../store/subjects/records.ts";
import type { Writer } from "../../store/writer.ts";
import { joinEncoded } from "../encoded.ts";
import { type Chunk, forkFault, readChunk } from "../fetch.ts";
import type { SegmentOptions } from "../options.ts";
import { mergeRanges } from "../ranges.ts";
import { emptyRows, joinRows } from "../rows.ts";

/** Blocks that are decoded together: a look for the tokens of each would take longer than the block. */
const CHUNK_BLOCKS = 32;
const CHUNKS_IN_FLIGHT = 2;

export type BatchOptions = SegmentOptions & { readonly writer: Pick<Writer, "insert">; readonly now_ms: () => number };

export type FetchedBatch = Pick<Chunk, "rows" | "news" | "untraced"> & {
  readonly blocks: readonly number[];
  readonly refs: readonly (Chunk["refs"][number] & {
    readonly has_traces: boolean;
    readonly verified: Chunk["verified"];
  })[];
};

/**
 * Reads and decodes these blocks (ascending). Each is verified by itself; neighbours must be parent and child.
 * @throws AssayError as `Chain.blocks`; FORK
 */
export const readBatch = async (
  parts: SegmentOptions,
  blocks: readonly number[],
  signal: AbortSignal,
): Promise<FetchedBatch> => {
  const pieces = Array.from({ length: Math.ceil(blocks.length / CHUNK_BLOCKS) }, (_, i) =>
    blocks.slice(i * CHUNK_BLOCKS, (i + 1) * CHUNK_BLOCKS).map((block) => ({ from: block, to: block })),
  );
  const chunks: Chunk[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < pieces.length; at = next++)
      chunks[at] = await readChunk(parts, mergeRanges(pieces[at] ?? []), signal);
  };
  await allEnded(Array.from({ length: Math.min(CHUNKS_IN_FLIGHT, pieces.length) }, worker));
  const refs = chunks.flatMap((chunk) => chunk.refs);
  for (const [i, ref] of refs.entries()) {
    const before = refs[i - 1];
    if (ref.number !== blocks[i]) throw forkFault(`block ${blocks[i]} was requested and ${ref.number} came`);
    if (before?.number === ref.number - 1 && before.hash !== ref.parent_hash)
      throw forkFault(`block ${ref.number} does not follow the block ${before.number} that was read`);
  }
  const described = chunks.flatMap(({ refs: own, untraced, verified }) =>
    own.map((ref) => ({
      ...ref,
      verified,
      has_traces: !untraced.some(({ from, to }) => from <= ref.number && ref.number <= to),
    })),
  );
  const news = emptyRows();
  for (const chunk of chunks) joinRows(news, chunk.news);
  const untraced = mergeRanges(chunks.flatMap((chunk) => chunk.untraced));
  return { blocks, refs: described, untraced, rows: joinEncoded(chunks.map(({ rows }) => rows)), news };
};

/**
 * Writes a batch: `begun` mark, facts and in parallel those that need the node, balances, `done` mark, as a segment is
 * written. `known`: the marks of a batch that was begun before, which is compared with the stored rows.
 */
export const writeBatch = async (
  parts: BatchOptions,
  { blocks, rows, news }: FetchedBatch,
  { known, signal }: { readonly known: Batch | null; readonly signal: AbortSignal },
): Promise<void> => {
  const [from = 0, to = from] = [blocks[0], blocks.at(-1)];
  const range = { from, to, blocks };
  const how = { signal, is_fresh: known === null, entered: known?.entered ?? null };
  const network = parts.chain.network.id;
  let written_ms = known?.written_ms ?? 0;
  const mark = async (state: Batch["state"], sums: string): Promise<void> => {
    // Later than the mark before, whatever the clock.
    written_ms = Math.max(parts.now_ms(), written_ms + 1);
    await markBatch(parts.writer, network, { blocks, state, sums, written_ms });
  };
  await mark("begun", BEGUN_SUMS);
  const [sums] = await allEnded([parts.store.writeFinal(range, rows, how), parts.enrich(range, news, signal)]);
  // A repetition finds which sums were added.
  await mark("begun", sums);
  await parts.store.writeBalances(range, how);
  await mark("done", sums);
  if (parts.counts !== undefined) parts.counts.blocks_indexed += blocks.length;
};
