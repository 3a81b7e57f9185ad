/** Loans, stakes and liquidity at listed programs; layouts are those of known_programs.ts' sources. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type MadeBalance,
  type MadeInstruction,
  madeKey,
  madeTransaction,
  packed,
  SYSTEM,
  TOKEN,
} from "../../demo/solana/made_transaction.ts";
import { toBase58 } from "../../lib/base58.ts";
import { type Bytes, fromHex } from "../../lib/bytes.ts";
import { programActsOf } from "./program_acts.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const [ALICE, USDC, SHARE, OWN, OWN_SHARES, VAULT, MARKET, OTHER] = [1, 2, 3, 4, 5, 6, 7, 8].map(madeKey) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]; // eight bytes, eight addresses
const KAMINO = "KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD";
const MARGINFI = "MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA";
const SAVE = "So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo";
const JUPITER_BORROW = "jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi";
const STAKE_POOL = "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy";
const JITO = "Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb";
const MARINADE = "MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD";
const STAKE = "Stake11111111111111111111111111111111111111";
const DLMM = "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo";

const names = new Map([
  [ALICE, "alice"],
  [USDC, "USDC"],
  [SHARE, "shares"],
]);
const named = (bytes: Bytes): string => (bytes.length === 0 ? "SOL" : (names.get(toBase58(bytes)) ?? "?"));

const send = (from: string, to: string, amount: bigint): MadeInstruction => ({
  program: TOKEN,
  accounts: [from, to, ALICE],
  data: packed(["u8", 3], ["u64", amount]),
});
const mint = (to: string, amount: bigint): MadeInstruction => ({
  program: TOKEN,
  accounts: [SHARE, to, MARKET],
  data: packed(["u8", 7], ["u64", amount]),
});
const burn = (from: string, amount: bigint): MadeInstruction => ({
  program: TOKEN,
  accounts: [from, SHARE, ALICE],
  data: packed(["u8", 8], ["u64", amount]),
});
const pay = (from: string, to: string, lamports: bigint): MadeInstruction => ({
  program: SYSTEM,
  accounts: [from, to],
  data: packed(["u32", 2], ["u64", lamports]),
});

const call = (program: string, data: string, inner: readonly MadeInstruction[], accounts = [MARKET, ALICE]) => ({
  ...{ program, accounts, inner },
  data: fromHex(data) ?? new Uint8Array(0),
});

/** Unless a test says otherwise, Alice had and has enough of everything. */
const made = (instructions: readonly MadeInstruction[], error: unknown = null) => {
  const held = (token: string, owner: string): MadeBalance => ({ mint: token, owner, amount: 1_000n });
  const all = JSON.stringify(instructions);
  const tokens = (
    [
      [OWN, held(USDC, ALICE)],
      [OWN_SHARES, held(SHARE, ALICE)],
      [VAULT, held(USDC, MARKET)],
    ] as const
  ).filter(([account]) => all.includes(account));
  return madeTransaction({
    lamports: [[ALICE, 10n ** 9n, 10n ** 9n - 5_000n]],
    tokens: tokens.map(([account, balance]) => [account, balance, balance] as const),
    instructions,
    error,
  });
};

const actsIn = (instructions: readonly MadeInstruction[], error: unknown = null): readonly string[] =>
  programActsOf(readRawTransaction(made(instructions, error), new Keys())).map(
    ({ name, kind, account, given, received }) => {
      const side = (amounts: typeof given) => amounts.map(({ token, amount }) => `${amount} ${named(token)}`).join("+");
      return `${named(account)} ${kind} ${name}: ${side(given)} > ${side(received)}`;
    },
  );

const given = send(OWN, VAULT, 500n);
const received = send(VAULT, OWN, 200n);
/** sha256("global:<name>"), eight bytes. */
const TAG = {
  deposit_reserve_liquidity: "a9c91e7e06cd6644",
  borrow_obligation_liquidity: "797f12cc49f5e141",
  repay_obligation_liquidity: "91b20de14cf09348",
  lending_account_deposit: "ab5eeb675240d48c",
  lending_account_withdraw: "24484a13d2d2c0c0",
  operate: "d96ad06374972a87",
  deposit: "f223c68952e1f2b6",
  remove_liquidity: "5055d14818ceb16c",
};

