/**
 * A block from what a node said about it, or a `BadAnswer`: the number asked, one receipt per transaction in the same
 * order and of the same block, log positions without a gap, the header's log filter, one trace per transaction.
 */
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { Block, Network, Transaction } from "../chain.ts";
import { BadAnswer, type Fields, fieldsOf, listOf, textOf } from "../node/answer.ts";
import { addLogs, emptyBloom } from "./bloom.ts";
import type { TraceMethod } from "./probe.ts";
import { type Rewards, readCallTracer, readTraceBlock, type TransactionTrace } from "./traces.ts";
import { readTransaction } from "./transactions.ts";
import { addressOf, bloomOf, countOf, hashOf, quantityOf, quantityOrNull } from "./wire.ts";

/** JSON of one block as it came. `traces` is null where the node has none. */
export interface RawBlock {
  readonly block: unknown;
  readonly receipts: unknown;
  readonly traces: { readonly method: TraceMethod; readonly answer: unknown } | null;
}

export interface Reading {
  readonly number: number;
  readonly network: Network;
  /** Hash every log into the filter; else only the receipts' own filters are added up (twenty times cheaper). */
  readonly thorough: boolean;
}

const VOID_ADDRESS = `0x${"0".repeat(40)}`;
const BLOOM_OF_NOTHING = `0x${"0".repeat(512)}`;
const WEI_PER_GWEI = 1_000_000_000n;

/**
 * Cronos lists transactions that ran into the block's gas limit without a receipt, and the logs that failed ones would
 * have left still count in positions and in the header's filter. (Seen in blocks 6541, 68216 and 11446765.)
 */
const LOOSE_CHAIN_IDS: ReadonlySet<number> = new Set([25]);

/** @throws BadAnswer */
export const readBlock = (raw: RawBlock, reading: Reading): Block => {
  const header = fieldsOf(raw.block, "block");
  if (countOf(header.number, "block number") !== reading.number) throw new BadAnswer("another block than asked for");
  const hash = textOf(header.hash, "block hash");
  const list = listOf(header.transactions, "transactions").map((item) => fieldsOf(item, "transaction"));
  const loose = LOOSE_CHAIN_IDS.has(reading.network.chain_id);
  const receipts = matchReceipts(list, listOf(raw.receipts, "receipts"), { hash, loose });
  const { traces, rewards } = matchTraces(raw.traces, list);
  const base_fee = quantityOrNull(header.baseFeePerGas, "base fee");
  const pays_coin = reading.network.has_native_coin !== false;
  const transactions = list.map((fields, index) =>
    readTransaction({
      index,
      fields,
      receipt: receipts[index] ?? unreceipted(fields),
      trace: traces?.[index] ?? null,
      base_fee,
      pays_coin,
    }),
  );
  checkLogIndexes(transactions, loose);
  const bloom = bloomOf(header.logsBloom, "log filter");
  checkBloom(bloom, { list, receipts, transactions }, { thorough: reading.thorough, loose });
  return {
    number: reading.number,
    hash: hashOf(hash, "block hash"),
    parent_hash: hashOf(header.parentHash, "parent hash"),
    time: countOf(header.timestamp, "block time"),
    producer: addressOf(header.miner ?? header.author, "producer"),
    base_fee,
    transactions,
    issuance: [...rewards, ...withdrawalsOf(header)],
    has_traces: traces !== null,
    verified: "none",
  };
};

type Receipts = readonly (Fields | null)[];

/** One receipt for each transaction; null only on a loose chain. */
const matchReceipts = (
  list: readonly Fields[],
  answer: readonly unknown[],
  { hash, loose }: { hash: string; loose: boolean },
): Receipts => {
  if (answer.length > list.length || (answer.length < list.length && !loose))
    throw new BadAnswer(`${list.length} transactions have ${answer.length} receipts`);
  let next = 0;
  const receipts = list.map((fields, index) => {
    if (fields.blockHash !== hash) throw new BadAnswer("a transaction of another block");
    if (countOf(fields.transactionIndex, "transaction index") !== index)
      throw new BadAnswer("transactions are out of order");
    if (next === answer.length) return null;
    const receipt = fieldsOf(answer[next], "receipt");
    if (receipt.blockHash !== hash) throw new BadAnswer("a receipt of another block");
    if (receipt.transactionHash !== fields.hash && loose) return null;
    if (receipt.transactionHash !== fields.hash) throw new BadAnswer("a receipt of another transaction");
    if (countOf(receipt.transactionIndex, "receipt index") !== index) throw new BadAnswer("receipts are out of order");
    next += 1;
    return receipt;
  });
  if (next !== answer.length) throw new BadAnswer("a receipt belongs to no transaction");
  return receipts;
};

