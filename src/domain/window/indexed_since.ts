import { DAY_S } from "../../lib/time.ts";
import type { IndexedFacts } from "../context.ts";

/** Unix seconds of the first block from which the index is complete; earlier days are never read. */
export const indexedSince = async ({ facts, snapshot }: IndexedFacts): Promise<number> => {
  const { from_block, block } = snapshot;
  const [first, second = first] = await facts.ask(snapshot, "block_times", { blocks: [from_block, from_block + 1] });
  // A first block with a time of its own (genesis blocks may say 1970) begins no history.
  if (first !== undefined && second !== undefined && second.time - first.time > DAY_S) return second.time;
  return first?.time ?? block.time;
};
