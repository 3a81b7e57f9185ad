import type { Hex } from "../lib/bytes.ts";
import { leastVerified, type Verified } from "../lib/verified.ts";
import type { Coverage } from "./facts.ts";

/** A run of blocks, ends included. */
export interface Held {
  readonly from: number;
  readonly to: number;
  readonly has_traces: boolean;
  readonly verified: Verified;
}

/** A run of unfinalised blocks, with its last block. */
export interface Island extends Held {
  readonly hash: Hex;
  readonly time: number;
}

/** What the store holds of a network. */
export interface StoreState {
  /** When the first segment was written: another one after all facts were dropped. */
  readonly generation: string;
  /** First wanted block; null when the network was never indexed. */
  readonly first: number | null;
  /** No block lies before the first wanted one, or what was held there was read. */
  readonly is_opened: boolean;
  /** Newest block of the final tables; `first - 1` when there is none. */
  readonly final_block: number;
  /** Runs of the final tables in order. Neighbours differ in traces or in what was verified. */
  readonly done: readonly Held[];
  readonly islands: readonly Island[];
  readonly tail_drops: number;
}

/** All blocks that can be read, in order: the final ones, and the unfinalised above them. */
export const heldRuns = ({ done, islands, final_block }: StoreState): readonly Held[] => [
  ...done,
  ...islands
    .filter(({ to }) => to > final_block)
    .map((island) => ({ ...island, from: Math.max(island.from, final_block + 1) })),
];

/** Coverage of the contiguous range that ends at `block`; null when `block` is not held. */
export const coverageAt = (state: StoreState, block: number): Coverage | null => {
  const runs = heldRuns(state).filter(({ from }) => from <= block);
  const last = runs.at(-1);
  if (last === undefined || last.to < block || state.first === null) return null;
  let from_block = last.from;
  let traces = last.has_traces;
  let { verified } = last;
  for (const run of runs.slice(0, -1).reverse()) {
    if (run.to !== from_block - 1) break;
    from_block = run.from;
    traces &&= run.has_traces;
    verified = leastVerified([verified, run.verified]);
  }
  return {
    from_block,
    to_block: block,
    complete: state.is_opened && from_block <= state.first,
    gaps: gapsBetween(state.first, runs),
    logs: true,
    traces,
    verified,
  };
};

/** Last final block of the contiguous range that begins at `from_block`. */
export const settledTo = ({ done, final_block }: StoreState, from_block: number): number => {
  let to = from_block - 1;
  for (const run of done) if (run.from <= to + 1 && run.to > to) to = run.to;
  return Math.min(to, final_block);
};

const gapsBetween = (first: number, runs: readonly Held[]): readonly (readonly [number, number])[] => {
  const gaps: (readonly [number, number])[] = [];
  let next = first;
  for (const { from, to } of runs) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return gaps;
};
