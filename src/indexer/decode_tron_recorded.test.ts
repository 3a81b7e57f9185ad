import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Block, Transaction } from "../chains/chain.ts";
import { tron } from "../chains/networks/known.gen.ts";
import { BadAnswer, type JsonFields } from "../chains/node/answer.ts";
import { parseLossless } from "../chains/node/lossless_json.ts";
import { readInner } from "../chains/tron/calls.ts";
import { readHeader } from "../chains/tron/header.ts";
import { JsonInfo } from "../chains/tron/info.ts";
import { readListed } from "../chains/tron/listed.ts";
import { readTransaction } from "../chains/tron/transactions.ts";
import { transactionOf } from "../demo/tron/shapes.ts";
import { EMPTY, toHex } from "../lib/bytes.ts";
import { decodeBlock } from "./decode.ts";

/** Recorded rows and answers beside the checkout; the tests below run if they exist. */
const FOLDER = join(import.meta.dirname, "../../../shared/data/tron");
const is_here = existsSync(FOLDER);

/** Fields of the rows of all these files; each file has some of them. */
interface TronCsvRow {
  readonly blockHash: string;
  readonly parentHash: string;
  readonly transactionsRoot: string;
  readonly miner: string;
  readonly txHash: string;
  readonly fromAddress: string;
  readonly toAddress?: string;
  readonly callerAddress: string;
  readonly transfertoAddress: string;
  readonly note: string;
  readonly currencyTicker: string;
  readonly tokenAddress: string;
  readonly blockId: number;
  readonly timestamp: number;
  readonly value: number | string;
  readonly fee: number;
  readonly callValue: number;
  readonly rejected: boolean;
}

/** One JSON object per line; bytes are base64. */
const rowsOf = (name: string): TronCsvRow[] =>
  is_here
    ? gunzipSync(readFileSync(join(FOLDER, "graphsense", `${name}.json.gz`)))
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== "")
        // The shape of a line by the recording's own documentation.
        .map((line) => parseLossless(line) as TronCsvRow)
    : [];

const hex = (base64 = ""): string => Buffer.from(base64, "base64").toString("hex");
const address = (base64 = ""): string => `41${hex(base64)}`;

const answerOf = (name: string): JsonFields =>
  JSON.parse(readFileSync(join(FOLDER, "metamask", `${name}.json`), "utf8"));

/** A node's info of a transaction, built from the recorded fee, result and block. */
const infoOf = (fields: JsonFields, fee: number): JsonFields => ({
  id: fields.txID,
  fee,
  blockNumber: fields.blockNumber,
  receipt: { energy_usage_total: fields.energy_usage_total, net_fee: fields.net_fee },
});

const read = (fields: JsonFields, info: JsonFields): Transaction =>
  readTransaction({ index: 0, listed: readListed(fields), info: new JsonInfo(info), first_log: 0 }).transaction;

const blockOf = (transactions: readonly Transaction[]): Block => ({
  number: 9_000,
  hash: EMPTY,
  parent_hash: EMPTY,
  time: 1_529_919_000,
  producer: EMPTY,
  base_fee: null,
  issuance: [],
  has_traces: true,
  verified: "none",
  transactions,
});

test.skipIf(is_here)("the recorded Tron data is not here: its tests are skipped", () => {
  expect(existsSync(FOLDER)).toBe(false);
});

