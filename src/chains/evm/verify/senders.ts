/**
 * Signers of transactions. Only the signature commits to a sender, so the sender is recovered: 0.06 ms each in the
 * module of assembly/secp256k1 (docs/design/verification.md).
 */
import { setImmediate as afterOthers } from "node:timers/promises";
import type { Bytes } from "../../../lib/bytes.ts";
import { BadAnswer } from "../../node/answer.ts";
import { SIGNERS_MODULE } from "./signers.gen.ts";

/** Layout of assembly/transactions.ts after each transaction: hash, r and s, and the way to the sender. */
const SIGNATURE = { hash: 0, rs: 32, how: 96 };
export const SIGNATURE_LENGTH = 104;
/** Values of `how` from 2 on: the sender is among the hashed fields, or the transaction is unsigned. */
const TOLD = 2;
const NOBODY = 3;
/** The module's answer: an address, and 1 if the signature has a signer. */
const ANSWER = { found: 20, length: 24 };
const ADDRESS_LENGTH = 20;
/** About 4 ms of work at a time, so that other work gets its turn; the most that the module accepts. */
const AT_ONCE = 64;

interface SendersExports {
  readonly memory: WebAssembly.Memory;
  signaturesAt(): number;
  answersAt(): number;
  recover(count: number): void;
}

let opened: SendersExports | null = null;

/** Its memory has a fixed size and keeps nothing from one call to the next. */
const open = (): SendersExports => {
  const compiled = new WebAssembly.Module(Buffer.from(SIGNERS_MODULE, "base64"));
  // The module exports what `SendersExports` declares: assembly/secp256k1/recovery.ts.
  return new WebAssembly.Instance(compiled, {}).exports as unknown as SendersExports;
};

/** Addresses of the signers of some signatures, at most `AT_ONCE`; null for one that no key can have made. */
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
 * The signer of one hash.
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
  /** In the order of the transactions; null if the transaction's hash itself covers the sender. */
  readonly list: readonly (Bytes | null)[];
  /** Transactions without a signature and without a hashed sender: the text is trusted. */
  readonly unsigned: number;
}

/**
 * @param signatures one for each transaction as the module writes them, one after another
 * @throws BadAnswer for a signature that no key can have made
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
        throw new BadAnswer(`the signature of transaction ${list.length} is invalid`, "signature");
      list.push(how < TOLD ? sender : null);
    }
  }
  return { list, unsigned };
};
