/** The logs of a receipt, as objects of the protocol. */
import type { Bytes } from "../../lib/bytes.ts";
import type { EventLog } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import { addressOf, countOf, dataOf, hashOf } from "./wire.ts";

export interface ReceiptLogs {
  readonly logs: readonly EventLog[];
  /** Each log repeats the transaction and block of its receipt correctly. */
  readonly repeats_all: boolean;
}

/** A log has at most four topics: LOG0 to LOG4. */
const TOPICS_MAX = 4;
/** Fields of its receipt that each log repeats. */
const REPEATED = ["transactionHash", "blockHash", "blockNumber", "transactionIndex"] as const;

/** @throws BadAnswer for a log of another transaction, and for a malformed log */
export const readReceiptLogs = (receipt: JsonFields): ReceiptLogs => {
  const told = listOf(receipt.logs, "logs").map((item) => fieldsOf(item, "log"));
  return {
    logs: told.map((fields) => readLog(fields, receipt)),
    repeats_all: told.every((fields) =>
      REPEATED.every((name) => fields[name] === undefined || fields[name] === receipt[name]),
    ),
  };
};

const readLog = (fields: JsonFields, receipt: JsonFields): EventLog => {
  if (fields.transactionHash !== receipt.transactionHash) throw new BadAnswer("a log of another transaction");
  return logOf(fields);
};

/** @throws BadAnswer for a malformed log */
export const logOf = (fields: JsonFields): EventLog => {
  if (fields.removed === true) throw new BadAnswer("a log that was removed");
  const texts = listOf(fields.topics, "topics");
  if (texts.length > TOPICS_MAX) throw new BadAnswer("a log with more than four topics");
  const topics = texts.map((text): Bytes => hashOf(text, "topic"));
  return {
    address: addressOf(fields.address, "log address"),
    topics,
    data: dataOf(fields.data, "log data"),
    index: countOf(fields.logIndex, "log index"),
  };
};
