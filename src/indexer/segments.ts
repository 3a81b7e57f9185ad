import { allEnded } from "../lib/all_ended.ts";
import { AssayError } from "../lib/errors.ts";
import { BEGUN_SUMS, type KnownSegment } from "../store/segments.ts";
import { type FetchedBlocks, fetchRange, forkFault } from "./fetch.ts";
import type { SegmentOptions } from "./options.ts";
import type { Quarantine } from "./quarantine.ts";
import { clipRanges, type IndexRange, mergeRanges, missingRanges } from "./ranges.ts";

/** A final block has changed: nothing more is written until the node agrees or an operator decides. */
const deepReorg = (network: string, block: number): AssayError =>
  new AssayError({
    code: "DEEP_REORG",
    message: `${network}: block ${block}, which was final, has another hash on the node now. Check the node, or remove the network's facts and index it again.`,
    retryable: true,
  });

/** A fetched run must join the stored blocks on both sides. */
const checkNeighbours = async (
  { store }: SegmentOptions,
  { range, first_parent, last_hash }: FetchedBlocks,
): Promise<void> => {
  const below = range.from === 0 ? null : await store.finalBlock(range.from - 1);
  if (below !== null && below.hash !== first_parent) {
    throw forkFault(`block ${range.from} does not follow the stored block ${range.from - 1}`);
  }
  const above = await store.finalBlock(range.to + 1);
  if (above !== null && above.parent_hash !== last_hash) {
    throw forkFault(`block ${range.to} is not the parent of the stored block ${range.to + 1}`);
  }
};

/** Reads one segment without writing anything. */
export const readSegment = (parts: SegmentOptions, range: IndexRange, signal: AbortSignal): Promise<FetchedBlocks> =>
  fetchRange(parts, range, signal);

/**
 * Writes a segment to the final tables exactly once: `begun` mark, facts and in parallel those that need the node,
 * balances, `done` mark. Every step first compares with the stored rows, so that it can be repeated after any end.
 * `expected_hash` is the parent of the block above if that is known.
 */
export const writeSegment = async (
  parts: SegmentOptions,
  fetched: FetchedBlocks,
  how: {
    readonly expected_hash: string | null;
    /** The segment was never begun before. */
    readonly is_fresh: boolean;
    /** The stored record of a segment that was begun before. */
    readonly known?: KnownSegment;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const { range, last_hash, untraced, verified, rows, news } = fetched;
  const { is_fresh, signal } = how;
  const how_final = { signal, is_fresh, entered: how.known?.entered ?? null };
  if (how.expected_hash !== null && how.expected_hash !== last_hash) {
    throw forkFault(`block ${range.to} is not the parent of block ${range.to + 1}`);
  }
  await checkNeighbours(parts, fetched);
  // Later than its earlier marks, whatever clock dated those.
  const after_ms = how.known?.latest.written_ms ?? 0;
  const mark = { from_block: range.from, to_block: range.to, to_hash: last_hash, untraced, verified, after_ms };
  await parts.store.markSegment({ ...mark, state: "begun", sums: BEGUN_SUMS });
  // Requests to the node do not depend on the stored rows, so both run at the same time: a node may be far away.
  const [sums] = await allEnded([parts.store.writeFinal(range, rows, how_final), parts.enrich(range, news, signal)]);
  // Neighbours may be written by another process at the same time: one of both sees the other's blocks by now.
  await checkNeighbours(parts, fetched);
  // Of the two records that a repetition may then find, this is the one whose sums were added.
  if (!is_fresh) await parts.store.markSegment({ ...mark, state: "begun", sums });
  await parts.store.writeBalances(range, how_final);
  await parts.store.markSegment({ ...mark, state: "done", sums });
  if (parts.counts !== undefined) parts.counts.blocks_indexed += range.to - range.from + 1;
};

const doneRanges = (segments: readonly KnownSegment[]): IndexRange[] =>
  mergeRanges(segments.filter(({ latest }) => latest.state === "done").map(({ from, to }) => ({ from, to })));

/**
 * Reads segments again that were begun and not finished, and compares them with the stored rows. Blocks that another
 * segment has finished meanwhile are skipped: their balances are that segment's. `isOwn`: no other process writes
 * there. A segment with a block that verification rejects becomes a recorded gap as a whole, and waits until it is due.
 */
export const finishSegments = async (
  parts: SegmentOptions,
  how: {
    readonly signal: AbortSignal;
    readonly isOwn: (range: IndexRange) => boolean;
    readonly quarantine: Quarantine;
  },
): Promise<void> => {
  const { signal, isOwn, quarantine } = how;
  await quarantine.look();
  const segments = await parts.store.segments();
  const done = doneRanges(segments);
  for (const known of segments) {
    const { from, to, latest } = known;
    const range = { from, to };
    if (latest.state === "done" || !isOwn(range)) continue;
    if (clipRanges(quarantine.resting, range).length > 0) continue;
    try {
      for (const part of missingRanges(range, done)) await rewriteBegun(parts, part, { known, signal });
    } catch (error) {
      if (await quarantine.refused(error, { ...parts, signal, asked: range, is_one: true })) continue;
      throw error;
    }
    done.splice(0, done.length, ...mergeRanges([...done, range]));
  }
};

/** Writes blocks of a segment that was begun, all of them or those that no other segment has. */
const rewriteBegun = async (
  parts: SegmentOptions,
  part: IndexRange,
  { known, signal }: { readonly known: KnownSegment; readonly signal: AbortSignal },
): Promise<void> => {
  const fetched = await readSegment(parts, part, signal);
  if (part.to === known.to && fetched.last_hash !== known.latest.to_hash) {
    throw deepReorg(parts.chain.network.id, known.to);
  }
  parts.log.info({ network: parts.chain.network.id, ...part }, "repeating an interrupted segment");
  // No balances were added under the bounds of a part.
  const is_whole = part.from === known.from && part.to === known.to;
  const own = is_whole ? known : { ...known, entered: null };
  await writeSegment(parts, fetched, { expected_hash: null, is_fresh: false, known: own, signal });
};

/** Rewrites a done segment from a read with more data: from the first mark to the last it counts as not indexed. */
export const rewriteSegment = async (
  parts: SegmentOptions,
  fetched: FetchedBlocks,
  { known, signal }: { readonly known: KnownSegment; readonly signal: AbortSignal },
): Promise<void> => {
  if (fetched.last_hash !== known.latest.to_hash) throw deepReorg(parts.chain.network.id, known.to);
  await writeSegment(parts, fetched, { expected_hash: null, is_fresh: false, known, signal });
};
