import { MASS_RECEIVERS } from "../domain/token/metadata/spam.ts";
import { type Hex, toHex } from "../lib/bytes.ts";
import type { MassTransfersRow, TransfersRow } from "./rows.ts";

/** The columns of a transfer that identify its recipient. */
type SentTransfer = Pick<TransfersRow, "network" | "block_number" | "tx_index" | "token" | "destination">;

/**
 * The tokens that one transaction sent to more than `MASS_RECEIVERS` distinct addresses (the void is one), without the
 * native coin; in the order of the transfers. Pure.
 */
export const massTransfersOf = (transfers: readonly SentTransfer[]): MassTransfersRow[] => {
  const crowds = crowdedOf(transfers);
  if (crowds.size === 0) return [];
  const found = new Map<string, { readonly first: SentTransfer; readonly receivers: Set<Hex> }>();
  for (const row of transfers) {
    if (row.token.length === 0 || !crowds.get(row.block_number)?.has(row.tx_index)) continue;
    const key = `${row.block_number}:${row.tx_index}:${toHex(row.token)}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { first: row, receivers: new Set([toHex(row.destination)]) });
    else known.receivers.add(toHex(row.destination));
  }
  return [...found.values()].flatMap(({ first: { network, block_number, tx_index, token }, receivers }) =>
    receivers.size > MASS_RECEIVERS ? [{ network, block_number, tx_index, token, receivers: receivers.size }] : [],
  );
};

/** Transactions with that many transfers of tokens, by block. They are rare, so that most rows are only counted. */
const crowdedOf = (transfers: readonly SentTransfer[]): ReadonlyMap<number, ReadonlySet<number>> => {
  const counts = new Map<number, Map<number, number>>();
  const crowded = new Map<number, Set<number>>();
  for (const { token, block_number, tx_index } of transfers) {
    if (token.length === 0) continue;
    const block = counts.get(block_number) ?? new Map<number, number>();
    const count = (block.get(tx_index) ?? 0) + 1;
    counts.set(block_number, block.set(tx_index, count));
    if (count !== MASS_RECEIVERS + 1) continue;
    crowded.set(block_number, (crowded.get(block_number) ?? new Set<number>()).add(tx_index));
  }
  return crowded;
};
