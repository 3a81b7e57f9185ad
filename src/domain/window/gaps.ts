import type { HeldFacts, Warning } from "../context.ts";

/** When the first block was made of which the index knows everything after it (unix seconds): no day before it is looked at. */
export const indexedSince = async ({ facts, snapshot }: HeldFacts): Promise<number> => {
  const [first] = await facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] });
  return first?.time ?? snapshot.block.time;
};

/** What of a window (`from`: its first unix second) the index does not hold. Empty: it holds all of it. */
export const gapsOf = async (
  { facts, snapshot }: HeldFacts,
  window: { readonly from: number },
): Promise<readonly Warning[]> => {
  const { coverage } = snapshot;
  const gaps: Warning[] = [];
  if (!coverage.complete) {
    if ((await indexedSince({ facts, snapshot })) > window.from) {
      gaps.push({ code: "WINDOW_NOT_COVERED", message: `Blocks before ${snapshot.from_block} are not indexed yet.` });
    }
  }
  if (!coverage.logs) gaps.push({ code: "LOGS_MISSING", message: "Token transfers are not indexed on this network." });
  if (!coverage.traces) {
    gaps.push({
      code: "INTERNAL_TRANSFERS_MISSING",
      message: "Coins moved inside contract calls are not indexed: the node gives no traces.",
    });
  }
  return gaps;
};
