import type { Effects } from "../../chains/solana/logless_transfers.ts";
import { readRawTransaction } from "../../chains/solana/transaction.ts";
import { Keys } from "../../chains/solana/wire.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";

/** The part of a node's answer that the equation uses. */
export interface AnsweredTransaction {
  readonly transaction: unknown;
  readonly meta: {
    readonly fee: number;
    readonly preBalances: readonly (number | string)[];
    readonly postBalances: readonly (number | string)[];
    readonly preTokenBalances?: readonly AnsweredToken[] | null;
    readonly postTokenBalances?: readonly AnsweredToken[] | null;
  };
}

interface AnsweredToken {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly programId?: string;
  readonly uiTokenAmount: { readonly amount: string };
}

const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const hexOf = (text: string): Hex => toHex(fromBase58(text) ?? new Uint8Array(0));

/**
 * Every account and every owner for whom the balance before plus our moves differs from the balance after, as
 * sentences. The balances are summed from the answer itself, not from our parser's result.
 */
export const faultsOf = (answered: AnsweredTransaction, { moves }: Pick<Effects, "moves">): string[] => {
  const { accounts } = readRawTransaction(answered, new Keys());
  const { meta } = answered;
  const expected = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => {
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  meta.postBalances.forEach((after, i) => {
    add(expected, `/${accounts.hex(i)}`, BigInt(after) - BigInt(meta.preBalances[i] ?? 0));
  });
  add(expected, `/${accounts.hex(0)}`, BigInt(meta.fee));
  const beside = new Set<string>();
  const addTokens = (list: readonly AnsweredToken[] | null | undefined, sign: bigint): void => {
    for (const { accountIndex, mint, owner, programId, uiTokenAmount } of list ?? []) {
      const holder = owner === undefined ? accounts.hex(accountIndex) : hexOf(owner);
      add(expected, `${hexOf(mint)}/${holder}`, sign * BigInt(uiTokenAmount.amount));
      if (programId === TOKEN_2022) beside.add(`${hexOf(mint)}/${hexOf(mint)}`);
    }
  };
  addTokens(meta.preTokenBalances, -1n);
  addTokens(meta.postTokenBalances, 1n);
  const told = new Map<string, bigint>();
  for (const { token, source, destination, amount } of moves) {
    if (source.length > 0) add(told, `${toHex(token)}/${toHex(source)}`, -amount);
    if (destination.length > 0) add(told, `${toHex(token)}/${toHex(destination)}`, amount);
  }
  return [...new Set([...expected.keys(), ...told.keys()])]
    .filter((key) => !beside.has(key) && (expected.get(key) ?? 0n) !== (told.get(key) ?? 0n))
    .map((key) => `${key}: ${expected.get(key) ?? 0n} by the node, ${told.get(key) ?? 0n} by our moves`);
};
