/**
 * Who signed a transaction. A sender is committed to by the signature alone, so it is recovered: 0.06 ms each in the module
 * of assembly/secp256k1 (docs/design/verification.md).
 */
import { setImmediate as afterOthers } from "node:timers/promises";
import type { Bytes } from "../../../lib/bytes.ts";
import { BadAnswer } from "../../node/answer.ts";
import { SIGNERS_MODULE } from "./signers.gen.ts";

/** What assembly/transactions.ts leaves behind each transaction: hash, r and s, and how the sender follows. */
const SIGNATURE = { hash: 0, rs: 32, how: 96 };
export const SIGNATURE_LENGTH = 104;
/** Values of `how` from 2 on: the sender is among the hashed fields, or nobody signed. */
const TOLD = 2;
const NOBODY = 3;
/** What the module answers: an address, and 1 when there is one. */
const ANSWER = { found: 20, length: 24 };
const ADDRESS_LENGTH = 20;
/** Some 4 ms of work at a time, so that others get their turn; the most that the module takes. */
const AT_ONCE = 64;

interface Exports {
  readonly memory: WebAssembly.Memory;
  signaturesAt(): number;
  answersAt(): number;
  recover(count: number): void;
}

let opened: Exports | null = null;

/** Its memory is of one size, and nothing in it is kept from one call to the next. */
const open = (): Exports => {
  const compiled = new WebAssembly.Module(Buffer.from(SIGNERS_MODULE, "base64"));
  // The module exports what `Exports` says: assembly/secp256k1/recovery.ts.
  return new WebAssembly.Instance(compiled, {}).exports as unknown as Exports;
};

/** Addresses of those who made some signatures, at most `AT_ONCE`; null for one that nobody can have made. */
const recover = (signatures: Bytes): (Bytes | null)[] => {
  opened ??= open();
  const count = signatures.length / SIGNATURE_LENGTH;
  new Uint8Array(opened.memory.buffer).set(signatures, opened.signaturesAt());
  opened.recover(count);
  const answers = Buffer.from(Buffer.from(opened.memory.buffer, opened.answersAt(), count * ANSWER.length));
  return Array.from({ length: count }, (_, i) => {
    const at = i * ANSWER.length;
    return answers[at + ANSWER.found] === 1 ? answers.subarray(at, at + ADDRESS_LENGTH) : null;
  });
};

/**
 * Who signed one hash.
 * @param seal r and s, 32 bytes each, and whether the y of the signature's point is odd (0, 1)
 */
export const signerOf = (hash: Bytes, seal: { readonly rs: Bytes; readonly odd: number }): Bytes | null => {
  const signature = Buffer.alloc(SIGNATURE_LENGTH);
  signature.set(hash, SIGNATURE.hash);
  signature.set(seal.rs, SIGNATURE.rs);
  signature.writeUInt32LE(seal.odd, SIGNATURE.how);
  return recover(signature)[0] ?? null;
};

export interface Senders {
  /** In the order of the transactions; null where the sender follows from the transaction's hash by itself. */
  readonly list: readonly (Bytes | null)[];
  /** Transactions that nobody signed and that do not say who sent them: their sender is believed. */
  readonly unsigned: number;
}

/**
 * @param signatures one for each transaction, as the module leaves them, one behind the other
 * @throws BadAnswer for a signature that nobody can have made
 */
export const recoverSenders = async (signatures: Buffer): Promise<Senders> => {
  const list: (Bytes | null)[] = [];
  let unsigned = 0;
  const bytes_at_once = AT_ONCE * SIGNATURE_LENGTH;
  for (let at = 0; at < signatures.length; at += bytes_at_once) {
    if (at > 0) await afterOthers();
    for (const sender of recover(signatures.subarray(at, at + bytes_at_once))) {
      const how = signatures.readUInt32LE(list.length * SIGNATURE_LENGTH + SIGNATURE.how);
      if (how === NOBODY) unsigned += 1;
      if (how < TOLD && sender === null)
        throw new BadAnswer(`the signature of transaction ${list.length} is none`, "signature");
      list.push(how < TOLD ? sender : null);
    }
  }
  return { list, unsigned };
};
