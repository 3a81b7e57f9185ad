/**
 * A block from what a node said about it, or a `BadAnswer`: the number asked, one receipt per transaction in the same
 * order and of the same block, log positions without a gap, one trace per transaction. What its hash commits to has been
 * recomputed before (verify/); where that cannot be, the header's log filter is what logs are compared with.
 */
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { Block, Network, Transaction } from "../chain.ts";
import { BadAnswer, type Fields, fieldsOf, listOf, textOf } from "../node/answer.ts";
import { underCheck } from "../node/refused_block.ts";
import { addLogs, emptyBloom } from "./bloom.ts";
import type { TraceMethod } from "./probe.ts";
import type { ScannedBlock, ScannedReceipt } from "./scan/records.ts";
import { type Rewards, readCallTracer, readTraceBlock, type TransactionTrace } from "./traces.ts";
import { type Committed, readTransaction } from "./transactions.ts";
import { bookkeepingHash, type Proof } from "./verify/block_verifier.ts";
import type { Rules } from "./verify/rules.ts";
import { addressOf, bloomOf, countOf, hashOf, quantityOf, quantityOrNull } from "./wire.ts";

/** One block as its text says. `traces` is JSON as it came, and null where the node has none. */
export interface RawBlock {
  readonly block: ScannedBlock;
  readonly receipts: readonly ScannedReceipt[];
  readonly traces: { readonly method: TraceMethod; readonly answer: unknown } | null;
}

export interface Reading {
  readonly number: number;
  readonly network: Network;
  /** Hash every log into the filter; else only the receipts' own filters are added up (twenty times cheaper). */
  readonly thorough: boolean;
  readonly rules: Rules;
  /** What was recomputed of it; null where nothing was. */
  readonly proof: Proof | null;
  /** Who made it, where the header is signed instead of naming somebody (author.ts); null: who it names. */
  readonly author: Bytes | null;
  /** Unix seconds. */
  readonly now: number;
}

/** How far a block's time may lie ahead of this machine's. */
const AHEAD_SECONDS_MAX = 15 * 60;
const VOID_ADDRESS = `0x${"0".repeat(40)}`;
const BLOOM_OF_NOTHING = `0x${"0".repeat(512)}`;
const WEI_PER_GWEI = 1_000_000_000n;

/**
 * Cronos lists transactions that ran into the block's gas limit without a receipt, and the logs that failed ones would
 * have left still count in positions and in the header's filter. (Seen in blocks 6541, 68216 and 11446765.)
 */
const LOOSE_CHAIN_IDS: ReadonlySet<number> = new Set([25]);

/** A block and its receipts, of which one belongs to each transaction. Nothing of them has been recomputed. */
export interface Matched {
  readonly header: Fields;
  readonly hash: string;
  readonly list: readonly Fields[];
  readonly receipts: Receipts;
  readonly traces: RawBlock["traces"];
  readonly loose: boolean;
}

/** Whether a node answered what it was asked, as far as that shows without recomputing. @throws BadAnswer */
export const matchBlock = (raw: RawBlock, { number, network }: Pick<Reading, "number" | "network">): Matched => {
  const { header, transactions: list } = raw.block;
  if (countOf(header.number, "block number") !== number)
    throw new BadAnswer("another block than asked for", "block_number");
  const hash = textOf(header.hash, "block hash");
  const loose = LOOSE_CHAIN_IDS.has(network.chain_id);
  const receipts = matchReceipts(list, raw.receipts, { hash, loose, number });
  return { header, hash, list, receipts, traces: raw.traces, loose };
};

/** @throws BadAnswer */
export const readBlock = (matched: Matched, reading: Reading): Block => {
  const { header, hash, list, receipts, loose } = matched;
  const { traces, rewards } = underCheck("traces", () => matchTraces(matched.traces, list));
  const base_fee = quantityOrNull(header.baseFeePerGas, "base fee");
  const pays_coin = reading.network.has_native_coin !== false;
  const committed = committedOf(matched, reading);
  const transactions = list.map((fields, index) => {
    const receipt = receipts[index] ?? unreceipted(fields);
    return readTransaction({
      index,
      fields,
      receipt: receipt.fields,
      told: receipt,
      trace: traces?.[index] ?? null,
      base_fee,
      pays_coin,
      committed: committed[index] ?? null,
    });
  });
  checkLogIndexes(transactions, loose);
  checkUncovered(transactions, reading, hash);
  if (reading.proof === null)
    checkBloom(
      bloomOf(header.logsBloom, "log filter"),
      { list, receipts, transactions },
      { thorough: reading.thorough, loose },
    );
  return {
    number: reading.number,
    hash: hashOf(hash, "block hash"),
    parent_hash: hashOf(header.parentHash, "parent hash"),
    time: timeOf(header, reading.now),
    producer: reading.author ?? addressOf(header.miner ?? header.author, "producer"),
    base_fee,
    transactions,
    issuance: [...rewards, ...withdrawalsOf(header)],
    has_traces: traces !== null,
    verified: reading.proof?.verified ?? "none",
  };
};

