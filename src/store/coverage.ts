import type { Hex } from "../lib/bytes.ts";
import { leastVerified, type VerificationLevel } from "../lib/verified.ts";
import type { Coverage } from "./facts.ts";

/** A run of blocks, ends included. */
export interface CoveredRange {
  readonly from: number;
  readonly to: number;
  readonly has_traces: boolean;
  readonly verified: VerificationLevel;
}

/** A run of unfinalised blocks, with its last block. */
export interface TailRange extends CoveredRange {
  readonly hash: Hex;
  readonly time: number;
}

/** Coverage of a network in the store. */
export interface StoreState {
  /** When the first segment was written: another one after all facts were dropped. */
  readonly generation: string;
  /** Recorded gaps: blocks that verification refuses, ascending. History goes on below them. */
  readonly refused: readonly Pick<CoveredRange, "from" | "to">[];
  /** How often a segment that had been begun was begun again: its rows may be others afterwards. */
  readonly rewrites: number;
  /** First wanted block; null when the network was never indexed. */
  readonly first: number | null;
  /** No block precedes the first configured one, or balances before it were read. */
  readonly is_opened: boolean;
  /** Newest block of the final tables; `first - 1` before the first one. */
  readonly final_block: number;
  /** Runs of the final tables in order. Neighbours differ in traces or in what was verified. */
  readonly done: readonly CoveredRange[];
  readonly islands: readonly TailRange[];
  readonly tail_drops: number;
}

/** All blocks that can be read, in order: the final ones, and the unfinalised above them. */
export const coveredRanges = ({ done, islands, final_block }: StoreState): readonly CoveredRange[] => [
  ...done,
  ...islands
    .filter(({ to }) => to > final_block)
    .map((island) => ({ ...island, from: Math.max(island.from, final_block + 1) })),
];

/** Whether all blocks between two runs are recorded gaps. */
const isBridged = ({ refused }: StoreState, below: number, above: number): boolean => {
  let next = below + 1;
  for (const { from, to } of refused) if (from <= next && next <= to) next = to + 1;
  return next >= above;
};

/** Ranges without traces that an answer lists at most: of more the oldest are joined to one. */
const TRACE_GAPS_MAX = 50;

/** Blocks of some runs, in order, that lack traces. */
const traceGapsOf = (runs: readonly CoveredRange[]): readonly (readonly [number, number])[] => {
  const gaps: (readonly [number, number])[] = [];
  for (const { from, to, has_traces } of runs) {
    if (has_traces) continue;
    const last = gaps.at(-1);
    if (last !== undefined && last[1] + 1 >= from) gaps[gaps.length - 1] = [last[0], to];
    else gaps.push([from, to]);
  }
  const [first] = gaps;
  const joined = gaps.slice(0, Math.max(0, gaps.length - TRACE_GAPS_MAX + 1)).at(-1);
  return gaps.length <= TRACE_GAPS_MAX || first === undefined || joined === undefined
    ? gaps
    : [[first[0], joined[1]], ...gaps.slice(1 - TRACE_GAPS_MAX)];
};

const tracesOf = (gaps: readonly (readonly [number, number])[]): Pick<Coverage, "traces" | "trace_gaps"> =>
  gaps.length === 0 ? { traces: true } : { traces: false, trace_gaps: gaps };

/** Coverage of the range that ends at `block` and has no gaps but recorded ones; null when `block` is not held. */
export const coverageAt = (state: StoreState, block: number): Coverage | null => {
  const runs = coveredRanges(state).filter(({ from }) => from <= block);
  const last = runs.at(-1);
  if (last === undefined || last.to < block || state.first === null) return null;
  let from_block = last.from;
  let { verified } = last;
  const covered = [{ ...last, to: block }];
  for (const run of runs.slice(0, -1).reverse()) {
    if (!isBridged(state, run.to, from_block)) break;
    from_block = run.from;
    verified = leastVerified([verified, run.verified]);
    covered.unshift(run);
  }
  const gaps = gapsBetween(state.first, runs);
  return {
    from_block,
    to_block: block,
    complete: state.is_opened && from_block <= state.first && gaps.length === 0,
    gaps,
    logs: true,
    ...tracesOf(traceGapsOf(covered)),
    verified,
  };
};

/** Last final block of the range that begins at `from_block` and has no gaps but recorded ones. */
export const settledTo = (state: StoreState, from_block: number): number => {
  let to = from_block - 1;
  for (const run of state.done) if (run.to > to && isBridged(state, to, run.from)) to = run.to;
  return Math.min(to, state.final_block);
};

const gapsBetween = (first: number, runs: readonly CoveredRange[]): readonly (readonly [number, number])[] => {
  const gaps: (readonly [number, number])[] = [];
  let next = first;
  for (const { from, to } of runs) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return gaps;
};
