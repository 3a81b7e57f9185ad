import { type Bytes, equalBytes, type Hex, keccak256, toHex } from "../../../lib/bytes.ts";
import { splitCode } from "../../../sources/metadata_tail.ts";

/** The inputs of a contract's creation, as far as the transaction's input proves them. */
export interface Create2 {
  readonly address: Hex;
  readonly factory: Bytes;
  /** keccak-256 of the init code. */
  readonly init_hash: Bytes;
}

const WORD = 32;
const SELECTOR = 4;
/** Longer input is not searched for a salt. */
const SEARCHED_BYTES_MAX = 64 * 1024;

/** EIP-1014: the last 20 bytes of keccak-256(0xff, factory, salt, keccak-256(init code)). */
const addressFor = ({ factory, init_hash }: Create2, salt: Bytes): Hex =>
  toHex(keccak256(Buffer.concat([Buffer.from([0xff]), factory, salt, init_hash])).subarray(12));

/**
 * The salt that leads to this address, when it is a word of the transaction's input or 0. Null when the factory derived
 * it from other data.
 */
export const findSalt = (input: Bytes, create: Create2): Bytes | null => {
  const fits = (salt: Bytes): boolean => addressFor(create, salt) === create.address;
  const end = Math.min(input.length, SEARCHED_BYTES_MAX);
  for (const first of [0, SELECTOR]) {
    for (let at = first; at + WORD <= end; at += WORD) {
      const salt = input.subarray(at, at + WORD);
      if (fits(salt)) return salt;
    }
  }
  const zero = new Uint8Array(WORD);
  return fits(zero) ? zero : null;
};

/**
 * The init code inside the input: the whole input of a creation transaction, or the bytes after the salt in a call of a
 * deterministic deployment proxy. Null when neither hashes to `init_hash`.
 */
export const findInitCode = (input: Bytes, init_hash: Bytes): Bytes | null =>
  [input, input.subarray(WORD)].find((code) => equalBytes(keccak256(code), init_hash)) ?? null;

/**
 * Constructor arguments: the bytes after the runtime code's own metadata in the init code. Null when the code has no
 * metadata, or when the rest is not a whole number of words.
 */
export const constructorArguments = (init: Bytes, runtime: Bytes): Bytes | null => {
  const mark = splitCode(runtime).tail;
  if (mark === null) return null;
  const at = Buffer.from(init).lastIndexOf(Buffer.from(mark));
  if (at < 0) return null;
  const rest = init.subarray(at + mark.length);
  return rest.length % WORD === 0 ? rest : null;
};
