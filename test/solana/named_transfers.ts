/** Made transactions whose accounts have names, and their movements as readable lines. */
import { expect } from "vitest";
import { type Effects, effectsOf } from "../../src/chains/solana/logless_transfers.ts";
import { readRawTransaction } from "../../src/chains/solana/transaction.ts";
import { Keys } from "../../src/chains/solana/wire.ts";
import { faultsOf } from "../../src/demo/solana/equation.ts";
import {
  type MadeTransaction,
  madeKey,
  madeTransaction,
  TOKEN,
  WRAPPED,
} from "../../src/demo/solana/made_transaction.ts";
import { toBase58 } from "../../src/lib/base58.ts";

export const [ALICE, BOB, MINT, ALICE_TOKENS, BOB_TOKENS, CAROL] = [1, 2, 3, 4, 5, 6].map(madeKey) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const NAMES: Readonly<Record<string, string>> = {
  [ALICE]: "alice",
  [BOB]: "bob",
  [CAROL]: "carol",
  [MINT]: "mint",
  [ALICE_TOKENS]: "alice's",
  [BOB_TOKENS]: "bob's",
  [WRAPPED]: "wsol",
};
export const RENT = 2_039_280n;

export const nameOf = (bytes: Uint8Array): string => (bytes.length === 0 ? "-" : (NAMES[toBase58(bytes)] ?? "?"));

export const effects = (made: MadeTransaction): Effects => {
  const answered = madeTransaction(made);
  const result = effectsOf(readRawTransaction(answered, new Keys()));
  expect(faultsOf(answered, result)).toEqual([]);
  return result;
};

export const namedTransfers = (made: MadeTransaction): string[] =>
  effects(made).moves.map(
    ({ kind, token, source, destination, amount }) =>
      `${kind} ${nameOf(token)} ${nameOf(source)}>${nameOf(destination)} ${amount}`,
  );

export const tokens = (owner: string, amount: bigint, program = TOKEN) => ({ mint: MINT, owner, amount, program });
export const quiet = (address: string) => [address, RENT, RENT] as const;
