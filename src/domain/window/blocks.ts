import type { SnapshotContext } from "../context.ts";

/** A range of the chain. Blocks inclusive; last < first: the range is empty. */
export interface BlockSpan {
  /** Unix seconds: first one inside, first one outside. */
  readonly from: number;
  readonly until: number;
  readonly first_block: number;
  readonly last_block: number;
}

/** Blocks of a window. */
export const spanOf = async (
  { facts, snapshot }: SnapshotContext,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<BlockSpan> => {
  const [[before], [last]] = await Promise.all([
    facts.ask(snapshot, "block_at_time", { time: Math.max(0, from - 1) }),
    facts.ask(snapshot, "block_at_time", { time: Math.max(0, until - 1) }),
  ]);
  const first_block = before === undefined ? snapshot.from_block : before.block_number + 1;
  return { from, until, first_block, last_block: last?.block_number ?? first_block - 1 };
};