describe.skipIf(!is_here)("answers", () => {
  test("a transfer of TRX is its amount and its fee", () => {
    const fields = answerOf("native-transfer");
    const transaction = read(fields, infoOf(fields, 266_000));
    // "amount": 10000, "fee": 266000, owner and recipient as recorded
    const rows = decodeBlock(blockOf([transaction]), tron, new Map());
    expect(rows.transfers.map((row) => [row.kind, toHex(row.source), toHex(row.destination), row.amount])).toEqual([
      ["native", "458437be39f3a8bfdbfee7bef93e2c5f632ceff4", "2efffc7686e54ab669a1cdb1e2cc17cf4b4eca96", 10_000n],
      ["fee", "458437be39f3a8bfdbfee7bef93e2c5f632ceff4", "", 266_000n],
    ]);
    expect(() => read({ ...fields, raw_data_hex: `${fields.raw_data_hex}00` }, infoOf(fields, 1))).toThrow(BadAnswer);
  });

  test("a call of USDT has its data and, by its log, one movement of the token", () => {
    const fields = answerOf("trc20-transfer");
    const [from, to] = ["458437be39f3a8bfdbfee7bef93e2c5f632ceff4", "2efffc7686e54ab669a1cdb1e2cc17cf4b4eca96"];
    const topic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const log = {
      address: "a614f803b6fd780986a42c78ec9c7f77e6ded13c",
      topics: [topic, from.padStart(64, "0"), to.padStart(64, "0")],
      data: (10_000).toString(16).padStart(64, "0"),
    };
    const transaction = read(fields, { ...infoOf(fields, 12_987_800), log: [log] });
    expect(toHex(transaction.input).slice(0, 8)).toBe("a9059cbb");
    expect(transaction).toMatchObject({ gas_used: 130_285n, succeeded: true });
    const { transfers } = decodeBlock(blockOf([transaction]), tron, new Map());
    // The recorded token answer: 10000 of TR7NHqje…Lj6t from TGJn1wn… to TEFik7d…
    expect(transfers.map((row) => [row.kind, toHex(row.token), toHex(row.destination), row.amount])).toEqual([
      ["trc20", "a614f803b6fd780986a42c78ec9c7f77e6ded13c", to, 10_000n],
      ["fee", "", "", 12_987_800n],
    ]);
  });

  test("a call that ran out of energy pays its fee and moves nothing", () => {
    const recorded = answerOf("failed-transaction");
    // The recording lacks its raw data, which is rebuilt from the JSON fields.
    const pick = ({ ret, energy_usage_total, net_fee, blockNumber }: JsonFields) => ({
      ...{ ret, energy_usage_total, net_fee, blockNumber },
    });
    const [owner_address, contract_address] = [
      "412efffc7686e54ab669a1cdb1e2cc17cf4b4eca96",
      "41f742f4589459f0923fa579600815763d1646bec3",
    ];
    const value = { data: "a9059cbb", owner_address, contract_address };
    const told = { type: "TriggerSmartContract", value, time_ms: 1_763_586_549_313, seed: "0".repeat(64) };
    const fields = { ...transactionOf(told, "OUT_OF_ENERGY"), ...pick(recorded) };
    const info = { ...infoOf(fields, 54_171_200), result: "FAILED" };
    const transaction = read(fields, info);
    expect(transaction).toMatchObject({ succeeded: false, fee: 54_171_200n, gas_used: 519_622n });
    const { transfers } = decodeBlock(blockOf([transaction]), tron, new Map());
    expect(transfers.map(({ kind, amount }) => [kind, amount])).toEqual([["fee", 54_171_200n]]);
    expect(() => read(fields, infoOf(fields, 54_171_200))).toThrow("disagree");
  });
});

