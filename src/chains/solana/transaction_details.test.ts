import { describe, expect, test } from "vitest";
import { readRecordedSolana } from "../../../test/solana/recorded.ts";
import { madeKey, madeTransaction, packed, SYSTEM, TOKEN } from "../../demo/solana/made_transaction.ts";
import { movementsOf, netChanges } from "../../domain/transaction/decoding/movements.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { solana } from "../networks/known.gen.ts";
import { fieldsOf } from "../node/answer.ts";
import { Accounts } from "./accounts.ts";
import { transactionOf } from "./block.ts";
import { failureOf } from "./failure.ts";
import { effectsOf } from "./logless_transfers.ts";
import { calledBy } from "./methods.ts";
import { readRawTransaction } from "./transaction.ts";
import { costOf, traceOf } from "./transaction_details.ts";
import { Keys } from "./wire.ts";

const BUDGET = "ComputeBudget111111111111111111111111111111";
const [PAYER, OTHER, STRANGER] = [madeKey(1), madeKey(2), madeKey(3)];
const hexOf = (text: string): Hex => toHex(fromBase58(text) ?? new Uint8Array(0));

const rawOf = (instructions: Parameters<typeof madeTransaction>[0]["instructions"], more: { fee?: number } = {}) =>
  readRawTransaction(
    madeTransaction({
      lamports: [
        [PAYER, 100_000n, 100_000n - BigInt(more.fee ?? 5_000)],
        [OTHER, 7n, 7n],
      ],
      instructions,
      ...more,
    }),
    new Keys(),
  );

const budget = (data: Uint8Array) => ({ program: BUDGET, accounts: [], data });
const pay = { program: SYSTEM, accounts: [PAYER, OTHER], data: packed(["u32", 2], ["u64", 0]) };

describe("cost", () => {
  test("without a price for compute units the priority fee is zero", () => {
    expect(costOf(rawOf([pay]))).toEqual({ unit: "compute_unit", units: null, priority_fee: 0n });
    // 9,000 lamports, but only a limit was set.
    const limited = rawOf([budget(packed(["u8", 2], ["u32", 200_000])), pay], { fee: 9_000 });
    expect(costOf(limited)).toMatchObject({ priority_fee: 0n });
  });

  test("with a price, the priority fee is the part that the signatures do not explain", () => {
    // One signature of its own and two that a program verified: 9,000 + 10,000 - 3 × 5,000 = 4,000.
    const verified = { program: "Ed25519SigVerify111111111111111111111111111", accounts: [], data: packed(["u8", 2]) };
    const raw = rawOf([budget(packed(["u8", 3], ["u64", 20_000])), verified, pay], { fee: 19_000 });
    expect(costOf(raw)).toMatchObject({ priority_fee: 4_000n });
  });
});

