/**
 * Builds a block from a node's answers, or throws a `BadAnswer`. Checks the number requested, one receipt per
 * transaction in the same order and of the same block, log positions without a gap, one trace per transaction. verify/
 * has recomputed what the block's hash commits to; without that, the logs are compared with the header's log filter.
 */
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { Block, Network, Transaction, Verify } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf, textOf } from "../node/answer.ts";
import { underCheck } from "../node/refused_block.ts";
import { checkBloom, positionLogs } from "./block_logs.ts";
import { checkRewards, rewardAt, rewardsOf } from "./block_rewards.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import { matchReceipts, type Receipts } from "./matched_receipts.ts";
import type { ScannedBlock, ScannedReceipt } from "./scan/records.ts";
import { type Rewards, readCallTracer, readTraceBlock, type TransactionTrace } from "./traces.ts";
import type { TraceMethod } from "./traits.ts";
import { type CommittedTransaction, readTransaction } from "./transactions.ts";
import { checkUncles, type Uncles } from "./uncles.ts";
import { bookkeepingHash, type Proof } from "./verify/block_verifier.ts";
import type { Rules } from "./verify/rules.ts";
import { addressOf, bloomOf, countOf, hashOf, quantityOf, quantityOrNull } from "./wire.ts";

/** Parts of one block as text. `traces` is parsed JSON, or null if unknown. */
export interface RawBlock {
  readonly block: ScannedBlock;
  readonly receipts: readonly ScannedReceipt[];
  readonly traces: { readonly method: TraceMethod; readonly answer: unknown } | null;
  readonly uncles: Uncles;
}

export interface BlockParameters {
  readonly number: number;
  readonly network: Network;
  readonly verify: Verify;
  /** Hash every log into the filter; else only the receipts' own filters are added up (twenty times cheaper). */
  readonly thorough: boolean;
  readonly rules: Rules;
  /** Result of recomputing the block; null if nothing was recomputed. */
  readonly proof: Proof | null;
  /** The producer, if the header is signed instead of naming one (author.ts); null: the producer that it names. */
  readonly author: Bytes | null;
  /** Unix seconds. */
  readonly now: number;
}

/** How far a block's time may be ahead of this machine's. */
const AHEAD_SECONDS_MAX = 15 * 60;
/** The store keeps times in 32 bits. */
const TIME_MAX = 2 ** 32 - 1;
const WEI_PER_GWEI = 1_000_000_000n;

/**
 * Cronos lists transactions that exceeded the block's gas limit without a receipt, and the logs of failed transactions
 * still count in positions and in the header's filter. (Seen in blocks 6541, 68216 and 11446765.)
 */
const LOOSE_CHAIN_IDS: ReadonlySet<number> = new Set([25]);

/** A block with one receipt for each transaction. Nothing of it has been recomputed. */
export interface MatchedBlock {
  readonly header: JsonFields;
  readonly hash: string;
  readonly list: readonly JsonFields[];
  readonly receipts: Receipts;
  readonly traces: RawBlock["traces"];
  readonly uncles: RawBlock["uncles"];
  readonly loose: boolean;
}

/** Checks the parts of a block that need no recomputation. @throws BadAnswer */
export const matchBlock = (
  raw: RawBlock,
  { number, network, verify }: Pick<BlockParameters, "number" | "network" | "verify">,
): MatchedBlock => {
  const { header, transactions: list } = raw.block;
  if (countOf(header.number, "block number") !== number)
    throw new BadAnswer("another block than asked for", "block_number");
  const hash = textOf(header.hash, "block hash");
  const loose = LOOSE_CHAIN_IDS.has(network.chain_id);
  const receipts = matchReceipts(list, raw.receipts, { hash, loose, number, verify });
  return { header, hash, list, receipts, traces: raw.traces, uncles: raw.uncles, loose };
};

