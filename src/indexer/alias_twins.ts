import { isAlias, sharedToken } from "../domain/aliases.ts";
import { equalBytes, toHex } from "../lib/bytes.ts";
import type { BlockScope } from "./decode_scope.ts";
import type { TransfersRow } from "./rows.ts";

const sameMove = (one: TransfersRow, other: TransfersRow): boolean =>
  one.amount === other.amount && equalBytes(one.source, other.source) && equalBytes(one.destination, other.destination);

/**
 * Drops the movements of aliases that the owner of the balance reports too, in the same transaction: the balance moved
 * once. `from` is the first row of the transaction's logs; the owner's row may be before it (a coin that moved by value).
 */
export const dropAliasTwins = ({ network, rows }: BlockScope, from: number): void => {
  const { transfers } = rows;
  const { aliases } = network;
  if (aliases === undefined || from === transfers.length) return;
  const tx_index = transfers[from]?.tx_index;
  const own: TransfersRow[] = [];
  for (let at = transfers.length - 1; at >= 0 && transfers[at]?.tx_index === tx_index; at -= 1) {
    const row = transfers[at];
    if (row !== undefined) own.push(row);
  }
  const matched = new Set<TransfersRow>();
  const isTwin = (row: TransfersRow): boolean => {
    const token = toHex(row.token);
    if (!isAlias(network, token)) return false;
    const owner = sharedToken(network, token);
    const twin = own.find((other) => !matched.has(other) && toHex(other.token) === owner && sameMove(row, other));
    if (twin !== undefined) matched.add(twin);
    return twin !== undefined;
  };
  const kept = transfers.slice(from).filter((row) => !isTwin(row));
  transfers.length = from;
  transfers.push(...kept);
};
