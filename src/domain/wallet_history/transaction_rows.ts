import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import type { Flows } from "../flows/wallet_flows.ts";

export type TransactionRow = Row<"wallet_history/transactions">;

/** A wallet's transactions of the flows' window, newest first. `type` '': of every type. */
export const readTransactionRows = (
  { facts, snapshot }: Pick<SnapshotContext, "facts" | "snapshot">,
  { sources }: Flows,
  { type, limit }: { readonly type: string; readonly limit: number },
): Promise<readonly TransactionRow[]> =>
  facts.ask(snapshot, "wallet_history/transactions", { ...sources, type, limit });
