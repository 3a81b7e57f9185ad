import { TAIL_PART_BLOCKS } from "../store/writer.ts";

/** Blocks `from` to `to`, both included. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The same blocks as few ranges in ascending order. */
export const mergeRanges = (ranges: readonly IndexRange[]): IndexRange[] => {
  const merged: { from: number; to: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else merged.push({ from: range.from, to: range.to });
  }
  return merged;
};

/** Parts of `wanted` that `held` (merged, ascending) does not cover, ascending. */
export const missingRanges = (wanted: IndexRange, held: readonly IndexRange[]): IndexRange[] => {
  const missing: IndexRange[] = [];
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

/** The parts of `ranges` inside `within`, ascending. */
export const clipRanges = (ranges: readonly IndexRange[], within: IndexRange): IndexRange[] =>
  ranges
    .filter(({ from, to }) => from <= within.to && within.from <= to)
    .map(({ from, to }) => ({ from: Math.max(from, within.from), to: Math.min(to, within.to) }));

/** Number of pieces in which history is offered, as far as their size allows. */
const OFFERS = 8;
/** A piece costs a lease and some twenty queries besides its segments, so a short history gets few of them. */
const OFFER_BLOCKS_MIN = 256;
/** As long as the longest segment, so that no offer cuts a segment. */
const OFFER_BLOCKS_MAX = 4_096;

/**
 * Missing blocks that were not offered before, in pieces for several processes: runs of one power of two blocks that
 * begin at multiples of it, cut only at the end of a missing range. Ascending.
 */
export const piecesToOffer = (missing: readonly IndexRange[], offered: readonly IndexRange[]): IndexRange[] => {
  const fresh = missing.flatMap((range) => missingRanges(range, mergeRanges(offered)));
  let size = OFFER_BLOCKS_MIN;
  while (size < OFFER_BLOCKS_MAX && size * 2 * OFFERS <= countBlocks(fresh)) size *= 2;
  return fresh.flatMap(({ from, to }) => {
    const pieces: IndexRange[] = [];
    for (let at = from; at <= to; ) {
      const end = Math.min(to, at - (at % size) + size - 1);
      pieces.push({ from: at, to: end });
      at = end + 1;
    }
    return pieces;
  });
};

/** Blocks of the smallest piece on the grid. */
const GRID_BLOCKS = 16;

/**
 * The newest piece of the newest missing range: backfill goes backwards in time. Every piece is a run of 16, 32, 64, …
 * blocks, at most `blocks_max`, that begins at a multiple of its length, cut only at the end of the missing range: so
 * pieces of any two processes are equal or nested. Null if nothing is missing.
 */
export const nextSegment = (missing: readonly IndexRange[], blocks_max: number): IndexRange | null => {
  const newest = missing.at(-1);
  if (newest === undefined) return null;
  const { from, to } = newest;
  let start = to - (to % GRID_BLOCKS);
  const is_whole = to % GRID_BLOCKS === GRID_BLOCKS - 1;
  for (let size = GRID_BLOCKS * 2; is_whole && size <= blocks_max && (to + 1) % size === 0; size *= 2) {
    start = to + 1 - size;
  }
  return { from: Math.max(from, start), to };
};

/**
 * The oldest piece that moves from the tail to the final tables, on the same grid: the largest one that begins with
 * `wanted.from` and ends by `wanted.to`. `wanted` ends with a bucket.
 */
export const nextPromotion = (wanted: IndexRange, blocks_max: number): IndexRange => {
  const { from } = wanted;
  let to = bucketStart(from) + TAIL_PART_BLOCKS - 1;
  const is_whole = from === bucketStart(from);
  for (let size = TAIL_PART_BLOCKS * 2; is_whole && size <= blocks_max && from % size === 0; size *= 2) {
    if (from + size - 1 <= wanted.to) to = from + size - 1;
  }
  return { from, to };
};

export const countBlocks = (ranges: readonly IndexRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** First block of the head partition that holds `block`. */
export const bucketStart = (block: number): number => block - (block % TAIL_PART_BLOCKS);
