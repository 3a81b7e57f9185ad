import type { HolderCount, TokenHolder } from "../facts.ts";
import type { HolderState } from "./holder_state.ts";
import { DOUBTFUL_MAX, LARGEST_MAX } from "./read_states.ts";

/** Result of `Facts.holderCounts` for a token. */
export const countOf = ({ holders, supply, below_zero, beyond, doubtful }: HolderState): HolderCount => ({
  ...{ holders, supply, below_zero, beyond },
  doubtful: doubtful.items.slice(0, DOUBTFUL_MAX),
});

/** Result of `Facts.tokenHolders`. Throws RangeError for more holders than are cached: a bug. */
export const largestOf = ({ largest }: HolderState, limit: number): readonly TokenHolder[] => {
  if (limit > LARGEST_MAX) throw new RangeError(`at most ${LARGEST_MAX} holders are available`);
  return largest.items.slice(0, limit);
};
