/** Whether the stored movements of an address add up to the holdings that a node states. */
import type { HeldAmount } from "../../chains/account_history.ts";
import type { BlockRef, Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";
import type { Facts, Snapshot } from "../../store/facts.ts";

/** Balances of one query. */
const PAIRS_PER_QUERY = 500;

interface BalanceCheckOptions {
  readonly chain: Pick<Chain, "network">;
  readonly facts: Pick<Facts, "balanceOf">;
}

interface CheckedHistory {
  readonly subject: Hex;
  /** Holdings after block `to` by the node. */
  readonly ends: readonly HeldAmount[];
  readonly from_block: number;
  readonly to: Pick<BlockRef, "number" | "hash" | "time">;
  /** Later blocks are rows of the tail. Omitted: there are none. */
  readonly final_block?: number;
}

export const addsUp = async (
  { chain, facts }: BalanceCheckOptions,
  { subject, ends, from_block, to, final_block = to.number }: CheckedHistory,
  signal: AbortSignal,
): Promise<boolean> => {
  const { number, hash, time } = to;
  const coverage = { from_block, to_block: number, complete: true, gaps: [], logs: true, traces: true };
  const snapshot: Snapshot = {
    ...{ network: chain.network.id, generation: "", block: { number, hash, time }, final_block, from_block },
    ...{ settled_to: from_block - 1, coverage: { ...coverage, verified: "none" }, tail_drops: 0 },
    followed: { is_plain: true, addresses: [subject] },
  };
  for (let at = 0; at < ends.length; at += PAIRS_PER_QUERY) {
    signal.throwIfAborted();
    const part = ends.slice(at, at + PAIRS_PER_QUERY);
    const sums = await facts.balanceOf(
      snapshot,
      part.map(({ token }) => ({ token, holder: subject })),
    );
    if (part.some(({ amount }, i) => sums[i] !== amount)) return false;
  }
  return true;
};
