import { describe, expect, test } from "vitest";
import { readRecordedSolana } from "../../../test/solana/recorded.ts";
import { faultsOf } from "../../demo/solana/equation.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { toHex } from "../../lib/bytes.ts";
import type { LoglessTransfer } from "../chain.ts";
import { Accounts } from "./accounts.ts";
import { formatBase58 } from "./address.ts";
import { readBlock, type SolanaBlock } from "./block.ts";
import { stepsOf } from "./instructions.ts";
import { effectsOf } from "./logless_transfers.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const recorded = readRecordedSolana();
const blocks = recorded?.blocks ?? [];
const transactions = recorded?.transactions ?? [];

const blockOf = (name: string): SolanaBlock => {
  const found = blocks.find((block) => block.name === name);
  if (found === undefined) throw new Error(`${name} is not recorded`);
  return readBlock(found.json, found.slot, { verify: "header", votes: "singly" });
};

const effectsIn = (name: string) => {
  const found = transactions.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not recorded`);
  return effectsOf(readRawTransaction(found.json, new Keys()));
};

const shown = ({ kind, token, source, destination, amount }: LoglessTransfer): string => {
  const text = (bytes: Uint8Array): string => (bytes.length === 0 ? "-" : toBase58(bytes).slice(0, 4));
  return `${kind} ${text(token)} ${text(source)}>${text(destination)} ${amount}`;
};

describe.skipIf(recorded === null)("recorded Solana data", () => {
  test("is complete", () => {
    expect([blocks.length, transactions.length]).toEqual([8, 6]);
    expect(blocks.reduce((sum, { json }) => sum + json.transactions.length, 0)).toBe(31);
    expect(recorded?.instructions.length).toBeGreaterThan(150);
  });

  test.each(blocks)("$name: every account ends with its old balance plus the moves", ({ json, slot }) => {
    const block = readBlock(json, slot, { verify: "header", votes: "singly" });
    expect(block.transactions).toHaveLength(json.transactions.length);
    for (const [i, answered] of json.transactions.entries())
      expect(faultsOf(answered, { moves: block.transactions[i]?.moves ?? [] })).toEqual([]);
  });

  test.each(blocks)("$name: summed votes moved nothing, and the block omits only their fees", ({ json, slot }) => {
    const [singly, summed] = (["singly", "summed"] as const).map((votes) =>
      readBlock(json, slot, { verify: "header", votes }),
    );
    const kept = new Set(summed?.transactions.map(({ index }) => index));
    const left = (singly?.transactions ?? []).filter(({ index }) => !kept.has(index));
    expect(left.flatMap(({ moves }) => moves ?? [])).toEqual([]);
    const fees = new Map<string, bigint>();
    for (const { sender, fee } of left) fees.set(toHex(sender), (fees.get(toHex(sender)) ?? 0n) + fee);
    const votes = summed?.votes ?? [];
    expect(votes.map(({ voter, fee }) => [toHex(voter), fee])).toEqual([...fees]);
    expect(votes.reduce((sum, { count }) => sum + count, 0)).toBe(left.length);
  });

  test.each(transactions)("$name: every account ends with its old balance plus the moves", ({ json }) => {
    const effects = effectsOf(readRawTransaction(json, new Keys()));
    expect(faultsOf(json, effects)).toEqual([]);
  });

  test("the same block in two encodings moves the same", () => {
    const compiled = blockOf("chainstorage_client_block.json").transactions;
    const parsed = blockOf("chainstorage_client_block_v2_jsonParsed.json").transactions;
    expect(compiled.map(({ hash }) => toHex(hash))).toEqual(parsed.map(({ hash }) => toHex(hash)));
    expect(compiled.map(({ moves }) => (moves ?? []).map(shown))).toEqual(
      parsed.map(({ moves }) => (moves ?? []).map(shown)),
    );
  });

  test("a failed transaction moves nothing and pays its fee", () => {
    const failed = blockOf("chainstorage_parser_block_241043141_v2.json").transactions[0];
    expect([failed?.succeeded, failed?.moves, failed?.fee, failed?.gas_used]).toEqual([false, [], 5_000n, 52_577n]);
  });

  test("slot 100000000 paid its producer 7247500 lamports, and follows its parent", () => {
    const block = blockOf("chainstorage_client_block.json");
    const [reward] = block.issuance;
    expect([block.number, block.parent_slot, reward?.amount]).toEqual([100_000_000, 99_999_999, 7_247_500n]);
    expect(toBase58(block.producer)).toBe("DDnAqxJVFo2GVTujibHt5cjevHMSE9bo8HJaydHoshdp");
    expect(formatBase58(toHex(block.hash))).toBe("GdY1gj7F8vq1nCy4dgCZK42WV19bkfQ4cp2e9evK18ry");
    // Blocks of 2021 do not state the owners of token accounts.
    expect(block.missing).toEqual(["token_owners"]);
  });

  test("a swap into wrapped SOL that is unwrapped at once appears step by step", () => {
    const { moves } = blockOf("chainstorage_parser_block_account_deletion.json").transactions[0] ?? { moves: [] };
    // The instructions: createAccount 2039280 for the wrapped account; transfer 50000000 of the token sold; transfer
    // 129112223 of wrapped SOL, with its lamports; closeAccount, which pays 2039280 + 129112223 = 131151503.
    expect((moves ?? []).map(shown)).toEqual([
      "rent - DxCs>8t6J 2039280",
      "spl Fish DxCs>13zt 50000000",
      "spl So11 13zt>DxCs 129112223",
      "internal - 6kxC>8t6J 129112223",
      "wrap So11 DxCs>- 129112223",
      "internal - 8t6J>DxCs 129112223",
      "rent - 8t6J>DxCs 2039280",
    ]);
  });

  test("a launch on Pump.fun creates the mint, mints the supply to the curve and sells a part of it", () => {
    const { created_mints, moves } = effectsIn("raw_create_tx_from_gettransaction.json");
    expect(created_mints.map(({ decimals, freeze_authority }) => [decimals, freeze_authority])).toEqual([[6, null]]);
    const mint = toHex(created_mints[0]?.mint ?? new Uint8Array(0));
    const tokens = moves.filter(({ token }) => toHex(token) === mint);
    // 1,000,000,000 tokens of 6 decimals are minted, and the curve sells once.
    expect(tokens.map(({ source, amount }) => [source.length, amount])).toEqual([
      [0, 1_000_000_000_000_000n],
      [32, tokens[1]?.amount],
    ]);
    expect(tokens[1]?.source).toEqual(tokens[0]?.destination);
  });

  test.each(recorded?.instructions ?? [])("$name is read without a throw", ({ program, accounts, data }) => {
    const list = [program, ...accounts].map((text) => fromBase58(text) ?? new Uint8Array(0));
    const place = new Accounts(list, new Keys());
    const positions = accounts.map((_, i) => i + 1);
    const steps = stepsOf({ depth: 1, program: 0, call: { accounts: positions, data } }, place);
    const moves = /^(1{32}|Token)/.test(program);
    if (!moves && !program.startsWith("BPFLoader")) expect(steps).toEqual([]);
  });
});
