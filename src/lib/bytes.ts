import { keccak_256 } from "@noble/hashes/sha3.js";

/** Raw bytes: addresses (20 on EVM and Tron, 32 on Solana), hashes, payloads. */
export type Bytes = Uint8Array;

declare const HEX: unique symbol;

/**
 * Raw bytes as lower-case hex without `0x`: the form in which the program compares addresses and hashes, uses them as map
 * keys and passes them to SQL (`unhex({x:String})`). The empty string means none: the native coin as a token, or no holder for
 * mints and burns. A plain string is never a `Hex`: convert it from bytes, read it from a query that returns hex, parse an
 * address or hash, or call `hex`.
 */
export type Hex = "" | (string & { readonly [HEX]: true });

export const EMPTY: Bytes = new Uint8Array(0);

/** Buffer writes two lower-case digits for each byte. */
export const toHex = (bytes: Bytes): Hex =>
  (bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString(
    "hex",
  ) as Hex;

const isHex = (text: string): text is Hex => /^(?:[0-9a-f]{2})*$/.test(text);

/**
 * Converts a hex constant, or outside text that must be hex.
 * @throws RangeError unless the text consists of pairs of lower-case hex digits
 */
export const hex = (text: string): Hex => {
  if (!isHex(text)) throw new RangeError(`no lower-case hex: ${JSON.stringify(text)}`);
  return text;
};

/** Concatenates hex. */
export const concatHex = (...parts: readonly Hex[]): Hex => parts.join("") as Hex;

/** Bytes `from` to `to` (not included), counted in bytes. */
export const sliceHex = (bytes: Hex, from: number, to?: number): Hex =>
  bytes.slice(from * 2, to === undefined ? undefined : to * 2) as Hex;

/** Pads with zero bytes on the left to `length` bytes. */
export const padHex = (bytes: Hex, length: number): Hex => bytes.padStart(length * 2, "0") as Hex;

/** Pads with zero bytes on the right to `length` bytes. */
export const padHexEnd = (bytes: Hex, length: number): Hex => bytes.padEnd(length * 2, "0") as Hex;

/** Encodes a big-endian integer in at least `length` bytes; negative values in two's complement. */
export const intToHex = (value: bigint, length: number): Hex => {
  const digits = (value < 0n ? BigInt.asUintN(length * 8, value) : value).toString(16);
  return digits.padStart(Math.max(length * 2, digits.length + (digits.length % 2)), "0") as Hex;
};

/** `text` with or without `0x`. Null when it is not an even number of hex digits. */
export const fromHex = (text: string): Bytes | null => {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (digits.length % 2 !== 0) return null;
  const bytes = Buffer.from(digits, "hex");
  return bytes.length * 2 === digits.length ? bytes : null;
};

/** Big-endian unsigned integer. Empty bytes are 0. */
export const toBigInt = (bytes: Bytes): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`));

/** Skips the comparison for the same object. */
export const equalBytes = (a: Bytes, b: Bytes): boolean => a === b || Buffer.compare(a, b) === 0;

/** Keccak-256 (the pre-standard SHA-3 of Ethereum). */
export const keccak256 = (bytes: Bytes): Bytes => keccak_256(bytes);
