import type { Coverage } from "../../store/facts.ts";

/** The first block of a chain: some count from 1. */
const FIRST_BLOCK_MAX = 1;

/**
 * Whether the index holds every block of the chain up to its newest. A complete index may begin later: it then knows what every account
 * held before, not what moved.
 */
export const holdsWholeChain = ({ complete, from_block }: Pick<Coverage, "complete" | "from_block">): boolean =>
  complete && from_block <= FIRST_BLOCK_MAX;
