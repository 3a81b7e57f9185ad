import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readRecordedSolana } from "../../../test/solana/recorded.ts";
import { Accounts } from "./accounts.ts";
import { type RawTransaction, readRawTransaction } from "./transaction.ts";
import { checkTransactions } from "./verify.ts";
import { Keys } from "./wire.ts";

const DER_PREFIX_BYTES = 12;
/** Unix seconds of 2026-01-01. */
const NOW = 1_767_225_600;

/** A transaction of one signer, which moves `amount` to another account and pays a fee of 5. */
const made = (serial: number, { amount = 1n, is_forged = false } = {}): RawTransaction => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const message = Buffer.from(`message ${serial}`);
  const signature = sign(null, is_forged ? Buffer.from("another") : message, privateKey as KeyObject);
  const key = publicKey.export({ format: "der", type: "spki" }).subarray(DER_PREFIX_BYTES);
  return {
    signature,
    wire: { signatures: [signature], message },
    accounts: new Accounts([key, Buffer.alloc(32, 2)], new Keys()),
    signers: 1,
    succeeded: true,
    fee: 5n,
    compute_units: 0n,
    instructions: [],
    has_inner: true,
    lamports: { before: [1_000_000n, 0n], after: [1_000_000n - amount - 5n, amount] },
    tokens: { before: [], after: [] },
    coins: null,
  };
};

const many = (count: number) => Array.from({ length: count }, (_, i) => made(i));

describe("signatures", () => {
  test("checks all transactions of a small block", () => {
    const block = many(31);
    expect(() => checkTransactions(block, NOW)).not.toThrow();
    for (let at = 0; at < block.length; at += 5)
      expect(() => checkTransactions(block.with(at, made(at, { is_forged: true })), NOW)).toThrow("has not signed");
  });

  test("checks the transactions of a large block that moved most coins, and as many random others", () => {
    const forged = made(900, { is_forged: true });
    // 199 that move 1, one forged that moves 2: it is among the sixteen largest, whatever the draw.
    const large = made(901, { is_forged: true, amount: 2n });
    expect(() => checkTransactions([...many(199), large], NOW, () => 0)).toThrow("has not signed");
    // 216 alike, the forged one last: the first sixteen are the largest, and the draw picks sixteen of the 200 others.
    const block = [...many(215), forged];
    const asked: number[] = [];
    const lastOf = (below: number): number => {
      asked.push(below);
      return below - 1;
    };
    expect(() => checkTransactions(block, NOW, lastOf)).toThrow("has not signed");
    expect(asked).toEqual(Array.from({ length: 16 }, (_, i) => 200 - i));
    expect(() => checkTransactions(block, NOW, () => 0)).not.toThrow();
  });

  test("a transaction in words has no signature to check", () => {
    expect(() => checkTransactions([{ ...made(1), wire: null }], NOW)).toThrow("another encoding than requested");
  });
});

describe("sums", () => {
  const told = (after: readonly bigint[]) => ({ ...made(1), lamports: { before: [100n, 0n], after } });

  test("more coins than before are always wrong; fewer are rent until July 2025", () => {
    expect(() => checkTransactions([told([94n, 1n])], NOW)).not.toThrow();
    expect(() => checkTransactions([told([94n, 2n])], NOW)).toThrow("more coins than before");
    expect(() => checkTransactions([told([94n, 0n])], NOW)).toThrow("coins are missing");
    // 2025-06-30
    expect(() => checkTransactions([told([94n, 0n])], 1_751_241_600)).not.toThrow();
  });

  test("a transaction that a block has twice", () => {
    const one = made(1);
    expect(() => checkTransactions([one, made(2), one], NOW)).toThrow("twice");
  });
});

const recorded = readRecordedSolana();

describe.skipIf(recorded === null)("recorded transactions", () => {
  const all = [
    ...(recorded?.blocks ?? []).flatMap(({ json }) => json.transactions),
    ...(recorded?.transactions ?? []).map(({ json }) => json),
  ];

  test("add up to the lamport", () => {
    expect(all.length).toBeGreaterThan(30);
    for (const json of all) {
      const { lamports, fee } = readRawTransaction(json, new Keys());
      const sum = (list: readonly bigint[]): bigint => list.reduce((total, one) => total + one, 0n);
      expect(sum(Array.from(lamports.before))).toBe(sum(Array.from(lamports.after)) + fee);
    }
  });

  test("are signed by their senders if their bytes were recorded", () => {
    const signed = all.map((json) => readRawTransaction(json, new Keys())).filter(({ wire }) => wire !== null);
    expect(signed.length).toBeGreaterThan(0);
    for (const one of signed) expect(() => checkTransactions([one], NOW)).not.toThrow();
  });
});
