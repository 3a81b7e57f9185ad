import type { EventLog } from "../chains/chain.ts";
import { type Bytes, EMPTY, equalBytes, toHex } from "../lib/bytes.ts";
import type { DestructionFact, TransferFact } from "./protocol.ts";

type LogDecoder = (log: EventLog) => readonly { readonly fact: string }[];

/** Key that two events of the same movement share. */
export const twinKey = ({ source, destination, amount }: TransferFact): string =>
  `${toHex(source)}>${toHex(destination)}:${amount}`;

/** The transfer to the void that a destruction amounts to. */
export const burnOf = ({ holder, amount }: DestructionFact): TransferFact => ({
  fact: "transfer",
  kind: "erc20",
  token_id: 0n,
  source: holder,
  destination: EMPTY,
  amount,
});

const isTransfer = (found: { readonly fact: string }): found is TransferFact => found.fact === "transfer";

/**
 * Mints and burns among a token's own Transfers, counted by `twinKey`. Some wrapped coins emit a Transfer in addition to
 * Deposit or Withdrawal, some issuers in addition to their destruction event: each Transfer replaces one such event.
 */
export const mintsAndBurns = (logs: readonly EventLog[], token: Bytes, decode: LogDecoder): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const log of logs) {
    if (!equalBytes(log.address, token)) continue;
    for (const found of decode(log)) {
      if (!isTransfer(found) || found.kind !== "erc20") continue;
      if (found.source.length > 0 && found.destination.length > 0) continue;
      counts.set(twinKey(found), (counts.get(twinKey(found)) ?? 0) + 1);
    }
  }
  return counts;
};