describe.skipIf(!is_here)("rows", () => {
  // Version 28 of the protocol was in force at these blocks; the rows omit it.
  const headerOf = (row: TronCsvRow): JsonFields => ({
    blockID: hex(row.blockHash),
    block_header: {
      raw_data: {
        number: row.blockId,
        txTrieRoot: hex(row.transactionsRoot),
        witness_address: address(row.miner),
        parentHash: hex(row.parentHash),
        version: 28,
        timestamp: row.timestamp * 1_000,
      },
    },
  });

  test("the ids of a thousand blocks are the hashes of their headers, and any other header is rejected", () => {
    const rows = rowsOf("56804500to56805500_blocks");
    const headers = rows.map((row) => readHeader(headerOf(row)));
    expect(headers).toHaveLength(1_001);
    for (const [i, { number, parent_id }] of headers.entries()) {
      expect(number).toBe(56_804_500 + i);
      if (i > 0) expect(toHex(parent_id)).toBe(toHex(headers[i - 1]?.id ?? EMPTY));
    }
    const [first] = rows;
    if (first === undefined) throw new Error("no block was recorded");
    for (const change of [{ timestamp: 1 }, { blockId: 56_804_501 }, { miner: first.transactionsRoot.slice(0, 28) }])
      expect(() => readHeader(headerOf({ ...first, ...change }))).toThrow(BadAnswer);
  });

  test("transfers of the first ten thousand blocks move the recorded amounts, and every fee is a row", () => {
    const fees = new Map(rowsOf("0to10000_tx_fee").map((row) => [row.txHash, row.fee]));
    const rows = rowsOf("0to10000_transactions");
    expect(rows).toHaveLength(2_172);
    const expected: string[] = [];
    const transactions = rows.map((row, index): Transaction => {
      const fee = fees.get(row.txHash) ?? 0;
      const value = { owner_address: address(row.fromAddress), to_address: address(row.toAddress), amount: row.value };
      // The rows have no contract types: without a recipient only the sender was affected.
      const type = row.toAddress === undefined ? "VoteWitnessContract" : "TransferContract";
      if (row.toAddress !== undefined && Number(row.value) > 0)
        expected.push(`${index} native ${hex(row.fromAddress)} ${hex(row.toAddress)} ${row.value}`);
      if (fee > 0) expected.push(`${index} fee ${hex(row.fromAddress)}  ${fee}`);
      const fields = transactionOf({ type, value, time_ms: 0, seed: index.toString(16).padStart(64, "0") }, "SUCCESS");
      const info = { id: fields.txID, fee };
      const { transaction, is_told } = readTransaction({
        index,
        listed: readListed(fields),
        info: new JsonInfo(info),
        first_log: 0,
      });
      expect(is_told).toBe(true);
      return transaction;
    });
    const { transfers } = decodeBlock(blockOf(transactions), tron, new Map());
    const found = transfers.map(
      (row) => `${row.tx_index} ${row.kind} ${toHex(row.source)} ${toHex(row.destination)} ${row.amount}`,
    );
    expect(found).toEqual(expected);
  });

  test("internal transactions are calls, creations and self-destructs; rejected ones yield nothing", () => {
    const rows = rowsOf("56804500to56805500_traces");
    expect(rows).toHaveLength(4_957);
    const kinds: Record<string, string> = { call: "call", create: "create", suicide: "selfdestruct" };
    // The recording keeps 32 bits of each value: a negative one is the rest of more than 2,147 TRX.
    const paid = (row: TronCsvRow): string => BigInt.asUintN(32, BigInt(row.callValue)).toString();
    const kept = rows.filter((row) => !row.rejected);
    const { calls, moves } = readInner(
      rows.map((row) => ({
        caller_address: address(row.callerAddress),
        transferTo_address: address(row.transfertoAddress),
        callValueInfo: [paid(row) === "0" ? {} : { callValue: paid(row) }],
        note: Buffer.from(row.note).toString("hex"),
        ...(row.rejected ? { rejected: true } : {}),
      })),
    );
    expect(moves).toEqual([]);
    // 4,957 rows, of which 1,067 are rejected
    expect(calls).toHaveLength(4_957 - 1_067);
    expect(
      calls.map(({ kind, sender, recipient, value }) => `${kind} ${toHex(sender)} ${toHex(recipient)} ${value}`),
    ).toEqual(
      kept.map((row) => `${kinds[row.note]} ${hex(row.callerAddress)} ${hex(row.transfertoAddress)} ${paid(row)}`),
    );
  });

  test("the known coins of the network equal the recorded ones", () => {
    const known = new Map(tron.stablecoins.map(({ symbol, address: coin }) => [symbol, coin]));
    for (const row of rowsOf("56804500to56805500_token_configuration"))
      expect(row.currencyTicker === "WTRX" ? tron.wrapped_native : known.get(row.currencyTicker)).toBe(
        hex(row.tokenAddress),
      );
  });
});
