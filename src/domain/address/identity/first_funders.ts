import type { Hex } from "../../../lib/bytes.ts";
import type { Row } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { withHashes } from "../../transaction_hashes.ts";

/** Who sent an address its first native coins, and by which transaction. `amount` in base units, `time` in unix seconds. */
export type FirstFunder = Row<"first_funders"> & { readonly tx_hash: Hex };

/** Whether the first coins of an address are known to be the first: nothing before them is missing, calls inside neither. */
export const areFirstsKnown = ({ snapshot }: Pick<SnapshotContext, "snapshot">): boolean =>
  snapshot.coverage.complete && snapshot.coverage.traces;

/** First funders by address, absent where nobody funded it. Empty while it is not known what came first. */
export const readFirstFunders = async (
  { facts, snapshot, chain }: Pick<SnapshotContext, "facts" | "snapshot" | "chain">,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, FirstFunder>> => {
  if (addresses.length === 0 || !areFirstsKnown({ snapshot })) return new Map();
  const rows = await facts.ask(snapshot, "first_funders", {
    addresses: [...new Set(addresses)].sort(),
    wrapped: chain.network.wrapped_native ?? "",
  });
  return new Map((await withHashes({ facts, snapshot }, rows)).map((row) => [row.address, row]));
};
