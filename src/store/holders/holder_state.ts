import type { Hex } from "../../lib/bytes.ts";
import { isWord } from "../../lib/wide.ts";
import type { HolderCount, TokenHolder } from "../facts.ts";
import { type Comparator, merged, type RankedItems, rerank } from "./ranked.ts";

/** The holders of a token at the end of a block: how many and how much, the largest, and those whose sum is no balance. */
export interface HolderState extends Omit<HolderCount, "doubtful"> {
  readonly block: number;
  readonly largest: RankedItems<TokenHolder>;
  /** By address. */
  readonly doubtful: RankedItems<Hex>;
}

/** Balances of an address before and after some blocks, as true sums. */
export interface HolderChange {
  readonly holder: Hex;
  readonly before: bigint;
  readonly after: bigint;
}

/** More of either list is not kept; the question says how many it answers with (queries/holder_states.sql). */
const LARGEST_MAX = 4_096;
const DOUBTFUL_MAX = 400;

const byAddress: Comparator<Hex> = (a, b) => (a === b ? 0 : a < b ? -1 : 1);
const byAmount: Comparator<TokenHolder> = (a, b) =>
  a.amount === b.amount ? byAddress(a.holder, b.holder) : a.amount > b.amount ? -1 : 1;

const one = (is_so: boolean): number => (is_so ? 1 : 0);
const above = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
const isBeyond = (amount: bigint): boolean => amount >= 0n && !isWord(amount);

/** The state at the end of `block`, by what each address had and has that moved meanwhile: once each. */
export const stateAfter = (state: HolderState, block: number, changes: readonly HolderChange[]): HolderState => {
  const moved = new Set(changes.map(({ holder }) => holder));
  let { holders, supply, below_zero, beyond } = state;
  for (const { before, after } of changes) {
    holders += one(after > 0n) - one(before > 0n);
    supply += above(after) - above(before);
    below_zero += one(after < 0n) - one(before < 0n);
    beyond += one(isBeyond(after)) - one(isBeyond(before));
  }
  const large = changes.flatMap(({ holder, after }) => (after > 0n ? [{ holder, amount: after }] : []));
  const wrong = changes.flatMap(({ holder, after }) => (isWord(after) ? [] : [holder]));
  return {
    ...{ block, holders, supply, below_zero, beyond },
    largest: rerank(state.largest, {
      ...{ order: byAmount, come: large, items_max: LARGEST_MAX },
      gone: ({ holder }) => moved.has(holder),
    }),
    doubtful: rerank(state.doubtful, {
      ...{ order: byAddress, come: wrong, items_max: DOUBTFUL_MAX },
      gone: (holder) => moved.has(holder),
    }),
  };
};

/** The holders of two shards of the addresses together. */
const together = (a: HolderState, b: HolderState): HolderState => ({
  block: a.block,
  holders: a.holders + b.holders,
  supply: a.supply + b.supply,
  below_zero: a.below_zero + b.below_zero,
  beyond: a.beyond + b.beyond,
  largest: merged(a.largest, b.largest, byAmount),
  doubtful: merged(a.doubtful, b.doubtful, byAddress),
});

/** Of each token, found in several shards of the addresses. */
export const statesTogether = (answers: readonly (readonly HolderState[])[]): readonly HolderState[] =>
  answers.reduce((all, states) => all.map((state, i) => together(state, states[i] ?? state)));