describe("calls", () => {
  const named = (program: string, data: Uint8Array) =>
    calledBy(
      { depth: 1, program: 0, call: { accounts: [], data } },
      new Accounts([fromBase58(program) ?? data], new Keys()),
    );
  const hex = (text: string) => Buffer.from(text, "hex");

  test("instructions of the network's own programs are named by their number", () => {
    expect(named(SYSTEM, packed(["u32", 2], ["u64", 5]))).toEqual({
      selector: hex("02000000"),
      name: "transfer",
      is_protocol: true,
    });
    expect(named(TOKEN, packed(["u8", 12], ["u64", 5])).name).toBe("transferChecked");
    expect(named("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", hex("01")).name).toBe("createIdempotent");
    expect(named("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", hex("")).name).toBe("createAccount");
    expect(named("BPFLoaderUpgradeab1e11111111111111111111111", hex("03000000")).name).toBe("upgradeProgram");
    for (const data of ["", "ff", "ffffffff", "02"]) expect(named(SYSTEM, hex(data)).name).toBeNull();
  });

  test("those of programs made with Anchor by the published hash of their name, and no others", () => {
    // From the published interfaces of Pump.fun, Raydium and Jupiter.
    const known = { "66063d1201daebea": "buy", "33e685a4017f83ad": "sell", "8fbe5adac41e33de": "swap_base_input" };
    for (const [bytes, name] of Object.entries(known))
      expect(named(STRANGER, hex(`${bytes}0102`))).toEqual({ selector: hex(bytes), name, is_protocol: false });
    expect(named(STRANGER, hex("f8c69e91e17587c8")).name).toBe("swap");
    expect(named(STRANGER, hex("e517cb977ae3ad2a")).name).toBe("route");
    expect(named(STRANGER, hex("0102"))).toEqual({ selector: hex("0102"), name: null, is_protocol: false });
    expect(named(STRANGER, hex(""))).toEqual({ selector: null, name: null, is_protocol: false });
  });

  test("only the instruction that failed has the error, and no effect remained", () => {
    const raw = readRawTransaction(
      madeTransaction({
        lamports: [[PAYER, 100_000n, 95_000n]],
        instructions: [
          budget(packed(["u8", 2], ["u32", 9])),
          pay,
          { program: STRANGER, accounts: [], data: packed(["u8", 1]) },
        ],
        error: { InstructionError: [2, { Custom: 1 }] },
      }),
      new Keys(),
    );
    const trace = traceOf(raw, { words: "no", instruction: 2, depth: null });
    expect(
      trace.map(({ recipient, error, is_undone }) => [toBase58(recipient ?? new Uint8Array(0)), error, is_undone]),
    ).toEqual([
      [SYSTEM, null, true],
      [STRANGER, "no", true],
    ]);
  });
});

const recorded = readRecordedSolana();

describe.skipIf(recorded === null)("recorded transactions", () => {
  const all = [
    ...(recorded?.transactions ?? []),
    ...(recorded?.blocks ?? []).flatMap(({ name, json }) =>
      json.transactions.map((one, i) => ({ name: `${name} ${i}`, json: one })),
    ),
  ];

  test.each(all)(
    "$name: the gain of each account is its balance after minus the one before, and the calls are listed",
    ({ json }) => {
      const raw = readRawTransaction(json, new Keys());
      const transaction = transactionOf(raw, 0, effectsOf(raw));
      const changes = netChanges(movementsOf(transaction, solana));
      const coins = new Map(changes.filter(({ token }) => token === "").map((one) => [one.address, one.amount]));
      const { meta } = json;
      for (const [i, after] of meta.postBalances.entries()) {
        const fee = i === 0 ? BigInt(meta.fee) : 0n;
        const gained = BigInt(after) - BigInt(meta.preBalances[i] ?? 0) + fee;
        expect(coins.get(raw.accounts.hex(i)) ?? 0n).toBe(gained);
      }
      // Tokens of owners if the node names owners; mints of Token-2022 hold the withheld amounts beside the balances.
      const held = new Map<string, bigint>();
      const add = (list: typeof meta.preTokenBalances, sign: bigint) => {
        for (const { mint, owner, uiTokenAmount } of list ?? []) {
          const key = `${hexOf(owner ?? "")}:${hexOf(mint)}`;
          if (owner !== undefined) held.set(key, (held.get(key) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
        }
      };
      add(meta.preTokenBalances, -1n);
      add(meta.postTokenBalances, 1n);
      const tokens = new Map(changes.map((one) => [`${one.address}:${one.token}`, one.amount]));
      for (const [key, gained] of held) expect(tokens.get(key) ?? 0n).toBe(gained);
      const failure = failureOf(fieldsOf(json.meta, "meta"));
      expect(failure === null).toBe(raw.succeeded);
      const trace = traceOf(raw, failure);
      expect(trace[0]?.depth).toBe(0);
      expect(trace.every(({ depth, called }) => depth !== null && called !== undefined)).toBe(true);
    },
  );

  test("a failure of 2024 has its instruction, and the program's own message", () => {
    const block = recorded?.blocks.find(({ name }) => name.includes("241043141"));
    const [json] = block?.json.transactions ?? [];
    if (json === undefined) throw new Error("it is not recorded");
    expect(failureOf(fieldsOf(json.meta, "meta"))).toEqual({
      words:
        "Error processing Instruction 3: program failed to complete; Could not create program address with signer seeds: Provided seeds do not result in a valid address",
      instruction: 3,
      depth: 0,
    });
  });
});
