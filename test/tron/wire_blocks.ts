/** Transactions, infos and blocks of Tron in the form of nodes, for tests of the readers of their text. */
import { createHash } from "node:crypto";
import { integerField, lengthField } from "../../src/chains/tron/protobuf.ts";
import { blockOf, type TronJson } from "../../src/demo/tron/shapes.ts";

export const ALICE = `41${"a1".repeat(20)}`;
export const BOB = `41${"b0".repeat(20)}`;
const TOKEN = `41${"c0".repeat(20)}`;
const LONG_AGO_MS = 1_757_590_707_000;

/** Fields of a contract: hex, or an integer. */
export type ContractValues = readonly (readonly [field: number, value: string | bigint])[];

/** One of each kind that the scan knows, by its number, and three that it does not. */
export const CONTRACTS: readonly (readonly [type: number, fields: ContractValues])[] = [
  [
    1,
    [
      [1, ALICE],
      [2, BOB],
      [3, 5_000_000n],
    ],
  ],
  [
    2,
    [
      [1, "31303030303031"],
      [2, ALICE],
      [3, BOB],
      [4, 7n],
    ],
  ],
  [
    31,
    [
      [1, ALICE],
      [2, TOKEN],
      [4, `a9059cbb${"0".repeat(24)}${"b0".repeat(20)}${"1".padStart(64, "0")}`],
    ],
  ],
  [
    57,
    [
      [1, ALICE],
      [3, 9n],
      [4, BOB],
    ],
  ],
  [
    58,
    [
      [1, ALICE],
      [3, 9n],
      [4, BOB],
    ],
  ],
  [
    31,
    [
      [1, ALICE],
      [2, TOKEN],
      [3, 2n ** 40n],
      [5, 3n],
      [6, 1_000_001n],
    ],
  ],
  [4, [[1, ALICE]]],
  [13, [[1, ALICE]]],
];

const messageOf = (fields: ContractValues): Buffer =>
  Buffer.concat(
    fields.map(([field, value]) =>
      typeof value === "bigint" ? integerField(field, value) : lengthField(field, Buffer.from(value, "hex")),
    ),
  );

const hexOf = (fields: ContractValues): string => messageOf(fields).toString("hex");

/** Raw data around a contract; `serial` varies it. */
export const rawOf = ([type, fields]: readonly [number, ContractValues], serial = 0): string => {
  const any = hexOf([
    [1, Buffer.from("type.googleapis.com/protocol.Some").toString("hex")],
    [2, hexOf(fields)],
  ]);
  const contract = hexOf([
    [1, BigInt(type)],
    [2, any],
  ]);
  return hexOf([
    [1, "3b08"],
    [8, BigInt(LONG_AGO_MS + serial)],
    [11, contract],
    [14, BigInt(LONG_AGO_MS)],
  ]);
};

const hashOf = (hex: string): string => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");

/** In the form of a block's list. */
export const listedOf = (raw: string, more: TronJson = {}): TronJson => ({
  ret: [{ contractRet: "SUCCESS" }],
  signature: [`${hashOf(raw).repeat(2)}01`],
  txID: hashOf(raw),
  raw_data: {
    contract: [{ parameter: { value: { data: "a9\u00e9" } }, Permission_id: 2 }],
    fee_limit: 225e6,
    data: [],
  },
  raw_data_hex: raw,
  ...more,
});

/** Its info, with two logs. */
export const infoOf = (id: unknown, number: number, more: TronJson = {}): TronJson => ({
  id,
  fee: 266_000,
  blockNumber: number,
  blockTimeStamp: LONG_AGO_MS,
  contractResult: ["01"],
  contract_address: TOKEN,
  receipt: { energy_usage_total: 130_285, net_usage: 345, result: "SUCCESS" },
  log: [
    { address: TOKEN.slice(2), topics: ["dd".repeat(32), "0a".repeat(32)], data: "00ff" },
    { address: TOKEN, data: "2b".repeat(40) },
  ],
  ...more,
});

export const INNER: TronJson = {
  internal_transactions: [
    { caller_address: TOKEN, transferTo_address: ALICE, callValueInfo: [{ callValue: 9 }, {}], note: "63616c6c" },
  ],
};

/** A block of transactions, each `SUCCESS`, with its infos. */
export const blockWithInfos = (number: number, transactions: readonly TronJson[]) => ({
  block: blockOf({ number, time_ms: LONG_AGO_MS, parent_id: "ab".repeat(32), transactions }),
  infos: transactions.map(({ txID }, i) => infoOf(txID, number, i % 3 === 2 ? INNER : {})),
});