/** @throws BadAnswer */
export const readBlock = (matched: MatchedBlock, reading: BlockParameters): Block => {
  const { header, hash, list, receipts, loose } = matched;
  const { traces, rewards: told } = underCheck("traces", () => matchTraces(matched.traces, list));
  const base_fee = quantityOrNull(header.baseFeePerGas, "base fee");
  const pays_coin = reading.network.has_native_coin !== false;
  const committed = committedOf(matched, reading);
  const read = list.map((fields, index) => {
    const receipt = receipts[index] ?? unreceipted(fields);
    return readTransaction({
      index,
      fields,
      receipt: receipt.fields,
      told: receipt,
      trace: traces?.[index] ?? null,
      base_fee,
      extra_data: header.extraData,
      pays_coin,
      committed: committed[index] ?? null,
    });
  });
  const { transactions, counts_anew } = positionLogs(read, { loose, verify: reading.verify });
  checkUncovered(transactions, reading, hash);
  if (reading.proof === null && reading.verify === "full") {
    const thorough = reading.thorough || counts_anew;
    checkBloom(bloomOf(header.logsBloom, "log filter"), { list, receipts, transactions }, { thorough, loose });
  }
  const producer = reading.author ?? addressOf(header.miner ?? header.author, "producer");
  return {
    number: reading.number,
    hash: hashOf(hash, "block hash"),
    parent_hash: hashOf(header.parentHash, "parent hash"),
    time: timeOf(header, reading),
    producer,
    base_fee,
    transactions,
    issuance: [...rewardsIn(matched, { producer, told }, reading), ...withdrawalsOf(header)],
    has_traces: traces !== null && matched.uncles.headers !== null,
    verified: reading.proof?.verified ?? "none",
  };
};

/** By the rule of the network; without a rule or without known uncles, as the node states them. */
const rewardsIn = (
  { header, uncles }: MatchedBlock,
  { producer, told }: { readonly producer: Bytes; readonly told: Rewards },
  { number, network, verify }: BlockParameters,
): Rewards => {
  if (rewardAt(network, number) === 0n || (uncles.headers === null && told.length > 0)) return told;
  const rewards = rewardsOf(network, { number, producer, uncles });
  if (verify === "header" || uncles.headers === null) return rewards;
  checkUncles(header, uncles.headers);
  checkRewards(rewards, told);
  return rewards;
};

const timeOf = (header: JsonFields, { now, verify }: Pick<BlockParameters, "now" | "verify">): number => {
  const time = countOf(header.timestamp, "block time");
  if (time > TIME_MAX) throw new BadAnswer("a block of a time that cannot be stored");
  if (verify === "full" && time > now + AHEAD_SECONDS_MAX) throw new BadAnswer("a block of the future", "block_time");
  return time;
};

/** One entry for each transaction that the header's roots cover; empty if nothing was recomputed. */
const committedOf = (
  { header, receipts }: MatchedBlock,
  { proof, rules }: BlockParameters,
): readonly CommittedTransaction[] => {
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

/** The hash of Polygon's book-keeping transaction follows from the block's; it is the last of a sprint of 16 blocks. */
const SPRINT_BLOCKS = 16;

const checkUncovered = (
  transactions: readonly Transaction[],
  { proof, number }: BlockParameters,
  hash: string,
): void => {
  if (proof === null || proof.uncovered === 0) return;
  const last = transactions.at(-1);
  const own = bookkeepingHash(number, hashOf(hash, "block hash"));
  if (number % SPRINT_BLOCKS !== 0 || last === undefined || !equalBytes(last.hash, own))
    throw new BadAnswer("a book-keeping transaction where none can be", "bookkeeping");
};

/** The receipt that later versions of Ethermint state themselves: failed, and paid for the whole gas limit. */
const unreceipted = (fields: JsonFields): ScannedReceipt => ({
  fields: { status: "0x0", gasUsed: fields.gas, transactionHash: fields.hash },
  logs: [],
  repeats_all: true,
});

const NOT_TRACED: TransactionTrace = { failed: false, calls: [] };

const matchTraces = (
  raw: RawBlock["traces"],
  list: readonly JsonFields[],
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

/** Validator withdrawals (EIP-4895) are in gwei. Some roll-ups send null. */
const withdrawalsOf = (header: JsonFields): Block["issuance"] => {
  if (header.withdrawals === undefined || header.withdrawals === null) return [];
  return listOf(header.withdrawals, "withdrawals").map((item) => {
    const fields = fieldsOf(item, "withdrawal");
    const amount = quantityOf(fields.amount, "withdrawal amount") * WEI_PER_GWEI;
    return { kind: "withdrawal", address: addressOf(fields.address, "withdrawal address"), amount };
  });
};
