/** A transaction from the record that assembly/solana/transaction.ts has written. */
import type { Bytes, Hex } from "../../../lib/bytes.ts";
import { Accounts, type LyingKeys } from "../accounts.ts";
import { SIGNATURE_BYTES } from "../address.ts";
import type { Coins, RawTransaction, SolanaInstruction, TokenBalance } from "../transaction.ts";
import type { Keys } from "../wire.ts";
import type { BlockKeys } from "./block_keys.ts";

/** The records of a block as typed arrays; all words are little-endian, like every machine that runs this. */
export interface SolanaRecords {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  readonly amounts: BigUint64Array;
  readonly signed: BigInt64Array;
  /** Of all records. */
  readonly keys: BlockKeys;
  /** The text of the answer. */
  readonly text: Buffer;
}

/** The head of a record: amounts of eight bytes, then words of four. */
const HEAD_BYTES = 72;
const AMOUNT = { fee: 0, units: 1, rent: 2, moved: 3 } as const;
const WORD = { flags: 8, accounts: 9, before: 10, after: 11, instructions: 12, signers: 13, wire: 14 } as const;
const MORE = { wire_size: 15, signatures: 16, message: 17 } as const;
const FLAG = { succeeded: 1, has_inner: 2, has_units: 4 } as const;
const AMOUNT_BYTES = 8;
const WORD_BYTES = 4;
const TOKEN_WORDS = 6;
const INSTRUCTION_WORDS = 6;
const NO_KEY = 0xffff_ffff;
/** The data is a position in the text. */
const IS_TEXT = 0x8000_0000;

class RecordKeys implements LyingKeys {
  readonly length: number;
  readonly #records: SolanaRecords;
  readonly #at: number;

  constructor(records: SolanaRecords, at: number, length: number) {
    this.#records = records;
    this.#at = at;
    this.length = length;
  }

  at(position: number): Bytes {
    return this.#records.keys.bytes(this.#number(position));
  }

  is(position: number, key: Bytes): boolean {
    return this.#records.keys.is(this.#number(position), key);
  }

  hex(position: number): Hex {
    return this.#records.keys.hex(this.#number(position));
  }

  #number(position: number): number {
    return this.#records.words[this.#at + position] ?? NO_KEY;
  }
}

export class RecordTransaction implements RawTransaction {
  readonly signature: Bytes;
  readonly accounts: Accounts;
  readonly signers: number;
  readonly succeeded: boolean;
  readonly fee: bigint;
  readonly compute_units: bigint | null;
  readonly instructions: readonly SolanaInstruction[];
  readonly has_inner: boolean;
  readonly tokens: RawTransaction["tokens"];
  readonly coins: Coins;
  readonly #records: SolanaRecords;
  /** Position of the record. */
  readonly #at: number;
  #lamports: RawTransaction["lamports"] | null = null;

