/** Votes of validators in the form of a node's answer, beside other transactions of a block. */
import {
  type MadeInstruction,
  madeKey,
  madeTransaction,
  packed,
  SYSTEM,
} from "../../src/demo/solana/made_transaction.ts";
import { toBase58 } from "../../src/lib/base58.ts";

const VOTE = "Vote111111111111111111111111111111111111111";
export const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const TOWER_SYNC = 14;
const HELD = 10_000_000_000n;

/** An instruction of the vote program by its number, on the vote account of a validator. */
export const voteInstruction = (voter: string, tag = TOWER_SYNC): MadeInstruction => ({
  program: VOTE,
  accounts: [madeKey(0xee), voter],
  data: packed(["u32", tag], Buffer.alloc(40, 5)),
});

export const payment = (from: string, to: string, lamports: bigint): MadeInstruction => ({
  program: SYSTEM,
  accounts: [from, to],
  data: packed(["u32", 2], ["u64", lamports]),
});

interface VoteTransaction {
  readonly payer: string;
  readonly instructions: readonly MadeInstruction[];
  readonly fee?: number;
  readonly error?: unknown;
  /** Gains of other accounts, which the payer loses. */
  readonly paid?: readonly (readonly [to: string, lamports: bigint])[];
  /** Distinguishes transactions of a block. */
  readonly number?: number;
  readonly signatures?: number;
}

/** In the form of `getBlock` in encoding `json`. */
export const voteTransaction = ({
  payer,
  instructions,
  fee = 5_000,
  paid = [],
  number = 0,
  signatures = 1,
  ...rest
}: VoteTransaction) => {
  const all = paid.reduce((sum, [, lamports]) => sum + lamports, 0n);
  const made = madeTransaction({
    lamports: [
      [payer, HELD, HELD - BigInt(fee) - all],
      ...paid.map(([to, lamports]) => [to, HELD, HELD + lamports] as const),
    ],
    instructions,
    fee,
    ...rest,
  });
  const names = Array.from({ length: signatures }, (_, i) =>
    toBase58(Buffer.concat([packed(["u32", number], ["u32", i]), Buffer.alloc(56, 9)])),
  );
  return { ...made, transaction: { ...Object(made.transaction), signatures: names } };
};

/** A node's answer to `getBlock`. */
export const answeredBlock = (slot: number, transactions: readonly object[]) => ({
  blockhash: toBase58(Buffer.alloc(32, slot + 1)),
  previousBlockhash: toBase58(Buffer.alloc(32, slot)),
  parentSlot: slot - 1,
  blockTime: 1_767_225_600 + slot,
  blockHeight: slot,
  transactions,
  rewards: [],
});