/** What Ethermint itself reports in later versions: failed, and the whole gas limit was paid for. */
const unreceipted = (fields: Fields): Fields => ({
  status: "0x0",
  gasUsed: fields.gas,
  transactionHash: fields.hash,
  logs: [],
});

/** Transactions from nobody to nobody are the chain's own book-keeping (Polygon's state sync): no trace, no filter bits. */
export const isBookkeeping = (fields: Fields): boolean => fields.from === VOID_ADDRESS && fields.to === VOID_ADDRESS;

const NOT_TRACED: TransactionTrace = { failed: false, calls: [] };

const matchTraces = (
  raw: RawBlock["traces"],
  list: readonly Fields[],
): { traces: readonly TransactionTrace[] | null; rewards: Rewards } => {
  if (raw === null) return { traces: null, rewards: [] };
  const all = list.map((fields) => ({ hash: fields.hash, from: fields.from }));
  if (raw.method === "trace_block") return readTraceBlock(raw.answer, all);
  const answered = listOf(raw.answer, "block trace").length;
  const traced = answered < list.length ? all.filter((_, i) => !isBookkeeping(list[i] ?? {})) : all;
  const read = readCallTracer(raw.answer, traced);
  if (traced === all) return { traces: read, rewards: [] };
  let next = 0;
  const traces = list.map((fields) => {
    if (isBookkeeping(fields)) return NOT_TRACED;
    next += 1;
    return read[next - 1] ?? NOT_TRACED;
  });
  return { traces, rewards: [] };
};

const checkLogIndexes = (transactions: readonly Transaction[], loose: boolean): void => {
  let next = 0;
  for (const { logs } of transactions) {
    for (const log of logs) {
      if (loose ? log.index < next : log.index !== next) throw new BadAnswer("log positions have a gap");
      next = log.index + 1;
    }
  }
};

interface Parts {
  readonly list: readonly Fields[];
  readonly receipts: Receipts;
  readonly transactions: readonly Transaction[];
}

/**
 * The header's filter must be what the logs give. Always: no receipt is missing logs altogether, the receipts' filters
 * add up to the header's, and the last receipt with logs has all of them (a log missing anywhere else leaves a gap in the
 * positions). Thorough: the logs themselves give the header's filter.
 */
const checkBloom = (
  header: Bytes,
  { list, receipts, transactions }: Parts,
  { thorough, loose }: { thorough: boolean; loose: boolean },
): void => {
  const sum = emptyBloom();
  let last: Filtered | null = null;
  for (let i = 0; i < receipts.length; i += 1) {
    const logs = transactions[i]?.logs ?? [];
    const claimed = receipts[i]?.logsBloom;
    if (isBookkeeping(list[i] ?? {})) continue;
    if (typeof claimed === "string" && (claimed === BLOOM_OF_NOTHING) !== (logs.length === 0))
      throw new BadAnswer("a receipt's logs do not fit its log filter");
    if (logs.length === 0) continue;
    if (thorough || typeof claimed !== "string") {
      addLogs(sum, logs);
      continue;
    }
    const filter = bloomOf(claimed, "receipt log filter");
    addBloom(sum, filter);
    last = { filter, logs };
  }
  if (last !== null) checkLast(last);
  const may_be_less = loose && transactions.some((transaction) => !transaction.succeeded);
  const fits = may_be_less ? sum.every((byte, i) => (byte & ~(header[i] ?? 0)) === 0) : equalBytes(sum, header);
  if (!fits) throw new BadAnswer("logs do not fit the block's log filter");
};

interface Filtered {
  readonly filter: Bytes;
  readonly logs: Transaction["logs"];
}

const checkLast = ({ filter, logs }: Filtered): void => {
  const own = emptyBloom();
  addLogs(own, logs);
  if (!equalBytes(own, filter)) throw new BadAnswer("the last logs do not fit their receipt's log filter");
};

const addBloom = (sum: Bytes, bloom: Bytes): void => {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) | (bloom[i] ?? 0);
};

/** Validator withdrawals (EIP-4895) are in gwei. Some roll-ups send null. */
const withdrawalsOf = (header: Fields): Block["issuance"] => {
  if (header.withdrawals === undefined || header.withdrawals === null) return [];
  return listOf(header.withdrawals, "withdrawals").map((item) => {
    const fields = fieldsOf(item, "withdrawal");
    const amount = quantityOf(fields.amount, "withdrawal amount") * WEI_PER_GWEI;
    return { kind: "withdrawal", address: addressOf(fields.address, "withdrawal address"), amount };
  });
};
