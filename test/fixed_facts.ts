import { hex } from "../src/lib/bytes.ts";
import type { Facts, Snapshot } from "../src/store/facts.ts";

const SNAPSHOT: Snapshot = {
  network: "demo",
  generation: "1",
  block: { number: 100, hash: hex("ab".repeat(32)), time: 1_767_225_600 },
  final_block: 90,
  from_block: 0,
  settled_to: 90,
  coverage: { from_block: 0, to_block: 100, complete: true, gaps: [], logs: true, traces: true, verified: "full" },
  tail_drops: 0,
};

/** Facts without a row, for tools that look only at the snapshot. */
export const fixedFacts = (isCurrent: Facts["isCurrent"] = async () => true): Facts => {
  const facts: Facts = {
    snapshot: async (network) => ({ ...SNAPSHOT, network }),
    isCurrent,
    hold: async () => {},
    ask: async () => [],
    lists: async () => [],
    stampOf: async () => null,
    columns: async () => {
      throw new Error("these facts have no columns");
    },
    walletBalances: async () => [],
    tokenHolders: async () => [],
    holderCounts: async () => {
      throw new Error("these facts count no holders");
    },
    balanceOf: async (_, pairs) => pairs.map(() => 0n),
    withSignal: () => facts,
    own: (kind) => new kind(),
  };
  return facts;
};
