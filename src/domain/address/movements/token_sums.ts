import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import type { IndexedFacts } from "../../context.ts";
import { firstAtLeast, type Movements } from "./movements.ts";
import type { ReadMovements } from "./read_movements.ts";

/** Up to this many movements are summed here; above it the store sums them. */
const SUMMED_MAX = 20_000;

interface TokenSum {
  readonly token: Hex;
  readonly amount: bigint;
  readonly last_block: number;
}

/**
 * Net amount of all movements up to the snapshot's block, by token, with the holdings before the first block:
 * `Facts.walletBalances`.
 */
const sumsOf = (
  { block }: Pick<Snapshot, "block">,
  movements: Movements,
  stored: readonly QueryRow<"wallet_openings">[],
): readonly TokenSum[] => {
  const end = firstAtLeast(movements.block_number, block.number + 1);
  const sums = new Map<Hex, TokenSum>();
  const add = (token: Hex, amount: bigint, at: number): void => {
    const known = sums.get(token);
    const last_block = Math.max(known?.last_block ?? 0, at);
    sums.set(token, { token, amount: (known?.amount ?? 0n) + amount, last_block });
  };
  for (const { token, amount, block_number } of stored) add(token, amount, block_number);
  for (let row = 0; row < end; row += 1) {
    const amount = movements.amountAt(row);
    add(movements.tokenAt(row), movements.direction[row] === 1 ? amount : -amount, movements.block_number[row] ?? 0);
  }
  return [...sums.values()];
};

interface TokenSumsQuery {
  readonly wallet: Hex;
  /** Movements from the wallet's first one on. */
  readonly read: ReadMovements;
}

/** Balances of the wallet by its transfers, when its movements are in memory. */
export const readTokenSums = async (
  { facts, snapshot }: IndexedFacts,
  { wallet, read }: TokenSumsQuery,
): Promise<readonly TokenSum[]> => {
  const { movements, since } = read;
  if (since !== 0 || movements.length > SUMMED_MAX) return facts.walletBalances(snapshot, wallet);
  return sumsOf(snapshot, movements, await facts.ask(snapshot, "wallet_openings", { wallet }));
};
