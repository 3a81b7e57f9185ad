/**
 * Transactions and infos from the records that assembly/tron has written (transaction.ts, info.ts and logs.ts there).
 */
import { type Bytes, EMPTY } from "../../../lib/bytes.ts";
import type { EventLog } from "../../chain.ts";
import { fieldsOf, type JsonFields } from "../../node/answer.ts";
import { parseLossless } from "../../node/lossless_json.ts";
import { type Inner, NO_INNER, readInner } from "../calls.ts";
import { TYPES } from "../contract_types.ts";
import { assetTransfer, readContract, type TronContract } from "../contracts.ts";
import type { Info } from "../info.ts";
import type { ListedTransaction, TransactionEnding } from "../listed.ts";
import { ProtobufMessage } from "../protobuf.ts";
import { assetIn } from "../wire.ts";
import type { Scan } from "./module.ts";

/** Words of a record, each of four bytes; all are little-endian, like every machine that runs this. */
const WORD = { from: 0, to: 1, is_read: 2, flags: 3 } as const;
const LISTED = { raw: 4, raw_size: 5, whole: 6, whole_size: 7, type: 8, sender: 9, recipient: 10 } as const;
const MORE = { input: 11, input_size: 12, token: 13, token_size: 14, value: 16 } as const;
const TOLD = { logs: 4, number: 6, energy: 8, fee: 10 } as const;
const FLAG = { is_good: 1, is_said: 2, has_inner: 2 } as const;
const WORD_BYTES = 4;
const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
/** Position of the hash. */
const LISTED_HASH = 72;
const INFO_HASH = 48;
const INFO_BYTES = 80;
/** Bytes of a log before its topics. */
const LOG_BYTES = 32;
const LOG_ADDRESS = 8;
/** The contract must be read from the raw data. */
const NO_TYPE = 0xffff_ffff;

/** The records of an answer as typed arrays. */
export class TronRecords {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  readonly text: Buffer;
  readonly #amounts: BigInt64Array;
  readonly #items: Uint32Array;

  /** `text`: of the answer. */
  constructor({ records, items }: Scan, text: Buffer) {
    // Each begins at a whole word of the longest kind, and the buffer holds nothing else.
    const { buffer, length } = records;
    this.bytes = records;
    this.words = new Uint32Array(buffer, 0, length / WORD_BYTES);
    this.#amounts = new BigInt64Array(buffer, 0, length / BigInt64Array.BYTES_PER_ELEMENT);
    this.#items = items;
    this.text = text;
  }

  get count(): number {
    return this.#items.length;
  }

  /** Position of the record of an item. */
  at(item: number): number {
    return this.#items[item] ?? 0;
  }

  /** False for an item in an unusual form. */
  isRead(at: number): boolean {
    return this.word(at, WORD.is_read) !== 0;
  }

  word(at: number, place: number): number {
    return this.words[at / WORD_BYTES + place] ?? 0;
  }

  /** `place`: of its first word. */
  amount(at: number, place: number): bigint {
    return this.#amounts[(at / WORD_BYTES + place) / 2] ?? 0n;
  }

  part(from: number, length: number): Bytes {
    return this.bytes.subarray(from, from + length);
  }

  /** The item's own text, parsed. @throws BadAnswer */
  parse(at: number): unknown {
    return parseLossless(this.text.toString("utf8", this.word(at, WORD.from), this.word(at, WORD.to)));
  }
}

export class TransactionRecord implements ListedTransaction {
  readonly hash: Bytes;
  readonly raw: Bytes;
  readonly #records: TronRecords;
  readonly #at: number;

  constructor(records: TronRecords, at: number) {
    this.#records = records;
    this.#at = at;
    this.hash = records.part(at + LISTED_HASH, HASH_BYTES);
    this.raw = this.#bytes(LISTED.raw, this.#word(LISTED.raw_size));
  }

  get ending(): TransactionEnding {
    const flags = this.#word(WORD.flags);
    return { is_good: (flags & FLAG.is_good) !== 0, is_said: (flags & FLAG.is_said) !== 0 };
  }

  whole(): Bytes {
    return this.#bytes(LISTED.whole, this.#word(LISTED.whole_size));
  }

  /** Its contract was read, too. */
  get has_contract(): boolean {
    return this.#word(LISTED.type) !== NO_TYPE;
  }

  contract(info: () => JsonFields): TronContract {
    if (!this.has_contract) return readContract(new ProtobufMessage(this.raw), info);
    const sender = this.#bytes(LISTED.sender, ADDRESS_BYTES);
    const recipient = this.#bytes(LISTED.recipient, ADDRESS_BYTES);
    const input_size = this.#word(MORE.input_size);
    const amount = this.#records.amount(this.#at, MORE.value);
    const type = TYPES.get(this.#word(LISTED.type)) ?? "";
    const is_asset = type === "TransferAssetContract";
    return {
      type,
      sender,
      recipient,
      value: is_asset ? 0n : amount,
      input: input_size === 0 ? EMPTY : this.#bytes(MORE.input, input_size),
      moves: is_asset ? [assetTransfer(this.#token(), amount, { source: sender, destination: recipient })] : NONE,
      is_told: true,
    };
  }

  #token(): Bytes {
    return assetIn(this.#bytes(MORE.token, this.#word(MORE.token_size)));
  }

  #word(place: number): number {
    return this.#records.word(this.#at, place);
  }

  /** Bytes whose position in the record is in a word. */
  #bytes(place: number, length: number): Bytes {
    return this.#records.part(this.#at + this.#word(place), length);
  }
}

export class InfoRecord implements Info {
  readonly #records: TronRecords;
  readonly #at: number;

  constructor(records: TronRecords, at: number) {
    this.#records = records;
    this.#at = at;
  }

  get id(): Bytes {
    return this.#records.part(this.#at + INFO_HASH, HASH_BYTES);
  }

  get number(): number {
    return Number(this.#records.amount(this.#at, TOLD.number));
  }

  get is_good(): boolean {
    return (this.#flags & FLAG.is_good) !== 0;
  }

  get energy(): bigint {
    return this.#records.amount(this.#at, TOLD.energy);
  }

  get fee(): bigint {
    return this.#records.amount(this.#at, TOLD.fee);
  }

  logs(first_log: number): readonly EventLog[] {
    const count = this.#records.word(this.#at, TOLD.logs);
    if (count === 0) return NONE;
    const logs = new Array<EventLog>(count);
    let at = this.#at + INFO_BYTES;
    for (let i = 0; i < count; i += 1) {
      const topics = new Array<Bytes>(this.#records.word(at, 0));
      const size = this.#records.word(at, 1);
      const data = at + LOG_BYTES + topics.length * HASH_BYTES;
      for (let k = 0; k < topics.length; k += 1)
        topics[k] = this.#records.part(at + LOG_BYTES + k * HASH_BYTES, HASH_BYTES);
      logs[i] = {
        address: this.#records.part(at + LOG_ADDRESS, ADDRESS_BYTES),
        topics,
        data: size === 0 ? EMPTY : this.#records.part(data, size),
        index: first_log + i,
      };
      at = data + ((size + 7) & ~7);
    }
    return logs;
  }

  inner(): Inner {
    return (this.#flags & FLAG.has_inner) === 0 ? NO_INNER : readInner(this.fields().internal_transactions);
  }

  fields(): JsonFields {
    return fieldsOf(this.#records.parse(this.#at), "info");
  }

  get #flags(): number {
    return this.#records.word(this.#at, WORD.flags);
  }
}

const NONE: readonly never[] = [];
