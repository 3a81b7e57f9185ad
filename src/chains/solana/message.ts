/**
 * A transaction in its wire format: signatures, then the message (Solana transaction format, legacy and version 0).
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
  /** Signatures of the first accounts, one for each; the first is the transaction's id. */
  readonly signatures: readonly [Bytes, ...Bytes[]];
  /** The signed bytes. */
  readonly message: Bytes;
  /** Accounts that the message itself names; those of look-up tables follow in the meta data. */
  readonly keys: WireKeys;
  readonly instructions: readonly CompiledInstruction[];
  /** Number of look-up table accounts that the message names. */
  readonly loaded: { readonly writable: number; readonly readonly: number };
}

/** Consecutive addresses, cut out on demand: most are never looked at. */
class WireKeys {
  readonly length: number;
  readonly #bytes: Bytes;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
    this.length = bytes.length / ADDRESS_BYTES;
  }

  at(position: number): Bytes {
    return this.#bytes.subarray(position * ADDRESS_BYTES, (position + 1) * ADDRESS_BYTES);
  }

  is(position: number, key: Bytes): boolean {
    const start = position * ADDRESS_BYTES;
    for (let i = 0; i < ADDRESS_BYTES; i += 1) if (this.#bytes[start + i] !== key[i]) return false;
    return true;
  }
}

const VERSION_BIT = 0x80;
const HEADER_BYTES = 3;
const BLOCKHASH_BYTES = 32;

/** @throws BadAnswer if the bytes are cut off or too long, of a later version, or lack a required signature */
export const readWireTransaction = (bytes: Bytes): WireTransaction => {
  const reader = new Cursor(bytes);
  const [signature, ...others] = reader.list(() => reader.take(SIGNATURE_BYTES));
  if (signature === undefined) throw new BadAnswer("a transaction without a signature");
  const message = reader.rest;
  const first = reader.peek();
  const has_version = first >= VERSION_BIT;
  if (has_version && reader.byte() !== VERSION_BIT)
    throw new BadAnswer(`a transaction of version ${first - VERSION_BIT}`);
  const required = reader.byte();
  reader.skip(HEADER_BYTES - 1);
  if (required !== others.length + 1) throw new BadAnswer(`${required} must sign, and ${others.length + 1} did`);
  const keys = new WireKeys(reader.take(reader.length() * ADDRESS_BYTES));
  reader.skip(BLOCKHASH_BYTES);
  const instructions = reader.list(() => ({
    program: reader.byte(),
    accounts: reader.positions(reader.length()),
    data: reader.take(reader.length()),
  }));
  if (keys.length < required) throw new BadAnswer("more signatures than accounts");
  const tables = has_version ? reader.list(() => readTable(reader)) : [];
  if (reader.rest.length > 0) throw new BadAnswer("a transaction with something behind it");
  const count = (of: "writable" | "readonly"): number => tables.reduce((sum, table) => sum + table[of], 0);
  const loaded = { writable: count("writable"), readonly: count("readonly") };
  return { signatures: [signature, ...others], message, keys, instructions, loaded };
};

/** Number of accounts that the message takes from a look-up table. */
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
    const from = this.#at;
    this.skip(count);
    return this.#bytes.subarray(from, this.#at);
  }

  skip(count: number): void {
    if (this.#at + count > this.#bytes.length) throw new BadAnswer("a transaction is cut off");
    this.#at += count;
  }

  positions(count: number): number[] {
    const from = this.#at;
    this.skip(count);
    const positions: number[] = [];
    for (let at = from; at < this.#at; at += 1) positions.push(this.#bytes[at] ?? 0);
    return positions;
  }

  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new BadAnswer("a transaction is cut off");
    this.#at += 1;
    return byte;
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