  /** `keys`: for look-ups by address. */
  constructor(records: SolanaRecords, at: number, keys: Keys) {
    this.#records = records;
    this.#at = at;
    const { amounts, signed } = records;
    const first = at / AMOUNT_BYTES;
    const flags = this.#word(WORD.flags);
    const count = this.#word(WORD.accounts);
    const keys_at = (at + HEAD_BYTES + 2 * count * AMOUNT_BYTES) / WORD_BYTES;
    this.accounts = new Accounts([], keys, new RecordKeys(records, keys_at, count));
    this.signers = this.#word(WORD.signers);
    this.succeeded = (flags & FLAG.succeeded) !== 0;
    this.has_inner = (flags & FLAG.has_inner) !== 0;
    this.fee = amounts[first + AMOUNT.fee] ?? 0n;
    this.compute_units = (flags & FLAG.has_units) === 0 ? null : (amounts[first + AMOUNT.units] ?? 0n);
    this.coins = {
      missing: signed[first + AMOUNT.rent] ?? 0n,
      moved: Number(amounts[first + AMOUNT.moved]),
      changed: this.#changed(count),
    };
    const tokens_at = keys_at + count + (count % 2);
    const [before, after] = [this.#word(WORD.before), this.#word(WORD.after)];
    const after_at = tokens_at + before * TOKEN_WORDS;
    this.tokens = { before: this.#tokens(tokens_at, before), after: this.#tokens(after_at, after) };
    this.instructions = this.#instructions(after_at + after * TOKEN_WORDS);
    this.signature = this.#wire(this.#word(MORE.signatures), SIGNATURE_BYTES);
  }

  get wire(): RawTransaction["wire"] {
    const from = this.#word(MORE.signatures);
    const more = Array.from({ length: this.signers - 1 }, (_, i) =>
      this.#wire(from + (i + 1) * SIGNATURE_BYTES, SIGNATURE_BYTES),
    );
    const message = this.#word(MORE.message);
    return {
      signatures: [this.signature, ...more],
      message: this.#wire(message, this.#word(MORE.wire_size) - message),
    };
  }

  get lamports(): RawTransaction["lamports"] {
    this.#lamports ??= this.#balances();
    return this.#lamports;
  }

  #balances(): RawTransaction["lamports"] {
    const count = this.accounts.length;
    const from = (this.#at + HEAD_BYTES) / AMOUNT_BYTES;
    const { amounts } = this.#records;
    return { before: amounts.subarray(from, from + count), after: amounts.subarray(from + count, from + 2 * count) };
  }

  #changed(count: number): readonly number[] {
    const { words } = this.#records;
    const before = (this.#at + HEAD_BYTES) / WORD_BYTES;
    const after = before + 2 * count;
    const isChanged = (i: number): boolean =>
      words[before + 2 * i] !== words[after + 2 * i] || words[before + 2 * i + 1] !== words[after + 2 * i + 1];
    let changed: number[] | null = null;
    for (let i = 0; i < count; i += 1)
      if (isChanged(i)) {
        // In most transactions only the payer changes: a growing list would reserve room for many.
        if (changed === null) changed = [i];
        else changed.push(i);
      }
    return changed ?? NONE;
  }

  #word(place: number): number {
    return this.#records.words[this.#at / WORD_BYTES + place] ?? 0;
  }

  /** Bytes of the transaction itself, and of the blob behind it. */
  #wire(from: number, length: number): Bytes {
    const start = this.#at + this.#word(WORD.wire) + from;
    return this.#records.bytes.subarray(start, start + length);
  }

  #tokens(from: number, count: number): readonly TokenBalance[] {
    if (count === 0) return NONE;
    const { words, amounts, keys } = this.#records;
    const list = new Array<TokenBalance>(count);
    for (let i = 0, at = from; i < count; i += 1, at += TOKEN_WORDS) {
      const owner = words[at + 2] ?? NO_KEY;
      list[i] = {
        account: words[at] ?? 0,
        mint: keys.bytes(words[at + 1] ?? NO_KEY),
        owner: owner === NO_KEY ? null : keys.bytes(owner),
        program: keys.hex(words[at + 3] ?? NO_KEY),
        amount: amounts[(at + 4) / 2] ?? 0n,
      };
    }
    return list;
  }

  #instructions(from: number): readonly SolanaInstruction[] {
    const { words, bytes } = this.#records;
    const base = this.#at + this.#word(WORD.wire);
    const count = this.#word(WORD.instructions);
    const list = new Array<SolanaInstruction>(count);
    for (let one = 0, at = from; one < count; one += 1, at += INSTRUCTION_WORDS) {
      const first = base + (words[at + 2] ?? 0);
      const accounts = new Array<number>(words[at + 3] ?? 0);
      for (let i = 0; i < accounts.length; i += 1) accounts[i] = bytes[first + i] ?? 0;
      const [place, size] = [words[at + 4] ?? 0, words[at + 5] ?? 0];
      const data =
        size >= IS_TEXT ? this.#text(place, size - IS_TEXT) : bytes.subarray(base + place, base + place + size);
      list[one] = { depth: words[at] ?? 0, program: words[at + 1] ?? 0, call: { accounts, data } };
    }
    return list;
  }

  #text(from: number, length: number): string {
    return this.#records.text.toString("utf8", from, from + length);
  }
}

const NONE: readonly never[] = [];
