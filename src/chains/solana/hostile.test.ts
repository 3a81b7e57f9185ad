import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultsOf } from "../../demo/solana/equation.ts";
import {
  madeKey,
  madeTransaction,
  packed,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  WRAPPED,
} from "../../demo/solana/made_transaction.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { BadAnswer } from "../node/answer.ts";
import { Accounts } from "./accounts.ts";
import { parseAddress, parseHash } from "./address.ts";
import { readBlock } from "./block.ts";
import { stepsOf } from "./instructions.ts";
import { effectsOf } from "./logless_transfers.ts";
import { readWireTransaction } from "./message.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys, u64Of } from "./wire.ts";

const onlyBadAnswer = (read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(BadAnswer);
  }
};

const PROGRAMS = [SYSTEM, TOKEN, TOKEN_2022, "BPFLoaderUpgradeab1e11111111111111111111111"];
const key = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);

describe("untrusted data on the chain", () => {
  test("no bytes make an instruction throw", () => {
    const accounts = new Accounts(
      [...PROGRAMS.map(key), ...[1, 2, 3, 4].map((byte) => key(madeKey(byte)))],
      new Keys(),
    );
    const call = fc.record({
      program: fc.nat(3),
      tag: fc.oneof(fc.nat(45), fc.constant(255)),
      rest: fc.uint8Array({ maxLength: 90 }),
      positions: fc.array(fc.nat(7), { maxLength: 10 }),
    });
    fc.assert(
      fc.property(call, ({ program, tag, rest, positions }) => {
        const data = Buffer.concat([Buffer.from([tag]), rest]);
        stepsOf({ depth: 1, program, call: { accounts: positions, data } }, accounts);
      }),
      { numRuns: 2_000 },
    );
  });

  test("instructions that lie about every amount leave the balances of the node", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const parts = fc.record({
      first: amount,
      second: amount,
      before: amount,
      after: amount,
      tag: fc.constantFrom(3, 7, 8),
    });
    fc.assert(
      fc.property(parts, ({ first, second, before, after, tag }) => {
        const [alice, account] = [madeKey(1), madeKey(4)];
        const held = (value: bigint) => ({ mint: madeKey(3), owner: alice, amount: value });
        const raw = readRawTransaction(
          madeTransaction({
            lamports: [[alice, before, after]],
            tokens: [[account, held(first), held(second)]],
            instructions: [
              { program: TOKEN, accounts: [account, account, alice], data: packed(["u8", tag], ["u64", before]) },
              { program: SYSTEM, accounts: [alice, account], data: packed(["u32", 2], ["u64", second]) },
            ],
          }),
          new Keys(),
        );
        const sum = (token: number, holder: string): bigint =>
          effectsOf(raw)
            .moves.filter((move) => move.token.length === token)
            .reduce((total, move) => {
              if (Buffer.compare(move.destination, key(holder)) === 0) return total + move.amount;
              return Buffer.compare(move.source, key(holder)) === 0 ? total - move.amount : total;
            }, 0n);
        expect([sum(0, alice), sum(32, alice)]).toEqual([after - before + 5_000n, second - first]);
      }),
    );
  });
});

