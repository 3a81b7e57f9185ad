/** False answers of Tron nodes, and the operator's messages about them. */
import { createHash } from "node:crypto";
import { type AcceptedLie, jsonOf, type LieJson, type LyingAnswer, listOf, type NamedLie } from "./lies.ts";

const BLOCKS = "/wallet/getblockbylimitnext";
const INFOS = "/wallet/gettransactioninfobyblocknum";

const ofTronBlocks =
  (change: (blocks: readonly LieJson[]) => readonly LieJson[]): LyingAnswer =>
  ({ what }, answer) =>
    what === BLOCKS && answer.block !== undefined ? { ...answer, block: change(listOf(answer.block)) } : undefined;

/** Leaves blocks with internal payments unchanged: they show that a node keeps internal transactions. */
const ofInfos =
  (change: (infos: readonly LieJson[]) => readonly LieJson[]): LyingAnswer =>
  ({ what }, answer) =>
    what === INFOS && Array.isArray(answer.list) && answer.list.length > 0 && answer.list.every(isPlain)
      ? { list: change(answer.list) }
      : undefined;

const isPlain = (info: LieJson): boolean => info.internal_transactions === undefined;

const ofTransactions = (change: (transactions: readonly LieJson[]) => readonly LieJson[]): LyingAnswer =>
  ofTronBlocks((blocks) =>
    blocks.map((block) =>
      block.transactions === undefined ? block : { ...block, transactions: change(listOf(block.transactions)) },
    ),
  );

/** Blocks of one transaction have only one order. */
const ofSeveral = (change: (transactions: readonly LieJson[]) => readonly LieJson[]): LyingAnswer =>
  ofTransactions((list) => (list.length < 2 ? list : change(list)));

/** Other bytes, with their own id. */
const withRaw = (transaction: LieJson, change: (raw: Buffer) => void): LieJson => {
  const raw = Buffer.from(String(transaction.raw_data_hex), "hex");
  change(raw);
  return { ...transaction, raw_data_hex: raw.toString("hex"), txID: createHash("sha256").update(raw).digest("hex") };
};

const ofLogs = (change: (logs: readonly LieJson[]) => readonly LieJson[]): LyingAnswer =>
  ofInfos((infos) => infos.map((info) => (info.log === undefined ? info : { ...info, log: change(listOf(info.log)) })));

const ofHeader = (change: (raw: LieJson) => LieJson): LyingAnswer =>
  ofTronBlocks((blocks) =>
    blocks.map((block) => {
      const header = jsonOf(block.block_header);
      return { ...block, block_header: { ...header, raw_data: change(jsonOf(header.raw_data)) } };
    }),
  );

export const TRON_LIES: readonly NamedLie[] = [
  ["blocks of other numbers", /another block than asked for/, ofTronBlocks((blocks) => blocks.toReversed())],
  ["a pruned block", /is not there/, ({ what }) => (what === BLOCKS ? {} : undefined)],
  ["pruned infos", /transactions? have 0 infos/, ofInfos(() => [])],
  [
    "another time",
    /not the hash of its header/,
    ofHeader((raw) => ({ ...raw, timestamp: Number(raw.timestamp) + 3_000 })),
  ],
  ["a missing transaction", /not those of its header/, ofTransactions((list) => list.slice(0, -1))],
  ["a missing info", /transactions? have \d+ infos/, ofInfos((infos) => infos.slice(0, -1))],
  [
    "infos of another block",
    /an info of another block/,
    ofInfos((infos) => infos.map((info) => ({ ...info, blockNumber: Number(info.blockNumber) + 1 }))),
  ],
  [
    "the info of another transaction",
    /without an info|of another transaction/,
    ofInfos((infos) => infos.map((info) => ({ ...info, id: "ab".repeat(32) }))),
  ],
  [
    "another transaction under its id",
    /not the hash of its raw data/,
    ofTransactions((list) => list.map((one) => ({ ...one, txID: "cd".repeat(32) }))),
  ],
  [
    "success where the info says failure",
    /disagree/,
    ofInfos((infos) => infos.map((info) => ({ ...info, result: "FAILED" }))),
  ],
  [
    "another transaction with an id of its own",
    /not those of its header/,
    ofTransactions((list) =>
      list.map((one, i) => (i === 0 ? withRaw(one, (raw) => raw.set([9], raw.length - 1)) : one)),
    ),
  ],
  ["transactions in another order", /not those of its header/, ofSeveral((list) => list.toReversed())],
  [
    "a duplicate transaction in a block",
    /not those of its header/,
    ofTransactions((list) => [...list, ...list.slice(-1)]),
  ],
  ["no transactions at all", /not those of its header/, ofTransactions(() => [])],
  [
    "another outcome of a transaction",
    /not those of its header/,
    ofTransactions((list) => list.map((one) => ({ ...one, ret: [{ contractRet: "OUT_OF_ENERGY" }] }))),
  ],
  [
    "another wallet's signature",
    /not those of its header/,
    ofTransactions((list) => list.map((one) => ({ ...one, signature: ["cd".repeat(65)] }))),
  ],
  [
    "a root of other transactions",
    /not the hash of its header/,
    ofHeader((raw) => ({ ...raw, txTrieRoot: "ab".repeat(32) })),
  ],
];

