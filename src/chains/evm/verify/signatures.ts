/** The module of assembly/secp256k1, which recovers signers and checks claimed ones (docs/design/verification.md). */
import { randomFillSync } from "node:crypto";
import type { Bytes } from "../../../lib/bytes.ts";
import { SIGNERS_MODULE } from "./signers.gen.ts";

/** Layout of assembly/transactions.ts after each transaction: hash, r and s, and the way to the sender. */
export const SIGNATURE = { hash: 0, rs: 32, how: 96, length: 104 };
/** The module's answer: an address, 1 if the signature has a signer, and the signer's key. */
export const SIGNER = { found: 20, key: 24, length: 88 };
/** A signature with the key that may have made it, and the key's address. */
export const CLAIM = { key: 104, address: 168, length: 188 };
/** About 4 ms of work; the most that the module accepts. */
export const AT_ONCE = 64;
/** About 25 ms of work; the most that the module accepts. */
export const CLAIMS_AT_ONCE = 1_024;

/** Layouts of assembly/secp256k1/claims.ts. */
const CLAIMED = { key: 100, random: 104, length: 120 };
const RANDOM_LENGTH = CLAIMED.length - CLAIMED.random;
const KEY_LENGTH = CLAIM.length - CLAIM.key;

interface SignersExports {
  readonly memory: WebAssembly.Memory;
  signaturesAt(): number;
  answersAt(): number;
  recover(count: number): void;
  claimsAt(): number;
  keysAt(): number;
  holds(count: number, keys: number): number;
}

let opened: SignersExports | null = null;

/** Its memory has a fixed size and keeps nothing from one call to the next. */
const open = (): SignersExports => {
  const compiled = new WebAssembly.Module(Buffer.from(SIGNERS_MODULE, "base64"));
  // The module exports what `SignersExports` declares: assembly/secp256k1/index.ts.
  return new WebAssembly.Instance(compiled, {}).exports as unknown as SignersExports;
};

/** The module's answers to at most `AT_ONCE` signatures, one after another. */
export const recoverSome = (signatures: Bytes): Buffer => {
  opened ??= open();
  const count = signatures.length / SIGNATURE.length;
  new Uint8Array(opened.memory.buffer).set(signatures, opened.signaturesAt());
  opened.recover(count);
  return Buffer.from(Buffer.from(opened.memory.buffer, opened.answersAt(), count * SIGNER.length));
};

/** Whether all of at most `CLAIMS_AT_ONCE` claims hold; a false claim passes with a probability of 2^-128. */
export const claimsHold = (bytes: Bytes): boolean => {
  opened ??= open();
  const claims = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const memory = Buffer.from(opened.memory.buffer);
  const [to, keys_at] = [opened.claimsAt(), opened.keysAt()];
  const keys = new Map<string, number>();
  const count = claims.length / CLAIM.length;
  const random = randomFillSync(Buffer.allocUnsafe(count * RANDOM_LENGTH));
  for (let i = 0; i < count; i += 1) {
    const [from, at] = [i * CLAIM.length, to + i * CLAIMED.length];
    const address = claims.toString("latin1", from + CLAIM.address, from + CLAIM.length);
    const known = keys.get(address);
    const key = known ?? keys.size;
    if (known === undefined) {
      keys.set(address, key);
      claims.copy(memory, keys_at + key * KEY_LENGTH, from + CLAIM.key, from + CLAIM.length);
    }
    claims.copy(memory, at, from, from + CLAIMED.key);
    memory.writeUInt32LE(key, at + CLAIMED.key);
    random.copy(memory, at + CLAIMED.random, i * RANDOM_LENGTH, (i + 1) * RANDOM_LENGTH);
  }
  return opened.holds(count, keys.size) === 1;
};