describe("any sequence of instructions, true or not", () => {
  const [mint, owners] = [
    [madeKey(3), WRAPPED],
    [madeKey(1), madeKey(2)],
  ] as const;
  const accounts = [4, 5, 6].map(madeKey);
  const amount = fc.bigInt({ min: 0n, max: 50n });
  const balance = fc.option(fc.record({ mint: fc.constantFrom(...mint), owner: fc.constantFrom(...owners), amount }));
  const lamports = fc.bigInt({ min: 0n, max: 10_000_000n });
  const key32 = fc.constantFrom(...owners).map(key);
  const tags = [1, 3, 6, 7, 8, 9, 10, 12, 17, 18];
  const token = fc.record({
    tag: fc.constantFrom(...tags),
    used: fc.array(fc.constantFrom(...accounts, ...mint, ...owners), { minLength: 4, maxLength: 4 }),
    amount,
    owner: key32,
  });

  test("leaves every account and owner with the node's balance", () => {
    const drawn = fc.record({
      before: fc.array(balance, { minLength: 3, maxLength: 3 }),
      after: fc.array(balance, { minLength: 3, maxLength: 3 }),
      lamports: fc.array(fc.tuple(lamports, lamports), { minLength: 5, maxLength: 5 }),
      calls: fc.array(token, { maxLength: 12 }),
    });
    fc.assert(
      fc.property(drawn, ({ before, after, lamports: amounts, calls }) => {
        const answered = madeTransaction({
          lamports: [...owners, ...accounts].map((one, i) => [one, amounts[i]?.[0] ?? 0n, amounts[i]?.[1] ?? 0n]),
          tokens: accounts.map((one, i) => [one, before[i] ?? null, after[i] ?? null]),
          instructions: calls.map(({ tag, used, amount: value, owner }) => {
            const rest = tag === 18 ? owner : tag === 6 ? packed(["u8", 2], ["u8", 1], owner) : packed(["u64", value]);
            return { program: TOKEN, accounts: used, data: packed(["u8", tag], rest) };
          }),
        });
        expect(faultsOf(answered, effectsOf(readRawTransaction(answered, new Keys())))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("any answer of a node", () => {
  test("no JSON makes a block throw anything but BadAnswer", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) =>
        onlyBadAnswer(() => readBlock(json, 7, { verify: "full", votes: "singly" })),
      ),
    );
    const good = madeTransaction({ lamports: [[madeKey(1), 9_000n, 4_000n]], instructions: [] });
    const header = { parentSlot: 6, blockhash: madeKey(9), previousBlockhash: madeKey(8), blockTime: 1, rewards: [] };
    expect(
      readBlock({ ...header, transactions: [good] }, 7, { verify: "header", votes: "singly" }).transactions,
    ).toHaveLength(1);
    fc.assert(
      fc.property(fc.constantFrom("meta", "transaction"), fc.jsonValue(), (name, json) =>
        onlyBadAnswer(() =>
          readBlock({ ...header, transactions: [{ ...good, [name]: json }] }, 7, { verify: "header", votes: "singly" }),
        ),
      ),
    );
    for (const name of Object.keys(good.meta))
      for (const value of [null, -1, "x", [], {}, [null], [{}], 2 ** 60])
        onlyBadAnswer(() =>
          readBlock({ ...header, transactions: [{ ...good, meta: { ...good.meta, [name]: value } }] }, 7, {
            verify: "header",
            votes: "singly",
          }),
        );
  });

  test("a block is not its own parent's parent", () => {
    const header = { parentSlot: 7, blockhash: madeKey(9), previousBlockhash: madeKey(8), transactions: [] };
    expect(() => readBlock(header, 7, { verify: "full", votes: "singly" })).toThrow("the parent of slot 7 is slot 7");
  });

  test("no bytes make a wire transaction throw anything but BadAnswer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => onlyBadAnswer(() => readWireTransaction(bytes))),
    );
  });

  test("reads a u64 from a number or from digits, up to its maximum", () => {
    expect(u64Of("18446744073709551615", "amount")).toBe(2n ** 64n - 1n);
    expect(u64Of(7, "amount")).toBe(7n);
    for (const value of ["18446744073709551616", 2 ** 53, -1, "-1", 1.5, "", null])
      expect(() => u64Of(value, "amount")).toThrow("amount is not a u64");
  });
});

describe("addresses", () => {
  test("are 32 bytes in base58, signatures 64", () => {
    expect(parseAddress(SYSTEM)).toBe("00".repeat(32));
    expect(parseAddress(TOKEN)).toBe("06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9");
    // One digit less, a digit that base58 does not have, an Ethereum address, the sixty-four bytes of a signature.
    for (const text of [SYSTEM.slice(1), TOKEN.replace("T", "0"), `0x${"11".repeat(20)}`, "1".repeat(64), ""])
      expect(parseAddress(text)).toBeNull();
    expect(parseHash("1".repeat(64))).toBe("00".repeat(64));
    expect(parseHash(SYSTEM)).toBeNull();
  });
});
