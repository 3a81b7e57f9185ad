import { expect, test } from "vitest";
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  CAROL,
  namedTransfers,
  quiet,
  RENT,
  tokens,
} from "../../../test/solana/named_transfers.ts";
import { packed, SYSTEM, TOKEN, WRAPPED } from "../../demo/solana/made_transaction.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { Accounts } from "./accounts.ts";
import { stepsOf } from "./instructions.ts";
import type { SolanaInstruction } from "./transaction.ts";
import { Keys } from "./wire.ts";

test("an account that is closed after its last tokens have left pays its rent to the account that its owner names", () => {
  const moves = namedTransfers({
    lamports: [[ALICE, 10_000n, 5_000n], [ALICE_TOKENS, RENT, 0n], quiet(BOB_TOKENS), [CAROL, 0n, RENT]],
    tokens: [
      [ALICE_TOKENS, tokens(ALICE, 9n), null],
      [BOB_TOKENS, tokens(BOB, 0n), tokens(BOB, 9n)],
    ],
    instructions: [
      { program: TOKEN, accounts: [ALICE_TOKENS, BOB_TOKENS, ALICE], data: packed(["u8", 3], ["u64", 9]) },
      { program: TOKEN, accounts: [ALICE_TOKENS, CAROL, ALICE], data: packed(["u8", 9]) },
    ],
  });
  expect(moves).toEqual(["spl mint alice>bob 9", `rent - alice's>carol ${RENT}`]);
});

test("an account that is opened with its amount inside paid rent only for its 165 bytes", () => {
  const moves = namedTransfers({
    lamports: [
      [ALICE, 9_000_000n, 9_000_000n - 5_000n - RENT - 900n],
      [ALICE_TOKENS, 0n, RENT + 900n],
    ],
    tokens: [[ALICE_TOKENS, null, { mint: WRAPPED, owner: ALICE, amount: 900n }]],
    instructions: [
      {
        program: SYSTEM,
        accounts: [ALICE, ALICE_TOKENS],
        data: packed(["u32", 0], ["u64", RENT + 900n], ["u64", 165], fromBase58(TOKEN) ?? Buffer.alloc(0)),
      },
      {
        program: TOKEN,
        accounts: [ALICE_TOKENS, WRAPPED],
        data: packed(["u8", 18], fromBase58(ALICE) ?? Buffer.alloc(0)),
      },
    ],
  });
  // (128 + 165) * 6960 = 2039280.
  expect(moves).toEqual(["rent - alice>alice's 2039280", "native - alice>alice's 900", "wrap wsol ->alice 900"]);
});

test("an amount unwrapped from an account that was filled and never synced is not rent", () => {
  const moves = namedTransfers({
    lamports: [
      [ALICE, 50_000n, 45_000n + RENT + 7n],
      [ALICE_TOKENS, RENT + 7n, 0n],
    ],
    tokens: [[ALICE_TOKENS, { mint: WRAPPED, owner: ALICE, amount: 7n }, null]],
    instructions: [
      { program: SYSTEM, accounts: [ALICE, ALICE_TOKENS], data: packed(["u32", 2], ["u64", 900]) },
      { program: TOKEN, accounts: [ALICE_TOKENS, ALICE, ALICE], data: packed(["u8", 9]) },
    ],
  });
  expect(moves).toEqual([
    "native - alice>alice's 900",
    "wrap wsol alice>- 7",
    "internal - alice's>alice 907",
    `rent - alice's>alice ${RENT}`,
  ]);
});

test("an instruction that opens an account states its size, with a seed or without, in bytes or parsed by the node", () => {
  const list = [SYSTEM, ALICE, ALICE_TOKENS].map((text) => fromBase58(text) ?? Buffer.alloc(0));
  const accounts = new Accounts(list, new Keys());
  const read = (call: SolanaInstruction["call"]) => stepsOf({ depth: 1, program: 0, call }, accounts);
  const raw = (data: Uint8Array) => read({ accounts: [1, 2], data });
  const [seed, owner] = [packed(["u64", 3], Buffer.from("abc")), Buffer.alloc(32)];
  const info = { source: ALICE, newAccount: ALICE_TOKENS, lamports: 20, space: 82 };
  const opening = [{ does: "pay", from: 1, to: 2, lamports: 20n, space: 82n }];
  expect(raw(packed(["u32", 0], ["u64", 20], ["u64", 82], owner))).toEqual(opening);
  expect(raw(packed(["u32", 3], Buffer.alloc(32), seed, ["u64", 20], ["u64", 82], owner))).toEqual(opening);
  expect(read({ type: "createAccount", info })).toEqual(opening);
  expect(read({ type: "createAccountWithSeed", info })).toEqual(opening);
  expect(raw(packed(["u32", 2], ["u64", 20]))).toEqual([{ ...opening[0], space: null }]);
});
