import type { EventLog } from "../chains/chain.ts";
import { type Bytes, EMPTY, equalBytes, toHex } from "../lib/bytes.ts";
import type { DestructionFact, TransferFact } from "./protocol.ts";

type LogDecoder = (log: EventLog) => readonly { readonly fact: string }[];

/** What two tellings of one movement have in common. */
export const twinKey = ({ source, destination, amount }: TransferFact): string =>
  `${toHex(source)}>${toHex(destination)}:${amount}`;

/** What was destroyed where it lay, as the movement that it is. */
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
 * Mints and burns that a token's own Transfers tell, counted by `twinKey`. Some wrapped coins emit Transfer beside
 * Deposit or Withdrawal, some issuers beside their own destruction event: each Transfer excuses one such event.
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
