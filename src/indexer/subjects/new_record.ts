/** Records of addresses: a new one, and what stays of one. */
import type { BlockRef } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";
import type { SubjectHead, SubjectRecord } from "../../store/subjects/records.ts";

export const newRecord = (subject: Hex, wished_ms: number, from_block: number): SubjectRecord => ({
  subject,
  state: "searching",
  from_block,
  to_block: 0,
  to_hash: "",
  to_time: 0,
  wished_ms,
  is_plain: false,
  is_balanced: false,
  verified: "full",
  untraced: [],
  found: 0,
  fetched: 0,
  requests: 0,
  problem: "",
  rewrites: 0,
  is_rewriting: false,
  head: null,
});

/** A history that begins before the network's first block is read again, and a large address that is wished once more. */
export const isKept = (record: SubjectRecord, now: { readonly since: number; readonly from_block: number }): boolean =>
  // It may begin later: where nodes dropped older blocks, and until it has grown backwards.
  record.from_block >= now.from_block && (record.state !== "too_large" || record.wished_ms >= now.since);

/** The rest of the head once the history is read to `final`; calls about several addresses may still end at the block before it. */
export const headAbove = ({ state, head, to_block }: SubjectRecord, final: BlockRef): SubjectHead | null =>
  state !== "read" || head === null || head.number <= final.number
    ? null
    : { ...head, after: to_block, blocks: head.blocks.filter(([number]) => number > to_block) };
