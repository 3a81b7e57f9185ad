/**
 * A transaction as it travels: signatures, then the message (Solana transaction format, legacy and version 0).
 * Lengths are `compact-u16`: seven bits a byte, at most three bytes.
 */
import type { Bytes } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";
import { ADDRESS_BYTES, SIGNATURE_BYTES } from "./address.ts";

export interface CompiledInstruction {
  /** Positions among the transaction's accounts. */
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Bytes;
}

export interface WireTransaction {
  /** The first accounts signed, one for each; the first of them is what the transaction is called by. */
  readonly signatures: readonly [Bytes, ...Bytes[]];
  /** What was signed. */
  readonly message: Bytes;
  /** Accounts that the message itself names; those of look-up tables follow in the meta data. */
  readonly keys: readonly Bytes[];
  readonly instructions: readonly CompiledInstruction[];
  /** How many accounts of look-up tables the message names. */
  readonly loaded: { readonly writable: number; readonly readonly: number };
}

const VERSION_BIT = 0x80;
const HEADER_BYTES = 3;
const BLOCKHASH_BYTES = 32;

/** @throws BadAnswer when the bytes are cut off or more than a transaction, of a later version, or not signed by all who must */
export const readWireTransaction = (bytes: Bytes): WireTransaction => {
  const reader = new Cursor(bytes);
  const [signature, ...others] = reader.list(() => reader.take(SIGNATURE_BYTES));
  if (signature === undefined) throw new BadAnswer("a transaction without a signature");
  const message = reader.rest;
  const first = reader.peek();
  const has_version = first >= VERSION_BIT;
  if (has_version && reader.byte() !== VERSION_BIT)
    throw new BadAnswer(`a transaction of version ${first - VERSION_BIT}`);
  const [required] = reader.take(HEADER_BYTES);
  if (required !== others.length + 1) throw new BadAnswer(`${required} must sign, and ${others.length + 1} did`);
  const keys = reader.list(() => reader.take(ADDRESS_BYTES));
  reader.take(BLOCKHASH_BYTES);
  const instructions = reader.list(() => {
    const program = reader.byte();
    const accounts = [...reader.take(reader.length())];
    return { program, accounts, data: reader.take(reader.length()) };
  });
  if (keys.length < required) throw new BadAnswer("more signatures than accounts");
  const tables = has_version ? reader.list(() => readTable(reader)) : [];
  if (reader.rest.length > 0) throw new BadAnswer("a transaction with something behind it");
  const count = (of: "writable" | "readonly"): number => tables.reduce((sum, table) => sum + table[of], 0);
  const loaded = { writable: count("writable"), readonly: count("readonly") };
  return { signatures: [signature, ...others], message, keys, instructions, loaded };
};

/** Which accounts of a look-up table are named, by their positions in it. */
const readTable = (reader: Cursor): WireTransaction["loaded"] => {
  reader.take(ADDRESS_BYTES);
  const writable = reader.take(reader.length()).length;
  return { writable, readonly: reader.take(reader.length()).length };
};

class Cursor {
  readonly #bytes: Bytes;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  get rest(): Bytes {
    return this.#bytes.subarray(this.#at);
  }

  take(count: number): Bytes {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new BadAnswer("a transaction is cut off");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  length(): number {
    let length = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte();
      length |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return length;
    }
    throw new BadAnswer("a length of more than three bytes");
  }

  list<T>(read: () => T): T[] {
    const count = this.length();
    const items: T[] = [];
    for (let i = 0; i < count; i += 1) items.push(read());
    return items;
  }
}