const timeOf = (header: Fields, now: number): number => {
  const time = countOf(header.timestamp, "block time");
  if (time > now + AHEAD_SECONDS_MAX) throw new BadAnswer("a block of the future", "block_time");
  return time;
};

/** For each transaction that the header's roots cover; empty where nothing was recomputed. */
const committedOf = ({ header, receipts }: Matched, { proof, rules }: Reading): readonly Committed[] => {
  if (proof === null) return [];
  const price = rules.price(header.mixHash);
  const covered = receipts.slice(0, receipts.length - proof.uncovered);
  let before = 0n;
  return covered.map((receipt, i) => {
    const so_far = quantityOf(receipt?.fields.cumulativeGasUsed, "gas so far");
    const gas_used = so_far - before;
    before = so_far;
    return {
      gas_used,
      sender: proof.senders[i] ?? null,
      is_hashed: proof.senders.length > 0,
      price,
      has_layer1_fee: rules.has_layer1_fee,
    };
  });
};

/** Polygon's book-keeping has a hash that follows from the block's, and comes at the end of a sprint of 16 blocks. */
const SPRINT_BLOCKS = 16;

const checkUncovered = (transactions: readonly Transaction[], { proof, number }: Reading, hash: string): void => {
  if (proof === null || proof.uncovered === 0) return;
  const last = transactions.at(-1);
  const own = bookkeepingHash(number, hashOf(hash, "block hash"));
  if (number % SPRINT_BLOCKS !== 0 || last === undefined || !equalBytes(last.hash, own))
    throw new BadAnswer("a book-keeping transaction where none can be", "bookkeeping");
};

type Receipts = readonly (ScannedReceipt | null)[];

/** One receipt for each transaction; null only on a loose chain. */
const matchReceipts = (
  list: readonly Fields[],
  answer: readonly ScannedReceipt[],
  { hash, loose, number }: { hash: string; loose: boolean; number: number },
): Receipts => {
  if (answer.length > list.length || (answer.length < list.length && !loose))
    throw new BadAnswer(`${list.length} transactions have ${answer.length} receipts`, "receipt_count");
  let next = 0;
  const receipts = list.map((fields, index) => {
    if (fields.blockHash !== hash) throw new BadAnswer("a transaction of another block", "block_reference");
    checkNumber(fields, number);
    if (countOf(fields.transactionIndex, "transaction index") !== index)
      throw new BadAnswer("transactions are out of order", "transaction_order");
    const told = answer[next];
    if (told === undefined) return null;
    const receipt = told.fields;
    if (receipt.blockHash !== hash) throw new BadAnswer("a receipt of another block", "block_reference");
    checkNumber(receipt, number);
    if (receipt.transactionHash !== fields.hash && loose) return null;
    if (receipt.transactionHash !== fields.hash)
      throw new BadAnswer("a receipt of another transaction", "receipt_transaction");
    if (countOf(receipt.transactionIndex, "receipt index") !== index)
      throw new BadAnswer("receipts are out of order", "receipt_order");
    next += 1;
    return told;
  });
  if (next !== answer.length) throw new BadAnswer("a receipt belongs to no transaction", "receipt_transaction");
  return receipts;
};

const checkNumber = (fields: Fields, number: number): void => {
  if (fields.blockNumber !== undefined && countOf(fields.blockNumber, "block number") !== number)
    throw new BadAnswer("a transaction or receipt of another block", "block_reference");
};

/** What Ethermint itself reports in later versions: failed, and the whole gas limit was paid for. */
const unreceipted = (fields: Fields): ScannedReceipt => ({
  fields: { status: "0x0", gasUsed: fields.gas, transactionHash: fields.hash },
  logs: [],
  repeats_all: true,
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
      if (loose ? log.index < next : log.index !== next)
        throw new BadAnswer("log positions have a gap", "log_positions");
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
    const claimed = receipts[i]?.fields.logsBloom;
    if (isBookkeeping(list[i] ?? {})) continue;
    if (typeof claimed === "string" && (claimed === BLOOM_OF_NOTHING) !== (logs.length === 0))
      throw new BadAnswer("a receipt's logs do not fit its log filter", "log_filter");
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
  if (!fits) throw new BadAnswer("logs do not fit the block's log filter", "log_filter");
};

interface Filtered {
  readonly filter: Bytes;
  readonly logs: Transaction["logs"];
}

const checkLast = ({ filter, logs }: Filtered): void => {
  const own = emptyBloom();
  addLogs(own, logs);
  if (!equalBytes(own, filter))
    throw new BadAnswer("the last logs do not fit their receipt's log filter", "log_filter");
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