describe("loans", () => {
  test("loans, borrowings and repayments at Kamino, beneath any program that calls it", () => {
    expect(actsIn([call(KAMINO, TAG.deposit_reserve_liquidity, [given, mint(OWN_SHARES, 450n)])])).toEqual([
      "alice supply Kamino: 500 USDC > 450 shares",
    ]);
    const loan = [call(KAMINO, TAG.borrow_obligation_liquidity, [received])];
    expect(actsIn(loan)).toEqual(["alice borrow Kamino:  > 200 USDC"]);
    expect(actsIn([call(OTHER, "01", loan)])).toEqual(["alice borrow Kamino:  > 200 USDC"]);
    expect(actsIn([call(KAMINO, TAG.repay_obligation_liquidity, [given])])).toEqual([
      "alice repay Kamino: 500 USDC > ",
    ]);
  });

  test("MarginFi by the names of its instructions, Save by their numbers", () => {
    expect(actsIn([call(MARGINFI, TAG.lending_account_deposit, [given])])).toEqual([
      "alice supply MarginFi: 500 USDC > ",
    ]);
    expect(actsIn([call(MARGINFI, TAG.lending_account_withdraw, [received])])).toEqual([
      "alice withdraw MarginFi:  > 200 USDC",
    ]);
    expect(actsIn([call(SAVE, "0e00", [given])])).toEqual(["alice supply Save: 500 USDC > "]);
    expect(actsIn([call(SAVE, "0b00", [given])])).toEqual(["alice repay Save: 500 USDC > "]);
  });

  test.each([
    ["0a", "00", [given], ["alice supply Jupiter Lend: 500 USDC > "]],
    ["f6", "00", [received], ["alice withdraw Jupiter Lend:  > 200 USDC"]],
    ["00", "0a", [received], ["alice borrow Jupiter Lend:  > 200 USDC"]],
    ["00", "f6", [given], ["alice repay Jupiter Lend: 500 USDC > "]],
    [
      "0a",
      "0a",
      [given, mint(OWN_SHARES, 3n)],
      ["alice supply Jupiter Lend: 500 USDC > ", "alice borrow Jupiter Lend:  > 3 shares"],
    ],
  ] as const)("Jupiter Lend: collateral %s, debt %s", (collateral, debt, inner, expected) => {
    const i128 = (byte: string): string => byte + (byte === "f6" ? "ff" : "00").repeat(15);
    expect(actsIn([call(JUPITER_BORROW, TAG.operate + i128(collateral) + i128(debt), inner)])).toEqual(expected);
  });

  test("another instruction, another program, one that moved nothing and one that failed are no loans", () => {
    const tag = TAG.borrow_obligation_liquidity;
    expect(actsIn([call(KAMINO, "0000000000000000", [received])])).toEqual([]);
    expect(actsIn([call(KAMINO, tag.slice(0, 14), [received])])).toEqual([]);
    expect(actsIn([call(OTHER, tag, [received])])).toEqual([]);
    expect(actsIn([call(KAMINO, tag, [])])).toEqual([]);
    expect(actsIn([call(KAMINO, tag, [received])], { InstructionError: [0, "Custom"] })).toEqual([]);
  });
});

describe("stakes", () => {
  test("Jito is the first account; other pools have the program's name", () => {
    const inner = [pay(ALICE, OTHER, 700n), mint(OWN_SHARES, 600n)];
    expect(actsIn([call(STAKE_POOL, "0e", inner, [JITO, ALICE])])).toEqual(["alice stake Jito: 700 SOL > 600 shares"]);
    expect(actsIn([call(STAKE_POOL, "0e", inner)])).toEqual(["alice stake SPL Stake Pool: 700 SOL > 600 shares"]);
    expect(actsIn([call(STAKE_POOL, "10", [burn(OWN_SHARES, 60n)], [JITO])])).toEqual([
      "alice unstake Jito: 60 shares > ",
    ]);
    // The instruction updates fees of the pool and stakes nothing.
    expect(actsIn([call(STAKE_POOL, "07", [mint(OWN_SHARES, 60n)], [JITO])])).toEqual([]);
  });

  test("Marinade", () => {
    expect(actsIn([call(MARINADE, TAG.deposit, [pay(ALICE, OTHER, 700n), mint(OWN_SHARES, 600n)])])).toEqual([
      "alice stake Marinade: 700 SOL > 600 shares",
    ]);
  });

  const stake = (data: Uint8Array, accounts: readonly string[]): MadeInstruction => ({
    program: STAKE,
    accounts,
    data,
  });

  test("the network's own program: the payer of the delegated account, and the recipient of a withdrawal", () => {
    const delegate = stake(packed(["u32", 2]), [MARKET, OTHER, OTHER, OTHER, OTHER, ALICE]);
    const create = {
      program: SYSTEM,
      accounts: [ALICE, MARKET],
      data: packed(["u32", 0], ["u64", 5_000n], ["u64", 200n], Buffer.alloc(32)),
    };
    expect(actsIn([create, delegate])).toEqual(["alice stake Solana Stake: 5000 SOL > "]);
    expect(actsIn([delegate])).toEqual(["alice stake Solana Stake:  > "]);
    expect(actsIn([stake(packed(["u32", 5]), [MARKET, OTHER, ALICE])])).toEqual(["alice unstake Solana Stake:  > "]);
    expect(actsIn([stake(packed(["u32", 4], ["u64", 77n]), [MARKET, ALICE, OTHER, OTHER, ALICE])])).toEqual([
      "alice unstake Solana Stake:  > 77 SOL",
    ]);
    // Split, and a withdrawal whose bytes end too early.
    expect(actsIn([stake(packed(["u32", 3], ["u64", 77n]), [MARKET, OTHER, ALICE])])).toEqual([]);
    expect(actsIn([stake(packed(["u32", 4]), [MARKET, ALICE])])).toEqual([]);
    // A stake pool's handling of its own stakes is no act of an account.
    expect(actsIn([call(STAKE_POOL, "07", [delegate])])).toEqual([]);
  });
});

test("liquidity of positions without share tokens", () => {
  expect(actsIn([call(DLMM, TAG.remove_liquidity, [received])])).toEqual([
    "alice remove_liquidity Meteora DLMM:  > 200 USDC",
  ]);
});

test("no bytes of an instruction make the reader throw", () => {
  const programs = fc.constantFrom(KAMINO, SAVE, JUPITER_BORROW, STAKE_POOL, STAKE, DLMM);
  const data = fc.tuple(fc.constantFrom("", ...Object.values(TAG), "04000000"), fc.uint8Array({ maxLength: 40 }));
  const accounts = fc.array(fc.constantFrom(ALICE, MARKET, OWN, VAULT), { maxLength: 8 });
  fc.assert(
    fc.property(programs, data, accounts, (program, [tag, rest], list) => {
      const bytes = Buffer.concat([fromHex(tag) ?? Buffer.alloc(0), rest]);
      const acts = actsIn([{ program, accounts: list, data: bytes, inner: [given, received] }]);
      expect(acts.length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 300 },
  );
});
