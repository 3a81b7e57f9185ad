import type { Hex } from "../lib/bytes.ts";
import type { HeldFacts } from "./context.ts";

/** Position of a transaction in the chain. */
export interface TransactionPlace {
  readonly block_number: number;
  readonly tx_index: number;
}

const keyOf = ({ block_number, tx_index }: TransactionPlace): string => `${block_number}:${tx_index}`;

/**
 * Hashes of the transactions at these positions; '' without a transaction: coins issued by a block, votes stored as
 * sums.
 */
export const transactionHashes = async (
  { facts, snapshot }: HeldFacts,
  places: readonly TransactionPlace[],
): Promise<(scope: TransactionPlace) => Hex> => {
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

/** Rows with the hash of their transactions. */
export const withHashes = async <R extends TransactionPlace>(
  asking: HeldFacts,
  rows: readonly R[],
): Promise<readonly (R & { readonly tx_hash: Hex })[]> => {
  const hashOf = await transactionHashes(asking, rows);
  return rows.map((row) => ({ ...row, tx_hash: hashOf(row) }));
};
