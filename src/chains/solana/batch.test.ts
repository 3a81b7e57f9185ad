import { expect, test } from "vitest";
import { type MadeTransaction, madeKey, madeTransaction, packed, TOKEN } from "../../demo/solana/made_transaction.ts";
import { toBase58 } from "../../lib/base58.ts";
import { effectsOf } from "./logless_transfers.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const [ALICE, BOB, MINT, ALICES, BOBS, CAROL] = [1, 2, 3, 4, 5, 6].map(madeKey) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const RENT = 2_039_280n;

/** The token program's batch: tag 255, then for each part the number of accounts, the length of the data, the data. */
const batch = (...parts: readonly (readonly [accounts: number, data: Uint8Array])[]): Buffer =>
  Buffer.concat([Buffer.of(255), ...parts.flatMap(([count, data]) => [Buffer.of(count, data.length), data])]);

const held = (owner: string, amount: bigint) => ({ mint: MINT, owner, amount });

const effects = (data: Uint8Array) => {
  const made: MadeTransaction = {
    lamports: [
      [ALICE, 10_000n, 5_000n],
      [ALICES, RENT, RENT],
      [BOBS, RENT, RENT],
    ],
    tokens: [
      [ALICES, held(ALICE, 100n), held(ALICE, 70n)],
      [BOBS, held(BOB, 1n), held(BOB, 31n)],
    ],
    instructions: [
      { program: TOKEN, accounts: [ALICES, BOBS, ALICE, ALICES, MINT, ALICE, ALICES, CAROL, ALICE], data },
    ],
  };
  return effectsOf(readRawTransaction(madeTransaction(made), new Keys()));
};

test("a batch does what its parts do, in order", () => {
  // Alice's account sends 30 to Bob's, is frozen, and lets Carol take 9 of it.
  const { moves, freezes, approvals } = effects(
    batch([3, packed(["u8", 3], ["u64", 30])], [3, packed(["u8", 10])], [3, packed(["u8", 4], ["u64", 9])]),
  );
  expect(
    moves.map(({ source, destination, amount }) => [toBase58(source), toBase58(destination), Number(amount)]),
  ).toEqual([[ALICE, BOB, 30]]);
  expect(freezes.map(({ effect, account, holding }) => [effect, toBase58(account), toBase58(holding)])).toEqual([
    ["freeze", ALICE, ALICES],
  ]);
  expect(approvals.map(({ owner, spender, amount }) => [toBase58(owner), toBase58(spender), Number(amount)])).toEqual([
    [ALICE, CAROL, 9],
  ]);
});

test("a truncated batch has no effects, and the balances still show the payment", () => {
  const whole = batch([3, packed(["u8", 3], ["u64", 30])], [3, packed(["u8", 10])]);
  for (let length = 1; length < whole.length; length += 1) {
    const { moves, freezes } = effects(whole.subarray(0, length));
    expect(freezes).toEqual([]);
    expect(moves.map(({ amount }) => Number(amount))).toEqual([30]);
  }
});
