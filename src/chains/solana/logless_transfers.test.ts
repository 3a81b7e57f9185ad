import { describe, expect, test } from "vitest";
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  BOB_TOKENS,
  CAROL,
  effects,
  MINT,
  namedTransfers,
  nameOf,
  quiet,
  RENT,
  tokens,
} from "../../../test/solana/named_transfers.ts";
import {
  type MadeTransaction,
  madeKey,
  packed,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  WRAPPED,
} from "../../demo/solana/made_transaction.ts";
import { fromBase58 } from "../../lib/base58.ts";

describe("SOL", () => {
  test("transfers of the system program, with and without a seed, name payer and payee", () => {
    const seed = packed(["u64", 3], Buffer.from("abc"));
    const moves = namedTransfers({
      lamports: [
        [ALICE, 100_000n, 100_000n - 5_000n - 70n - 20n],
        [BOB, 50n, 50n + 70n - 5n],
        [CAROL, 0n, 5n + 20n],
      ],
      instructions: [
        { program: SYSTEM, accounts: [ALICE, BOB], data: packed(["u32", 2], ["u64", 70]) },
        {
          program: SYSTEM,
          accounts: [BOB, ALICE, CAROL],
          data: packed(["u32", 11], ["u64", 5], seed, Buffer.alloc(32)),
        },
        {
          program: SYSTEM,
          accounts: [ALICE, CAROL],
          data: packed(["u32", 3], Buffer.alloc(32), seed, ["u64", 20], ["u64", 0], Buffer.alloc(32)),
        },
      ],
    });
    expect(moves).toEqual(["native - alice>bob 70", "native - bob>carol 5", "rent - alice>carol 20"]);
  });

  test("unexplained changes are netted in the order of the accounts, and a gain without an owner is rent", () => {
    const moves = namedTransfers({
      lamports: [
        [ALICE, 10_000n, 4_000n],
        [BOB, 300n, 0n],
        [CAROL, 0n, 1_200n],
      ],
      instructions: [],
    });
    // Beyond her fee of 5000 Alice lost 1000, Bob 300; Carol gained 1200, so 100 of Bob's are gone.
    expect(moves).toEqual(["internal - alice>carol 1000", "internal - bob>carol 200", "internal - bob>- 100"]);
  });

  test("a failed transaction moves nothing, whatever its instructions say", () => {
    const transfer = { program: SYSTEM, accounts: [ALICE, BOB], data: packed(["u32", 2], ["u64", 70]) };
    const error = { InstructionError: [0, { Custom: 1 }] };
    const lamports = [
      [ALICE, 10_000n, 5_000n],
      [BOB, 1n, 1n],
    ] as const;
    expect(namedTransfers({ lamports, instructions: [transfer], error })).toEqual([]);
  });
});