/** Parts of a block of Tron without a commitment: `docs/threat_model.md` lists them, and only other nodes reveal false ones. */
export const TRON_BELIEVED: readonly AcceptedLie[] = [
  ["an amount in a log", ofLogs((logs) => logs.map((log) => ({ ...log, data: "7".repeat(64) })))],
  ["a log left out", ofLogs((logs) => logs.slice(1))],
  ["a log made up", ofLogs((logs) => [...logs, ...logs.slice(-1)])],
  ["another fee", ofInfos((infos) => infos.map((info) => ({ ...info, fee: 7_654_321 })))],
  [
    "an inner payment left out",
    ({ what }, answer) =>
      what === INFOS && Array.isArray(answer.list)
        ? { list: answer.list.map(({ internal_transactions: inner, ...info }) => ({ ...info, ...someInner(inner) })) }
        : undefined,
  ],
  [
    "another energy",
    ofInfos((infos) => infos.map((info) => ({ ...info, receipt: { ...jsonOf(info.receipt), energy_usage_total: 5 } }))),
  ],
];

/** Not all: these show that a node keeps internal transactions. */
const someInner = (inner: unknown): LieJson =>
  Array.isArray(inner) && inner.length > 0 ? { internal_transactions: inner.slice(0, -1) } : {};

const ofAsked =
  (path: string, change: (answer: LieJson) => LieJson): LyingAnswer =>
  ({ what }, answer) =>
    what === path && Object.keys(answer).length > 0 ? change(answer) : undefined;

/** Of one transaction, read by its id. */
export const TRON_TRANSACTION_LIES: readonly NamedLie[] = [
  [
    "a transaction without raw data",
    /not the hash of its raw data/,
    ofAsked("/wallet/gettransactionbyid", (one) => ({ ...one, raw_data_hex: "" })),
  ],
  [
    "raw data without a message",
    /another transaction than asked for/,
    ofAsked("/wallet/gettransactionbyid", (one) => withRaw(one, (raw) => raw.fill(0xff))),
  ],
  [
    "a block without it",
    /does not hold it|is not there/,
    ofAsked("/wallet/gettransactioninfobyid", (info) => ({ ...info, blockNumber: Number(info.blockNumber) - 1 })),
  ],
  [
    "a block that is no number",
    /block number is not an integer/,
    ofAsked("/wallet/gettransactioninfobyid", (info) => ({ ...info, blockNumber: "x" })),
  ],
  [
    "an energy that is no number",
    /energy is not an integer/,
    ({ what }, answer) =>
      what === INFOS && Array.isArray(answer.list)
        ? { list: answer.list.map((info) => ({ ...info, receipt: { energy_usage_total: "x" } })) }
        : undefined,
  ],
];
