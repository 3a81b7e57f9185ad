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
  readonly signature: Bytes;
  /** The first accounts signed, one for each signature. */
  readonly signature_count: number;
  /** Accounts that the message itself names; those of look-up tables follow in the meta data. */
  readonly keys: readonly Bytes[];
  readonly instructions: readonly CompiledInstruction[];
}

const VERSION_BIT = 0x80;
const HEADER_BYTES = 3;
const BLOCKHASH_BYTES = 32;

/** @throws BadAnswer when the bytes are cut off or of a later version */
export const readWireTransaction = (bytes: Bytes): WireTransaction => {
  const reader = new Cursor(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  const [signature] = signatures;
  if (signature === undefined) throw new BadAnswer("a transaction without a signature");
  const first = reader.peek();
  if (first >= VERSION_BIT) {
    if (first !== VERSION_BIT) throw new BadAnswer(`a transaction of version ${first - VERSION_BIT}`);
    reader.take(1);
  }
  reader.take(HEADER_BYTES);
  const keys = reader.list(() => reader.take(ADDRESS_BYTES));
  reader.take(BLOCKHASH_BYTES);
  const instructions = reader.list(() => {
    const program = reader.byte();
    const accounts = [...reader.take(reader.length())];
    return { program, accounts, data: reader.take(reader.length()) };
  });
  return { signature, signature_count: signatures.length, keys, instructions };
};

class Cursor {
  readonly #bytes: Bytes;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
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
