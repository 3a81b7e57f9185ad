import { HEAD_PARTITION_BLOCKS } from "../store/writer.ts";

/** Blocks `from` to `to`, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The same blocks as few ranges in ascending order. */
export const mergeRanges = (ranges: readonly Range[]): Range[] => {
  const merged: { from: number; to: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else merged.push({ from: range.from, to: range.to });
  }
  return merged;
};

/** Parts of `wanted` that `held` (merged, ascending) does not cover, ascending. */
export const missingRanges = (wanted: Range, held: readonly Range[]): Range[] => {
  const missing: Range[] = [];
  let next = wanted.from;
  for (const { from, to } of held) {
    if (to < next) continue;
    if (from > wanted.to) break;
    if (from > next) missing.push({ from: next, to: Math.min(from - 1, wanted.to) });
    next = to + 1;
  }
  if (next <= wanted.to) missing.push({ from: next, to: wanted.to });
  return missing;
};

/** The newest `blocks_max` blocks of the newest missing range: backfill goes backwards in time. Null when nothing is missing. */
export const nextSegment = (missing: readonly Range[], blocks_max: number): Range | null => {
  const newest = missing.at(-1);
  if (newest === undefined) return null;
  return { from: Math.max(newest.from, newest.to - blocks_max + 1), to: newest.to };
};

export const countBlocks = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** First block of the head partition that holds `block`. */
export const bucketStart = (block: number): number => block - (block % HEAD_PARTITION_BLOCKS);
