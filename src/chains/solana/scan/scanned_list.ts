import type { Bytes } from "../../../lib/bytes.ts";
import { SIGNATURE_BYTES } from "../address.ts";
import type { Keys } from "../wire.ts";
import { BlockKeys } from "./block_keys.ts";
import type { Scan } from "./module.ts";
import { RecordTransaction, type SolanaRecords } from "./record.ts";

/** Kinds of assembly/solana/transaction.ts. */
const KIND = { other: 0, vote: 1, whole: 2 } as const;
const SPAN_WORDS = 4;
const KIND_SHIFT = 30;
const FROM_MASK = 0x3fff_ffff;
const HAS_LONG = 0x8000_0000;

/** The transactions of a long answer, as far as they were read from its text. */
export class ScannedList {
  readonly text: Buffer;
  readonly keys: BlockKeys;
  readonly length: number;
  readonly #spans: Uint32Array;
  readonly #records: SolanaRecords;
  readonly #signatures: Buffer;

  constructor(text: Buffer, { spans, keys, records, signatures }: Scan) {
    this.text = text;
    this.keys = new BlockKeys(keys);
    this.length = spans.length / SPAN_WORDS;
    this.#spans = spans;
    this.#signatures = signatures;
    // Each begins at a whole word of the longest kind, and the buffer holds nothing else.
    const { buffer, length } = records;
    this.#records = {
      bytes: records,
      words: new Uint32Array(buffer, 0, length / Uint32Array.BYTES_PER_ELEMENT),
      amounts: new BigUint64Array(buffer, 0, length / BigUint64Array.BYTES_PER_ELEMENT),
      signed: new BigInt64Array(buffer, 0, length / BigInt64Array.BYTES_PER_ELEMENT),
      keys: this.keys,
      text,
    };
  }

  #word(at: number, place: number): number {
    return this.#spans[at * SPAN_WORDS + place] ?? 0;
  }

  #kind(at: number): number {
    return this.#word(at, 0) >>> KIND_SHIFT;
  }

  spanOf(at: number): { readonly from: number; readonly to: number; readonly has_long: boolean } {
    const has_long = this.#kind(at) === KIND.other && this.#word(at, 3) === HAS_LONG;
    return { from: this.#word(at, 0) & FROM_MASK, to: this.#word(at, 1), has_long };
  }

  /** Its signature was read, and no other of these transactions has it. */
  isNamed(at: number): boolean {
    return this.#kind(at) !== KIND.other;
  }

  /** A plain vote in the usual form. */
  isVote(at: number): boolean {
    return this.#kind(at) === KIND.vote;
  }

  /** The number of the voter's key. */
  voterAt(at: number): number {
    return this.#word(at, 2);
  }

  /** Fee of a vote. */
  feeAt(at: number): number {
    return this.#word(at, 3);
  }

  /** Null for a value that must be parsed, and for a vote. */
  transactionAt(at: number, keys: Keys): RecordTransaction | null {
    return this.#kind(at) === KIND.whole ? new RecordTransaction(this.#records, this.#word(at, 2), keys) : null;
  }

  /** Signatures of all values read, without duplicates. Empty if nothing must be parsed. */
  *signatures(): Generator<Bytes> {
    for (let at = 0; at < this.#signatures.length; at += SIGNATURE_BYTES)
      yield this.#signatures.subarray(at, at + SIGNATURE_BYTES);
  }
}
