import { AssayError } from "../lib/errors.ts";
import { type Fetched, fetchRange, forkFault } from "./fetch.ts";
import type { IndexerParts } from "./parts.ts";
import type { Range } from "./ranges.ts";

/** The same for every repetition of a segment, different as soon as its blocks are others. */
const tokenOf = (network: string, { range, last_hash }: Fetched): string =>
  `${network}:${range.from}-${range.to}:${last_hash}`;

/** A final block is not what it was: nothing more is written until the node agrees or an operator decides. */
const deepReorg = (network: string, block: number): AssayError =>
  new AssayError({
    code: "DEEP_REORG",
    message: `${network}: block ${block}, which was final, has another hash on the node now. Check the node, or remove the network's facts and index it again.`,
    retryable: true,
  });

/** A fetched run must join the stored blocks on both sides. */
const checkNeighbours = async ({ store }: IndexerParts, { range, first_parent, last_hash }: Fetched): Promise<void> => {
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
export const readSegment = (parts: IndexerParts, range: Range, signal: AbortSignal): Promise<Fetched> =>
  fetchRange(parts, range, signal);

/**
 * Writes a segment to the final tables exactly once: `begun` mark, facts (blocks last), facts that need questions to
 * the node, balances, `done` mark. `expected_hash` is the parent of the block above when that is known.
 */
export const writeSegment = async (
  parts: IndexerParts,
  fetched: Fetched,
  how: { readonly expected_hash: string | null; readonly signal: AbortSignal },
): Promise<void> => {
  const { range, last_hash, has_traces, verified, rows, news } = fetched;
  if (how.expected_hash !== null && how.expected_hash !== last_hash) {
    throw forkFault(`block ${range.to} is not the parent of block ${range.to + 1}`);
  }
  await checkNeighbours(parts, fetched);
  const token = tokenOf(parts.chain.network.id, fetched);
  const mark = { from_block: range.from, to_block: range.to, to_hash: last_hash, has_traces, verified };
  await parts.store.markSegment({ ...mark, state: "begun" });
  await parts.store.insertRows("final", rows, token);
  await parts.enrich(range, news, how.signal);
  await parts.store.addBalances(range, token);
  await parts.store.markSegment({ ...mark, state: "done" });
};

/** Segments that were begun and not finished are repeated with the same bounds, hence the same tokens. */
export const finishBegun = async (parts: IndexerParts, signal: AbortSignal): Promise<void> => {
  const segments = await parts.store.segments();
  const key = (segment: { from_block: number; to_block: number }) => `${segment.from_block}-${segment.to_block}`;
  const done = new Set(segments.filter(({ state }) => state === "done").map(key));
  for (const segment of segments) {
    if (segment.state !== "begun" || done.has(key(segment))) continue;
    const fetched = await readSegment(parts, { from: segment.from_block, to: segment.to_block }, signal);
    if (fetched.last_hash !== segment.to_hash) throw deepReorg(parts.chain.network.id, segment.to_block);
    parts.log.info(
      { network: parts.chain.network.id, from: segment.from_block, to: segment.to_block },
      "repeating a segment that was cut off",
    );
    await writeSegment(parts, fetched, { expected_hash: null, signal });
    done.add(key(segment));
  }
};
