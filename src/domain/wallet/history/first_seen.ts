import type { Hex } from "../../../lib/bytes.ts";
import { transactionHashes } from "../../transaction_hashes.ts";
import { hashesOf, type ValuedHistory } from "./history.ts";

/**
 * Time and transaction of a wallet's first movement; the hash is '' when a block issued coins without a transaction.
 */
export interface FirstSeen {
  readonly tx_hash: Hex;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * The first movement that is no spam. For a wallet with more movements than a history holds, the very first one. Null
 * without any.
 */
export const readFirstSeen = async (history: ValuedHistory): Promise<FirstSeen | null> => {
  const { scope, wallet, movements, spam, first, end, is_whole } = history;
  if (!is_whole) {
    const [found] = await scope.facts.ask(scope.snapshot, "history/first_movement", { wallet });
    if (found === undefined) return null;
    const hashOf = await transactionHashes(scope, [found]);
    return { tx_hash: hashOf(found), time: found.time };
  }
  let row = first;
  while (row < end && (spam[row] ?? 0) !== 0) row += 1;
  if (row === end) return null;
  const hashOf = await hashesOf(history, [row]);
  return { tx_hash: hashOf(row), time: movements.time[row] ?? 0 };
};
