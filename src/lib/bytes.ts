import { keccak_256 } from "@noble/hashes/sha3.js";

/** Raw bytes: addresses (20 on EVM and Tron, 32 on Solana), hashes, payloads. */
export type Bytes = Uint8Array;

/**
 * Raw bytes written as lower-case hex without `0x`: the form in which addresses and hashes are compared, used as map
 * keys and passed to SQL (`unhex({x:String})`). The empty string is "none": the native coin as a token, the void as a
 * holder.
 */
export type Hex = string;

export const EMPTY: Bytes = new Uint8Array(0);

export const toHex = (bytes: Bytes): Hex =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

/** `text` with or without `0x`. Null when it is not an even number of hex digits. */
export const fromHex = (text: string): Bytes | null => {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (digits.length % 2 !== 0) return null;
  const bytes = Buffer.from(digits, "hex");
  return bytes.length * 2 === digits.length ? bytes : null;
};

/** Big-endian unsigned integer. Empty bytes are 0. */
export const toBigInt = (bytes: Bytes): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`));

export const equalBytes = (a: Bytes, b: Bytes): boolean => Buffer.compare(a, b) === 0;

/** Keccak-256 (the pre-standard SHA-3 of Ethereum). */
export const keccak256 = (bytes: Bytes): Bytes => keccak_256(bytes);