describe("tokens", () => {
  const pair = [[ALICE, 10_000n, 5_000n], quiet(ALICE_TOKENS), quiet(BOB_TOKENS)] as const;

  test("a transfer, a mint and a burn name the owners, not their accounts", () => {
    const moves = namedTransfers({
      lamports: pair,
      tokens: [
        [ALICE_TOKENS, tokens(ALICE, 100n), tokens(ALICE, 100n - 30n + 8n)],
        [BOB_TOKENS, tokens(BOB, 1n), tokens(BOB, 1n + 30n - 2n)],
      ],
      instructions: [
        { program: TOKEN, accounts: [ALICE_TOKENS, BOB_TOKENS, ALICE], data: packed(["u8", 3], ["u64", 30]) },
        { program: TOKEN, accounts: [MINT, ALICE_TOKENS, ALICE], data: packed(["u8", 7], ["u64", 8]) },
        { program: TOKEN, accounts: [BOB_TOKENS, MINT, BOB], data: packed(["u8", 15], ["u64", 2], ["u8", 6]) },
      ],
    });
    expect(moves).toEqual(["spl mint alice>bob 30", "spl mint ->alice 8", "spl mint bob>- 2"]);
  });

  test("between two accounts of one owner nothing moves", () => {
    const made = {
      lamports: pair,
      tokens: [
        [ALICE_TOKENS, tokens(ALICE, 100n), tokens(ALICE, 60n)],
        [BOB_TOKENS, tokens(ALICE, 0n), tokens(ALICE, 40n)],
      ] as const,
      instructions: [
        { program: TOKEN, accounts: [ALICE_TOKENS, BOB_TOKENS, ALICE], data: packed(["u8", 3], ["u64", 40]) },
      ],
    };
    expect(namedTransfers(made)).toEqual([]);
  });

  test("an account that changes its owner moves its tokens too", () => {
    const moves = namedTransfers({
      lamports: pair,
      tokens: [[ALICE_TOKENS, tokens(ALICE, 100n), tokens(BOB, 100n)]],
      instructions: [
        {
          program: TOKEN,
          accounts: [ALICE_TOKENS, ALICE],
          data: packed(["u8", 6], ["u8", 2], ["u8", 1], fromBase58(BOB) ?? Buffer.alloc(0)),
        },
      ],
    });
    expect(moves).toEqual(["spl mint alice>bob 100"]);
  });

  test("a transfer from an account after a change of owner leaves its new owner", () => {
    const carols = madeKey(7);
    const moves = namedTransfers({
      lamports: [...pair, quiet(carols)],
      tokens: [
        [ALICE_TOKENS, tokens(ALICE, 100n), tokens(BOB, 70n)],
        [carols, tokens(CAROL, 0n), tokens(CAROL, 30n)],
      ],
      instructions: [
        {
          program: TOKEN,
          accounts: [ALICE_TOKENS, ALICE],
          data: packed(["u8", 6], ["u8", 2], ["u8", 1], fromBase58(BOB) ?? Buffer.alloc(0)),
        },
        { program: TOKEN, accounts: [ALICE_TOKENS, carols, BOB], data: packed(["u8", 3], ["u64", 30]) },
      ],
    });
    expect(moves).toEqual(["spl mint alice>bob 100", "spl mint bob>carol 30"]);
  });

  test("a withheld fee belongs to the mint, stated or not, and returns from it", () => {
    const checked = packed(["u8", 12], ["u64", 100], ["u8", 6]);
    const with_fee = packed(["u8", 26], ["u8", 1], ["u64", 100], ["u8", 6], ["u64", 3]);
    const send = (data: Uint8Array): string[] =>
      namedTransfers({
        lamports: pair,
        tokens: [
          [ALICE_TOKENS, tokens(ALICE, 100n, TOKEN_2022), tokens(ALICE, 0n, TOKEN_2022)],
          [BOB_TOKENS, tokens(BOB, 0n, TOKEN_2022), tokens(BOB, 97n, TOKEN_2022)],
        ],
        instructions: [{ program: TOKEN_2022, accounts: [ALICE_TOKENS, MINT, BOB_TOKENS, ALICE], data }],
      });
    expect(send(with_fee)).toEqual(["spl mint alice>bob 97", "spl mint alice>mint 3"]);
    expect(send(checked)).toEqual(["spl mint alice>bob 100", "spl mint bob>mint 3"]);
    const withdrawn = namedTransfers({
      lamports: pair,
      tokens: [[ALICE_TOKENS, tokens(ALICE, 0n, TOKEN_2022), tokens(ALICE, 3n, TOKEN_2022)]],
      instructions: [
        { program: TOKEN_2022, accounts: [MINT, ALICE_TOKENS, ALICE], data: packed(["u8", 26], ["u8", 2]) },
      ],
    });
    expect(withdrawn).toEqual(["spl mint mint>alice 3"]);
  });

  test("freezing and thawing name the owner", () => {
    const instruction = (tag: number) => ({
      program: TOKEN,
      accounts: [ALICE_TOKENS, MINT, BOB],
      data: packed(["u8", tag]),
    });
    const { freezes } = effects({
      lamports: pair,
      tokens: [[ALICE_TOKENS, tokens(ALICE, 9n), tokens(ALICE, 9n)]],
      instructions: [instruction(10), instruction(11)],
    });
    expect(freezes.map(({ effect, token, account }) => [effect, nameOf(token), nameOf(account)])).toEqual([
      ["freeze", "mint", "alice"],
      ["unfreeze", "mint", "alice"],
    ]);
  });
});

