import type { Snapshot } from "../store/facts.ts";
import type { SnapshotContext } from "./context.ts";

/**
 * Nodes without an archive store the state of at least this many blocks (128 in geth, minus a few for blocks at the
 * head).
 */
export const RECENT_BLOCKS = 100;

/**
 * The block whose state answers at the snapshot use: its own where a node has it, else the head if the snapshot is the newest that the index
 * has. Null for an earlier block that no node has any more: code, owners and balances of that block are then unknown.
 */
export const nodeStateBlock = async ({
  chain,
  snapshot,
  signal,
}: Pick<SnapshotContext, "chain" | "snapshot" | "signal">): Promise<number | null> => {
  const { number } = snapshot.block;
  if (chain.can.archive) return number;
  const head = await chain.head(signal);
  if (head.number - number <= RECENT_BLOCKS) return number;
  return snapshot.is_past === true ? null : head.number;
};

/** The sentence of an answer that needs that state. */
export const noStateOf = ({ network, block }: Pick<Snapshot, "network" | "block">, what = "its code"): string =>
  `No node of ${network} has the state of block ${block.number} any more, so ${what} at that block is not known. Leave as_of_block out for the newest block.`;
