/** The module of assembly/secp256k1, which recovers signers in 0.06 ms each (docs/design/verification.md). */
import type { Bytes } from "../../../lib/bytes.ts";
import { SIGNERS_MODULE } from "./signers.gen.ts";

/** Layout of assembly/transactions.ts after each transaction: hash, r and s, and the way to the sender. */
export const SIGNATURE = { hash: 0, rs: 32, how: 96, length: 104 };
/** The module's answer: an address, and 1 if the signature has a signer. */
export const SIGNER = { found: 20, length: 24 };
/** About 4 ms of work; the most that the module accepts. */
export const AT_ONCE = 64;

interface SignersExports {
  readonly memory: WebAssembly.Memory;
  signaturesAt(): number;
  answersAt(): number;
  recover(count: number): void;
}

let opened: SignersExports | null = null;

/** Its memory has a fixed size and keeps nothing from one call to the next. */
const open = (): SignersExports => {
  const compiled = new WebAssembly.Module(Buffer.from(SIGNERS_MODULE, "base64"));
  // The module exports what `SignersExports` declares: assembly/secp256k1/recovery.ts.
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