describe("wrapped SOL", () => {
  test("lamports become the owner's token when the account is synced, and SOL again when it is closed", () => {
    const wrapped = (amount: bigint) => ({ mint: WRAPPED, owner: ALICE, amount });
    const made = (instructions: MadeTransaction["instructions"], ends: readonly [bigint, bigint, bigint | null]) =>
      namedTransfers({
        lamports: [
          [ALICE, 50_000n, ends[0]],
          [ALICE_TOKENS, RENT + 7n, ends[1]],
        ],
        tokens: [[ALICE_TOKENS, wrapped(7n), ends[2] === null ? null : wrapped(ends[2])]],
        instructions,
      });
    const pay = { program: SYSTEM, accounts: [ALICE, ALICE_TOKENS], data: packed(["u32", 2], ["u64", 900]) };
    const sync = { program: TOKEN, accounts: [ALICE_TOKENS], data: packed(["u8", 17]) };
    const close = { program: TOKEN, accounts: [ALICE_TOKENS, ALICE, ALICE], data: packed(["u8", 9]) };
    expect(made([pay, sync], [50_000n - 5_000n - 900n, RENT + 907n, 907n])).toEqual([
      "native - alice>alice's 900",
      "wrap wsol ->alice 900",
    ]);
    expect(made([close], [45_000n + RENT + 7n, 0n, null])).toEqual([
      "wrap wsol alice>- 7",
      "internal - alice's>alice 7",
      `rent - alice's>alice ${RENT}`,
    ]);
  });

  /** Alice opens an account, fills it with 900, sends 300 of it to Bob, and closes it. */
  const passingThrough = (sync: Uint8Array): string[] =>
    namedTransfers({
      lamports: [
        [ALICE, 9_000_000n, 9_000_000n - 5_000n - 300n],
        [ALICE_TOKENS, 0n, 0n],
        [BOB_TOKENS, RENT, RENT + 300n],
      ],
      tokens: [[BOB_TOKENS, { mint: WRAPPED, owner: BOB, amount: 0n }, { mint: WRAPPED, owner: BOB, amount: 300n }]],
      instructions: [
        {
          program: SYSTEM,
          accounts: [ALICE, ALICE_TOKENS],
          data: packed(["u32", 0], ["u64", RENT], ["u64", 165], fromBase58(TOKEN) ?? Buffer.alloc(0)),
        },
        {
          program: TOKEN,
          accounts: [ALICE_TOKENS, WRAPPED],
          data: packed(["u8", 18], fromBase58(ALICE) ?? Buffer.alloc(0)),
        },
        { program: SYSTEM, accounts: [ALICE, ALICE_TOKENS], data: packed(["u32", 2], ["u64", 900]) },
        { program: TOKEN, accounts: [ALICE_TOKENS], data: sync },
        { program: TOKEN, accounts: [ALICE_TOKENS, BOB_TOKENS, ALICE], data: packed(["u8", 3], ["u64", 300]) },
        { program: TOKEN, accounts: [ALICE_TOKENS, ALICE, ALICE], data: packed(["u8", 9]) },
      ],
    });
  const BEFORE = [`rent - alice>alice's ${RENT}`, "native - alice>alice's 900"];
  const SENT = ["spl wsol alice>bob 300", "internal - alice's>bob's 300"];
  const CLOSED = ["internal - alice's>alice 600", `rent - alice's>alice ${RENT}`];

  test("an account that lives within one transaction wraps, sends and unwraps", () => {
    const moves = passingThrough(packed(["u8", 17]));
    expect(moves).toEqual([...BEFORE, "wrap wsol ->alice 900", ...SENT, "wrap wsol alice>- 600", ...CLOSED]);
  });

  test("an amount wrapped by an unknown instruction follows from the later transfers", () => {
    const moves = passingThrough(packed(["u8", 255]));
    expect(moves).toEqual([...BEFORE, ...SENT, "wrap wsol ->alice 300", ...CLOSED]);
  });
});
