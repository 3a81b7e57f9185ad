import type { HolderCount, TokenHolder } from "../facts.ts";
import type { HolderState } from "./holder_state.ts";
import { DOUBTFUL_TOLD_MAX, LARGEST_TOLD_MAX } from "./read_states.ts";

/** What `Facts.holderCounts` says of a token. */
export const countOf = ({ holders, supply, below_zero, beyond, doubtful }: HolderState): HolderCount => ({
  ...{ holders, supply, below_zero, beyond },
  doubtful: doubtful.items.slice(0, DOUBTFUL_TOLD_MAX),
});

/** What `Facts.tokenHolders` says of it. Throws RangeError for more than are known: a bug. */
export const largestOf = ({ largest }: HolderState, limit: number): readonly TokenHolder[] => {
  if (limit > LARGEST_TOLD_MAX) throw new RangeError(`no more than ${LARGEST_TOLD_MAX} holders are told`);
  return largest.items.slice(0, limit);
};
