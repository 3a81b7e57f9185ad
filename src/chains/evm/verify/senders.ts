/**
 * Who signed a transaction. A sender is committed to by the signature alone, so it is recovered: 0.12 ms each with
 * libsecp256k1, compiled to WebAssembly (@noble/curves: 1.8 ms).
 */
import { setImmediate as afterOthers } from "node:timers/promises";
import { instantiateSecp256k1 } from "@bitauth/libauth/build/lib/crypto/secp256k1.js";
import { type Bytes, keccak256 } from "../../../lib/bytes.ts";
import { BadAnswer } from "../../node/answer.ts";

/** What assembly/transactions.ts leaves behind each transaction: hash, r and s, and how the sender follows. */
const SIGNATURE = { hash: 0, rs: 32, how: 96, length: 100 };
/** Values of `how` from 2 on: the sender is among the hashed fields, or nobody signed. */
const TOLD = 2;
const NOBODY = 3;

type Secp256k1 = Awaited<ReturnType<typeof instantiateSecp256k1>>;

let opened: Promise<Secp256k1> | null = null;

/** Compiled once for the process, in 50 ms. */
export const openSignatures = (): Promise<Secp256k1> => {
  opened ??= instantiateSecp256k1();
  return opened;
};

export interface Senders {
  /** In the order of the transactions; null where the sender follows from the transaction's hash by itself. */
  readonly list: readonly (Bytes | null)[];
  /** Transactions that nobody signed and that do not say who sent them: their sender is believed. */
  readonly unsigned: number;
}

/** Some 4 ms of work at a time, so that others get their turn. */
const AT_ONCE = 32;

/**
 * @param signatures one for each transaction, as the module leaves them.
 * @throws BadAnswer for a signature that nobody can have made
 */
export const recoverSenders = async (signatures: readonly Buffer[]): Promise<Senders> => {
  const secp256k1 = await openSignatures();
  const list: (Bytes | null)[] = [];
  let unsigned = 0;
  for (const [i, signature] of signatures.entries()) {
    const how = signature.readUInt32LE(SIGNATURE.how);
    if (how === NOBODY) unsigned += 1;
    list.push(how >= TOLD ? null : senderOf(secp256k1, signature, i));
    if ((i + 1) % AT_ONCE === 0) await afterOthers();
  }
  return { list, unsigned };
};

const senderOf = (secp256k1: Secp256k1, signature: Buffer, place: number): Bytes => {
  const key = secp256k1.recoverPublicKeyUncompressed(
    signature.subarray(SIGNATURE.rs, SIGNATURE.how),
    signature.readUInt32LE(SIGNATURE.how) === 1 ? 1 : 0,
    signature.subarray(SIGNATURE.hash, SIGNATURE.rs),
  );
  if (typeof key === "string") throw new BadAnswer(`the signature of transaction ${place} is none`);
  return keccak256(key.subarray(1)).subarray(12);
};

export const SIGNATURE_LENGTH = SIGNATURE.length;
