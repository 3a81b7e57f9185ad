/** What nodes of Solana and Tron can say that is not so, and what an operator then reads. */
import type { Question } from "./spoiler.ts";

type Json = { readonly [name: string]: unknown };
type Told = (question: Question, answer: Json) => Json | undefined;
/** Name, the sentence for the operator, and what is told. */
export type NamedLie = readonly [name: string, problem: RegExp, lie: Told];

const jsonOf = (value: unknown): Json => value as Json; // our own façade's answers
const listOf = (value: unknown): readonly Json[] => value as readonly Json[]; // the same

/** Changes whole blocks; headers pass. */
const ofBlocks =
  (change: (block: Json, slot: number) => Json): Told =>
  ({ what, asked }, answer) => {
    const [slot, config] = asked as readonly [number, Json]; // parameters of getBlock
    if (what !== "getBlock" || config.transactionDetails !== "full" || answer.result === undefined) return undefined;
    return { ...answer, result: change(jsonOf(answer.result), slot) };
  };

/** Changes the last transaction of blocks that have one. */
const ofLast = (change: (transaction: Json) => Json): Told =>
  ofBlocks((block) => {
    const list = listOf(block.transactions);
    const last = list.at(-1);
    return last === undefined ? block : { ...block, transactions: [...list.slice(0, -1), change(last)] };
  });

const ofMeta = (change: (meta: Json) => Json): Told =>
  ofLast((transaction) => ({
    ...transaction,
    meta: { ...jsonOf(transaction.meta), ...change(jsonOf(transaction.meta)) },
  }));

const FAILS = { jsonrpc: "2.0" };

export const SOLANA_LIES: readonly NamedLie[] = [
  [
    "a slot that is left out of the list",
    /was not listed|does not follow|out of order|slots/,
    ({ what }, answer) =>
      what === "getBlocks" && listOf(answer.result).length > 2
        ? { ...answer, result: listOf(answer.result).filter((_, i) => i !== 1) }
        : undefined,
  ],
  [
    "a slot that is said to be skipped",
    /skipped after all/,
    ({ what, asked }, answer) => {
      const [slot, config] = asked as readonly [number, Json];
      if (what !== "getBlock" || config.transactionDetails !== "full" || slot % 7 !== 3) return undefined;
      const error = {
        code: -32_007,
        message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      };
      return { ...FAILS, id: answer.id, error };
    },
  ],
  [
    "a block that was pruned",
    /cleaned up/,
    ({ what, asked }, answer) => {
      const [slot, config] = asked as readonly [number, Json];
      if (what !== "getBlock" || config.transactionDetails !== "full") return undefined;
      const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${slot + 1_000}`;
      return { ...FAILS, id: answer.id, error: { code: -32_001, message } };
    },
  ],
  [
    "the block of another slot",
    /does not follow|is slot/,
    (() => {
      let other: Json | null = null;
      return ofBlocks((block) => {
        const said = other ?? block;
        other = block;
        return said;
      });
    })(),
  ],
  ["another parent", /does not follow/, ofBlocks((block) => ({ ...block, previousBlockhash: "1".repeat(32) }))],
  ["no inner instructions", /did not keep/, ofMeta(() => ({ innerInstructions: null }))],
  ["no rewards", /did not keep/, ofBlocks(({ rewards: _, ...block }) => block)],
  ["no time", /did not keep|does not know/, ofBlocks((block) => ({ ...block, blockTime: null }))],
  [
    "balances of fewer accounts",
    /accounts have/,
    ofMeta(({ postBalances }) => ({ postBalances: listOf(postBalances).slice(0, -1) })),
  ],
  [
    "a transaction that is cut off",
    /cut off/,
    ofLast((transaction) => {
      const [wire] = transaction.transaction as readonly [string, string]; // of encoding base64
      return { ...transaction, transaction: [wire.slice(0, 80), "base64"] };
    }),
  ],
];

const BLOCKS = "/wallet/getblockbylimitnext";
const INFOS = "/wallet/gettransactioninfobyblocknum";

const ofTronBlocks =
  (change: (blocks: readonly Json[]) => readonly Json[]): Told =>
  ({ what }, answer) =>
    what === BLOCKS && answer.block !== undefined ? { ...answer, block: change(listOf(answer.block)) } : undefined;

/** Blocks with inner payments pass: by them a node shows that it keeps what is inner. */
const ofInfos =
  (change: (infos: readonly Json[]) => readonly Json[]): Told =>
  ({ what }, answer) =>
    what === INFOS && Array.isArray(answer.list) && answer.list.length > 0 && answer.list.every(isPlain)
      ? { list: change(answer.list) }
      : undefined;

const isPlain = (info: Json): boolean => info.internal_transactions === undefined;

const ofTransactions = (change: (transactions: readonly Json[]) => readonly Json[]): Told =>
  ofTronBlocks((blocks) =>
    blocks.map((block) =>
      block.transactions === undefined ? block : { ...block, transactions: change(listOf(block.transactions)) },
    ),
  );

const ofHeader = (change: (raw: Json) => Json): Told =>
  ofTronBlocks((blocks) =>
    blocks.map((block) => {
      const header = jsonOf(block.block_header);
      return { ...block, block_header: { ...header, raw_data: change(jsonOf(header.raw_data)) } };
    }),
  );

export const TRON_LIES: readonly NamedLie[] = [
  ["blocks of other numbers", /another block than asked for/, ofTronBlocks((blocks) => blocks.toReversed())],
  ["a block that was pruned", /is not there/, ({ what }) => (what === BLOCKS ? {} : undefined)],
  ["infos that were pruned", /transactions? have 0 infos/, ofInfos(() => [])],
  [
    "another time",
    /not the hash of its header/,
    ofHeader((raw) => ({ ...raw, timestamp: Number(raw.timestamp) + 3_000 })),
  ],
  ["a transaction less", /transactions? have/, ofTransactions((list) => list.slice(0, -1))],
  ["an info less", /transactions? have \d+ infos/, ofInfos((infos) => infos.slice(0, -1))],
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
];
