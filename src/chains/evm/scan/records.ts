/** Reads a block and its receipts from their text: logs and inputs as bytes, every other field as its text. */
import { EVM_FEE_FIELDS } from "../../../knowledge/fees.gen.ts";
import { EMPTY } from "../../../lib/bytes.ts";
import type { EventLog } from "../../chain.ts";
import type { JsonFields } from "../../node/answer.ts";
import type { TextSlice } from "../../node/text_slice.ts";
import type { ReceiptLogs } from "../receipt_logs.ts";
import { checkFault } from "../verify/module.ts";
import { load, module, startOf } from "./texts.ts";

/** The names of assembly/scan.ts, in the same order. */
const HEADER =
  "number hash parentHash timestamp miner author logsBloom baseFeePerGas mixHash extraData nonce sha3Uncles stateRoot " +
  "transactionsRoot receiptsRoot difficulty gasLimit gasUsed withdrawals";
const TRANSACTION =
  "hash blockHash blockNumber transactionIndex from to value nonce input data type gas gasPrice maxFeePerGas " +
  "maxPriorityFeePerGas maxFeePerBlobGas blobVersionedHashes feeCurrency mint requestId l1BaseFee depositValue " +
  "retryValue maxSubmissionFee refundTo beneficiary retryTo retryData";
const RECEIPT =
  "transactionHash blockHash blockNumber transactionIndex gasUsed cumulativeGasUsed status contractAddress " +
  `effectiveGasPrice blobGasUsed blobGasPrice logsBloom depositReceiptVersion depositNonce ${EVM_FEE_FIELDS}`;
export const NAMES = { header: HEADER.split(" "), transaction: TRANSACTION.split(" "), receipt: RECEIPT.split(" ") };

/** Kinds of values (assembly/fields.ts); values of any other kind go through `JSON.parse`. */
const KIND_NULL = 0;
const KIND_TEXT = 1;
const KIND_BYTES = 3;
/** The second word of a field (assembly/records.ts). */
const LENGTH_MASK = 0xff_ffff;
const FIELD_SHIFT = 24;
const FIELD_MASK = 63;
const KIND_SHIFT = 30;
const WORD_BYTES = 4;
const HIGH_WORD = 2 ** 32;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;

export interface ScannedBlock {
  readonly header: JsonFields;
  readonly transactions: readonly JsonFields[];
}

export interface ScannedReceipt extends ReceiptLogs {
  readonly fields: JsonFields;
}

/**
 * Reads the records of the last scan in order, in the module's memory. Values to keep are copied in small pieces: most
 * blocks leave few of them, and these should not hold the whole text.
 */
class EvmRecords {
  readonly #words: Uint32Array;
  readonly #bytes: Buffer;
  #at = 0;

  constructor() {
    this.#bytes = module.records();
    const { buffer, byteOffset, length } = this.#bytes;
    this.#words = new Uint32Array(buffer, byteOffset, length / WORD_BYTES);
  }

  word(): number {
    const word = this.#words[this.#at];
    if (word === undefined) throw new RangeError("records end early");
    this.#at += 1;
    return word;
  }

  fields(names: readonly string[]): JsonFields {
    const [count, size] = [this.word(), this.word()];
    const entries = this.#at;
    const start = (entries + 2 * count) * WORD_BYTES;
    const text = this.#bytes.toString("latin1", start, start + size);
    const fields: Record<string, unknown> = {};
    for (let left = count; left > 0; left -= 1) {
      const [place, about] = [this.word(), this.word()];
      const end = place + (about & LENGTH_MASK);
      const name = names[(about >>> FIELD_SHIFT) & FIELD_MASK] ?? "";
      const kind = about >>> KIND_SHIFT;
      if (kind === KIND_TEXT) fields[name] = text.slice(place, end);
      else if (kind === KIND_BYTES) fields[name] = Buffer.from(this.#bytes.subarray(start + place, start + end));
      else
        fields[name] = kind === KIND_NULL ? null : JSON.parse(this.#bytes.toString("utf8", start + place, start + end));
    }
    this.#at += Math.ceil(size / WORD_BYTES);
    return fields;
  }

  logs(): EventLog[] {
    const logs = new Array<EventLog>(this.word());
    for (let i = 0; i < logs.length; i += 1) logs[i] = this.#log();
    return logs;
  }

  #log(): EventLog {
    const [low, high, count, size] = [this.word(), this.word(), this.word(), this.word()];
    const start = this.#at * WORD_BYTES;
    const length = ADDRESS_BYTES + count * TOPIC_BYTES + size;
    this.#at += Math.ceil(length / WORD_BYTES);
    const { buffer, byteOffset } = Buffer.from(this.#bytes.subarray(start, start + length));
    let at = byteOffset + ADDRESS_BYTES;
    const topics = new Array<Uint8Array>(count);
    for (let k = 0; k < count; k += 1, at += TOPIC_BYTES) topics[k] = new Uint8Array(buffer, at, TOPIC_BYTES);
    const data = size === 0 ? EMPTY : new Uint8Array(buffer, at, size);
    return { address: new Uint8Array(buffer, byteOffset, ADDRESS_BYTES), topics, data, index: low + high * HIGH_WORD };
  }
}

/** @throws BadAnswer for a malformed block */
export const scanBlock = (slice: TextSlice): ScannedBlock => {
  load([slice.text]);
  const start = startOf(slice.text) + slice.start;
  const { fault, count } = module.run((one) => ({
    fault: one.scanBlock(start, slice.length),
    count: one.scanned(),
  }));
  checkFault(fault, "the block has");
  const records = new EvmRecords();
  const transactions = Array.from({ length: count }, () => records.fields(NAMES.transaction));
  return { header: records.fields(NAMES.header), transactions };
};

/**
 * Scans a block's list of receipts, or one of them. Log filters are included on request only: they are half of the
 * text.
 * @throws BadAnswer for malformed receipts
 */
export const scanReceipts = (slice: TextSlice, with_filters: boolean): ScannedReceipt[] => {
  load([slice.text]);
  const start = startOf(slice.text) + slice.start;
  const { fault, count } = module.run((one) => ({
    fault: one.scanReceipts(start, slice.length, with_filters ? 1 : 0),
    count: one.scanned(),
  }));
  checkFault(fault, "the receipts have");
  const records = new EvmRecords();
  return Array.from({ length: count }, () => {
    const logs = records.logs();
    const repeats_all = records.word() === 1;
    return { fields: records.fields(NAMES.receipt), logs, repeats_all };
  });
};
