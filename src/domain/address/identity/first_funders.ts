import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { withHashes } from "../../transaction_hashes.ts";

/** Sender of an address's first native coins, with the transaction. `amount` in base units, `time` in unix seconds. */
export type FirstFunder = QueryRow<"first_funders"> & { readonly tx_hash: Hex };

/** Whether the first coins of an address are certain: no earlier block or inner call is missing. */
export const areFirstsKnown = ({ snapshot }: Pick<SnapshotContext, "snapshot">): boolean =>
  snapshot.coverage.complete && snapshot.coverage.traces;

/** First funders by address; an address without funding is absent. Empty while earlier history is missing. */
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
