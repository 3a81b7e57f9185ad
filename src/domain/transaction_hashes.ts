import type { Hex } from "../lib/bytes.ts";
import type { IndexedFacts } from "./context.ts";

/** Position of a transaction in the chain. */
export interface TransactionPosition {
  readonly block_number: number;
  readonly tx_index: number;
}

const keyOf = ({ block_number, tx_index }: TransactionPosition): string => `${block_number}:${tx_index}`;

/**
 * Hashes of the transactions at these places; '' for movements without a transaction: coins that a block issued, votes
 * stored as sums.
 */
export const transactionHashes = async (
  { facts, snapshot }: IndexedFacts,
  places: readonly TransactionPosition[],
): Promise<(scope: TransactionPosition) => Hex> => {
  const wanted = [...new Map(places.map((scope) => [keyOf(scope), scope])).values()];
  const found =
    wanted.length === 0
      ? []
      : await facts.ask(snapshot, "transaction_details", {
          blocks: wanted.map(({ block_number }) => block_number),
          indexes: wanted.map(({ tx_index }) => tx_index),
        });
  const hashes = new Map(found.map((row) => [keyOf(row), row.hash]));
  return (scope) => hashes.get(keyOf(scope)) ?? "";
};

/** Rows with the hash of their transaction. */
export const withHashes = async <R extends TransactionPosition>(
  asking: IndexedFacts,
  rows: readonly R[],
): Promise<readonly (R & { readonly tx_hash: Hex })[]> => {
  const hashOf = await transactionHashes(asking, rows);
  return rows.map((row) => ({ ...row, tx_hash: hashOf(row) }));
};
