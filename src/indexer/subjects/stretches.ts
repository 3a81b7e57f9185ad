/** Parts of an address's history without inner calls. */
import { leastVerified, type VerificationLevel } from "../../lib/verified.ts";
import type { readSubjectBlocks, SubjectRecord } from "../../store/subjects/records.ts";
import { mergeRanges } from "../ranges.ts";

/** Stretches without inner calls that a record names; of more, the oldest are joined. */
const STRETCHES_MAX = 50;

type TraceStretches = SubjectRecord["untraced"];
export type StoredBlocks = Awaited<ReturnType<typeof readSubjectBlocks>>;

const joinStretches = (stretches: TraceStretches): TraceStretches => {
  const surplus = stretches.length - STRETCHES_MAX;
  const [first] = stretches;
  const last = stretches[surplus];
  return first === undefined || last === undefined || surplus <= 0
    ? stretches
    : [[first[0], last[1]], ...stretches.slice(surplus + 1)];
};

export const verifiedOf = (blocks: StoredBlocks): VerificationLevel =>
  leastVerified(blocks.map(({ stored }) => stored?.verified ?? "none"));

/** Blocks without inner calls; the whole range if no block has them. */
export const untracedIn = (blocks: StoredBlocks, whole: readonly [number, number]): TraceStretches => {
  const lacking = blocks.filter(({ stored }) => stored?.has_traces === false);
  if (blocks.length > 0 && lacking.length === blocks.length) return [whole];
  const runs = mergeRanges(lacking.map(({ number }) => ({ from: number, to: number })));
  return joinStretches(runs.map(({ from, to }) => [from, to] as const));
};

/** The figures of a record about its stored blocks. */
export const countsOf = (blocks: StoredBlocks) => ({
  ...{ found: blocks.length, fetched: blocks.length, verified: verifiedOf(blocks) },
});
