/** Stored blocks are written again: their addresses are not `read` meanwhile, so that no call mixes old and new rows. */
import type { HeldAmount } from "../../chains/account_history.ts";
import type { Hex } from "../../lib/bytes.ts";
import {
  type Batch,
  readSubjectBlocks,
  readSubjectsOf,
  type SubjectRecord,
  withdrawn,
} from "../../store/subjects/records.ts";
import { addsUp } from "./balance_check.ts";
import type { Batches } from "./batches.ts";
import { untracedIn, verifiedOf } from "./stretches.ts";
import type { SubjectHistory, SubjectOptions } from "./subject_history.ts";
import type { FetchedBatch } from "./write_batch.ts";

type RewrittenHistory = Pick<SubjectHistory, "record" | "restate">;

interface RewriteOptions extends Pick<SubjectOptions, "chain" | "engine" | "facts" | "from_block"> {
  /** All that are followed. */
  readonly subjects: ReadonlyMap<Hex, RewrittenHistory>;
  readonly batches: Pick<Batches, "write">;
}

/** Holdings of the address by the node where its record ends. */
const heldAt = async (
  { chain }: RewriteOptions,
  { subject, to_block }: SubjectRecord,
  signal: AbortSignal,
): Promise<readonly HeldAmount[]> => {
  const search = { address: subject, after: Math.max(0, to_block - 1), is_followed: true, to: to_block };
  return (await chain.past?.find(search, signal))?.ends ?? [];
};

/** States again everything that follows from the rows of an address. The results of its search hold. */
const restate = async (
  parts: RewriteOptions,
  { history, ends }: { readonly history: RewrittenHistory; readonly ends: readonly HeldAmount[] },
  signal: AbortSignal,
): Promise<void> => {
  const { subject, from_block, to_block, to_hash, to_time } = history.record;
  const known = await readSubjectBlocks(parts.engine, parts.chain.network.id, subject);
  const blocks = known.filter(({ number, stored }) => stored !== null && number >= from_block && number <= to_block);
  const to = { number: to_block, hash: to_hash, time: to_time };
  await history.restate({
    ...{ state: "read", is_rewriting: false },
    is_balanced: await addsUp(parts, { subject, ends, from_block, to }, signal),
    untraced: untracedIn(blocks, [parts.from_block, to_block]),
    verified: verifiedOf(blocks),
  });
};

export const rewriteBatch = async (
  parts: RewriteOptions,
  { known, fetched }: { readonly known: Batch; readonly fetched: FetchedBatch },
  signal: AbortSignal,
): Promise<void> => {
  const records = await readSubjectsOf(parts.engine, parts.chain.network.id, known.blocks);
  const touched = records.flatMap(({ subject }) => {
    const history = parts.subjects.get(subject);
    return history?.record.state === "read" ? [history] : [];
  });
  // Before: afterwards the node may not answer.
  const ends = await Promise.all(touched.map(({ record }) => heldAt(parts, record, signal)));
  for (const history of touched) await history.restate(withdrawn(history.record));
  await parts.batches.write(fetched, { known, signal });
  for (const [i, history] of touched.entries()) await restate(parts, { history, ends: ends[i] ?? [] }, signal);
};

/** Addresses whose blocks are written again by now, after an end or a failure in between. */
export const settleRewritten = async (parts: RewriteOptions, signal: AbortSignal): Promise<void> => {
  for (const history of parts.subjects.values()) {
    if (!history.record.is_rewriting) continue;
    const ends = await heldAt(parts, history.record, signal);
    await restate(parts, { history, ends }, signal);
  }
};
