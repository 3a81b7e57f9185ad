/** Signers of transactions. Only the signature commits to a sender, so the sender is recovered. */
import type { Bytes } from "../../../lib/bytes.ts";
import { BadAnswer } from "../../node/answer.ts";
import { recoverSome, SIGNATURE, SIGNER } from "./signatures.ts";
import type { Signers } from "./signer_threads.ts";

/** Values of `how` from 2 on: the sender is among the hashed fields, or the transaction is unsigned. */
const HASHED = 2;
const UNSIGNED = 3;
const ADDRESS_LENGTH = 20;

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

/**
 * @param signatures one for each transaction as the module writes them, one after another
 * @throws BadAnswer for a signature that no key can have made
 */
export const recoverSenders = async (signatures: Buffer, signers: Signers): Promise<Senders> => {
  const answers = await signers.recover(signatures);
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
