/** Signers of transactions. Only the signature commits to a sender, so the sender is recovered. */
import type { Bytes } from "../../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../../node/answer.ts";
import { recoverSome, SIGNATURE, SIGNER } from "./signatures.ts";

/** Values of `how` from 2 on: the sender is among the hashed fields, or the transaction is unsigned. */
const HASHED = 2;
const UNSIGNED = 3;
export const ADDRESS_LENGTH = 20;

/** The signer in the module's answer at a position; null for a signature that no key can have made. */
const signerAt = (answers: Buffer, at: number): Bytes | null => {
  const from = at * SIGNER.length;
  return answers[from + SIGNER.found] === 1 ? answers.subarray(from, from + ADDRESS_LENGTH) : null;
};

/**
 * The signer of one hash.
 * @param seal r and s, 32 bytes each, and whether the y of the signature's point is odd (0, 1)
 */
export const signerOf = (hash: Bytes, seal: { readonly rs: Bytes; readonly odd: number }): Bytes | null => {
  const signature = Buffer.alloc(SIGNATURE.length);
  signature.set(hash, SIGNATURE.hash);
  signature.set(seal.rs, SIGNATURE.rs);
  signature.writeUInt32LE(seal.odd, SIGNATURE.how);
  return signerAt(recoverSome(signature), 0);
};

export interface Senders {
  /** In the order of the transactions; null if the transaction's hash itself covers the sender. */
  readonly list: readonly (Bytes | null)[];
  /** Transactions without a signature and without a hashed sender: the text is trusted. */
  readonly unsigned: number;
}

/** The addresses that the texts of transactions state as senders, one after another; zeros where none is readable. */
export const statedSenders = (list: readonly JsonFields[]): Buffer => {
  const stated = Buffer.alloc(list.length * ADDRESS_LENGTH);
  for (const [i, { from }] of list.entries())
    if (typeof from === "string") stated.write(from.slice(2), i * ADDRESS_LENGTH, ADDRESS_LENGTH, "hex");
  return stated;
};

/**
 * @param signatures one for each transaction as the module writes them, one after another
 * @param answers the module's answers to them
 * @throws BadAnswer for a signature that no key can have made
 */
export const sendersIn = (signatures: Buffer, answers: Buffer): Senders => {
  const list: (Bytes | null)[] = [];
  let unsigned = 0;
  for (let at = 0; at * SIGNATURE.length < signatures.length; at += 1) {
    const how = signatures.readUInt32LE(at * SIGNATURE.length + SIGNATURE.how);
    const sender = signerAt(answers, at);
    if (how === UNSIGNED) unsigned += 1;
    if (how < HASHED && sender === null)
      throw new BadAnswer(`the signature of transaction ${at} is invalid`, "signature");
    list.push(how < HASHED ? sender : null);
  }
  return { list, unsigned };
};
