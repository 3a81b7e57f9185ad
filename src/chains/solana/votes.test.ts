import { describe, expect, test } from "vitest";
import {
  answeredBlock,
  COMPUTE_BUDGET,
  payment,
  voteInstruction,
  voteTransaction,
} from "../../../test/solana/votes.ts";
import { madeKey, packed, SYSTEM } from "../../demo/solana/made_transaction.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { readBlock } from "./block.ts";
import { readRawTransaction } from "./transaction.ts";
import { isPlainVote } from "./votes.ts";
import { Keys } from "./wire.ts";

const [A, B, C] = [madeKey(11), madeKey(12), madeKey(13)];

const isPlain = (given: Partial<Parameters<typeof voteTransaction>[0]> = {}): boolean =>
  isPlainVote(
    readRawTransaction(voteTransaction({ payer: A, instructions: [voteInstruction(A)], ...given }), new Keys()),
  );

describe("a plain vote", () => {
  test("votes, in any of its forms, and may set its compute budget", () => {
    for (const tag of [2, 6, 8, 9, 12, 13, 14, 15])
      expect([tag, isPlain({ instructions: [voteInstruction(A, tag)] })]).toEqual([tag, true]);
    const budget = { program: COMPUTE_BUDGET, accounts: [], data: packed(["u8", 3], ["u64", 7]) };
    expect(isPlain({ instructions: [budget, voteInstruction(A)], fee: 5_400 })).toBe(true);
    expect(isPlain({ instructions: [budget] })).toBe(false);
  });

  test("does not change the vote account: its voter, its commission, its coins", () => {
    for (const tag of [0, 1, 3, 4, 5, 7, 10, 11, 16])
      expect([tag, isPlain({ instructions: [voteInstruction(A, tag)] })]).toEqual([tag, false]);
    expect(isPlain({ instructions: [voteInstruction(A), voteInstruction(A, 5)] })).toBe(false);
  });

  test("is not one that failed", () => {
    expect(isPlain({ error: { InstructionError: [0, { Custom: 0 }] } })).toBe(false);
  });

  test("has no other instruction, neither a payment nor a nonce's", () => {
    expect(isPlain({ instructions: [voteInstruction(A), payment(A, B, 0n)] })).toBe(false);
    // System program, AdvanceNonceAccount.
    const nonce = { program: SYSTEM, accounts: [C, A], data: packed(["u32", 4]) };
    expect(isPlain({ instructions: [nonce, voteInstruction(A)] })).toBe(false);
    expect(isPlain({ instructions: [{ ...voteInstruction(A), inner: [payment(A, B, 1n)] }] })).toBe(false);
  });

  test("is signed by its payer alone: an account that pays for another's vote is no voter", () => {
    expect(isPlain({ payer: B, signatures: 2 })).toBe(false);
  });

  test("moves only its fee, whatever its instructions say", () => {
    expect(isPlain({ paid: [[B, 1n]] })).toBe(false);
    expect(isPlain({ fee: 0 })).toBe(false);
  });

  test("is known without its inner instructions only if it has none", () => {
    const { meta, ...rest } = voteTransaction({ payer: A, instructions: [voteInstruction(A)] });
    const read = (innerInstructions: unknown) =>
      isPlainVote(readRawTransaction({ ...rest, meta: { ...meta, innerInstructions } }, new Keys()));
    expect([read([]), read(null)]).toEqual([true, false]);
  });

  test("is also recognized in a node's parsed form", () => {
    const { meta, transaction } = voteTransaction({ payer: A, instructions: [voteInstruction(A)] });
    const [program] = [voteInstruction(A).program];
    const parsed = (type: string) => ({
      meta,
      transaction: {
        ...transaction,
        message: { ...transaction.message, instructions: [{ programId: program, parsed: { type, info: {} } }] },
      },
    });
    const read = (type: string) => isPlainVote(readRawTransaction(parsed(type), new Keys()));
    expect([read("towersync"), read("withdraw")]).toEqual([true, false]);
  });
});

test("a block groups votes by voter, in the order of the first of each, and lists all else as transactions", () => {
  const vote = (payer: string, number: number, fee = 5_000) =>
    voteTransaction({ payer, instructions: [voteInstruction(payer)], number, fee });
  const json = answeredBlock(7, [
    vote(A, 0),
    voteTransaction({ payer: C, instructions: [payment(C, B, 9n)], paid: [[B, 9n]], number: 1 }),
    vote(B, 2),
    vote(A, 3, 5_250),
    voteTransaction({ payer: A, instructions: [voteInstruction(A)], number: 4, error: "any" }),
  ]);
  const { votes, transactions } = readBlock(json, 7, { verify: "header", votes: "summed" });
  expect(votes).toEqual([
    { voter: fromBase58(A), index: 0, count: 2, fee: 10_250n },
    { voter: fromBase58(B), index: 2, count: 1, fee: 5_000n },
  ]);
  expect(transactions.map(({ index }) => index)).toEqual([1, 4]);
  const singly = readBlock(json, 7, { verify: "header", votes: "singly" });
  expect([singly.votes, singly.transactions.length]).toEqual([[], 5]);
});
