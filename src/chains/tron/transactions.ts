/** One transaction and its info, as JSON, made into a `Transaction` in bytes. */
import { createHash } from "node:crypto";
import { type Bytes, equalBytes } from "../../lib/bytes.ts";
import type { Log, Transaction } from "../chain.ts";
import { BadAnswer, type Fields, fieldsOf, listOf } from "../node/answer.ts";
import { readInner } from "./calls.ts";
import { readContract } from "./contracts.ts";
import { Message } from "./protobuf.ts";
import { addressOf, addressOrNull, amountOf, bytesOf, hashOf } from "./wire.ts";

/** A transaction as a block lists it, with what its id is the hash of. */
export interface ListedTransaction {
  readonly fields: Fields;
  readonly raw: Bytes;
  readonly hash: Bytes;
}

export interface TransactionParts {
  readonly index: number;
  readonly listed: ListedTransaction;
  readonly info: Fields;
  /** Position of the first log in the block. */
  readonly first_log: number;
}

export interface ReadTransaction {
  readonly transaction: Transaction;
  /** False where the node's answers do not tell all that moved. */
  readonly is_told: boolean;
}

/** A log names at most four topics: LOG0 to LOG4. */
const TOPICS_MAX = 4;
/** `DEFAULT` is what transactions of system contracts have, and all of the time before results were kept. */
const GOOD_RESULTS: readonly unknown[] = [undefined, "SUCCESS", "DEFAULT"];

/** The id of a transaction is the SHA-256 of its raw data; what the node tells of them in words is not read. @throws BadAnswer */
export const readListed = (fields: Fields): ListedTransaction => {
  const hash = hashOf(fields.txID, "transaction id");
  const raw = bytesOf(fields.raw_data_hex, "raw data");
  if (!equalBytes(createHash("sha256").update(raw).digest(), hash))
    throw new BadAnswer("a transaction's id is not the hash of its raw data");
  return { fields, raw, hash };
};

/** @throws BadAnswer when any field is not what the protocol says, or the info is another transaction's */
export const readTransaction = ({ index, listed, info, first_log }: TransactionParts): ReadTransaction => {
  const { fields, raw, hash } = listed;
  if (!equalBytes(hashOf(info.id, "info id"), hash)) throw new BadAnswer("an info of another transaction");
  const contract = readContract(new Message(raw), info);
  const succeeded = hasSucceeded(fields, info);
  const inner = succeeded ? readInner(info.internal_transactions) : { calls: [], moves: [] };
  const moves = [...contract.moves, ...inner.moves].filter(({ amount }) => amount > 0n);
  const is_creation = contract.recipient === null && succeeded;
  const receipt = info.receipt === undefined ? {} : fieldsOf(info.receipt, "receipt");
  const transaction: Transaction = {
    index,
    hash,
    sender: contract.sender,
    recipient: contract.recipient,
    value: contract.value,
    nonce: 0, // there are none: a transaction names a recent block instead
    input: contract.input,
    succeeded,
    gas_used: amountOf(receipt.energy_usage_total, "energy"),
    fee: amountOf(info.fee, "fee"),
    tip: 0n,
    created_contract: is_creation ? addressOrNull(info.contract_address, "created contract") : null,
    logs: readLogs(info, first_log),
    calls: inner.calls,
  };
  return {
    transaction: moves.length === 0 ? transaction : { ...transaction, moves },
    is_told: contract.is_told || !succeeded,
  };
};

/** The transaction and its info both say it; they must agree. */
const hasSucceeded = ({ ret }: Fields, { result, receipt }: Fields): boolean => {
  const results = ret === undefined ? [] : listOf(ret, "results").map((item) => fieldsOf(item, "result"));
  const is_good = results.every(({ contractRet }) => GOOD_RESULTS.includes(contractRet));
  // Old transactions do not say how they ended.
  const is_said = results.some(({ contractRet }) => contractRet !== undefined && contractRet !== "DEFAULT");
  const of_receipt = receipt === undefined ? undefined : fieldsOf(receipt, "receipt").result;
  const info_is_good = result !== "FAILED" && GOOD_RESULTS.includes(of_receipt);
  if (is_said && is_good !== info_is_good) throw new BadAnswer("a transaction and its info disagree");
  return info_is_good;
};

const readLogs = ({ log }: Fields, first_log: number): Log[] =>
  (log === undefined ? [] : listOf(log, "logs")).map((item, i) => {
    const fields = fieldsOf(item, "log");
    const topics = fields.topics === undefined ? [] : listOf(fields.topics, "topics");
    if (topics.length > TOPICS_MAX) throw new BadAnswer("a log with more than four topics");
    return {
      address: addressOf(fields.address, "log address"),
      topics: topics.map((topic) => hashOf(topic, "topic")),
      data: bytesOf(fields.data, "log data"),
      index: first_log + i,
    };
  });
