import type { Hex } from "../../../lib/bytes.ts";
import type { Row, Snapshot } from "../../../store/facts.ts";
import type { HeldFacts } from "../../context.ts";
import { firstAtLeast, type Movements } from "./movements.ts";
import type { ReadMovements } from "./read_movements.ts";

/** Of so many movements the sums are made here; of more the store has them. */
const SUMMED_MAX = 20_000;

interface TokenSum {
  readonly token: Hex;
  readonly amount: bigint;
  readonly last_block: number;
}

/** What all movements up to the snapshot's block add up to, by token, with what there was before the first block: `Facts.walletBalances`. */
const sumsOf = (
  { block }: Pick<Snapshot, "block">,
  movements: Movements,
  stored: readonly Row<"wallet_openings">[],
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

interface Asked {
  readonly wallet: Hex;
  /** From the wallet's first movement on. */
  readonly read: ReadMovements;
}

/** What the wallet has of each token by its transfers, where its movements are at hand. */
export const readTokenSums = async (
  { facts, snapshot }: HeldFacts,
  { wallet, read }: Asked,
): Promise<readonly TokenSum[]> => {
  const { movements, since } = read;
  if (since !== 0 || movements.length > SUMMED_MAX) return facts.walletBalances(snapshot, wallet);
  return sumsOf(snapshot, movements, await facts.ask(snapshot, "wallet_openings", { wallet }));
};
