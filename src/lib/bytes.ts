import { keccak_256 } from "@noble/hashes/sha3.js";

/** Raw bytes: addresses (20 on EVM and Tron, 32 on Solana), hashes, payloads. */
export type Bytes = Uint8Array;

declare const HEX: unique symbol;

/**
 * Raw bytes written as lower-case hex without `0x`: the form in which addresses and hashes are compared, used as map
 * keys and passed to SQL (`unhex({x:String})`). The empty string is "none": the native coin as a token, the void as a
 * holder. No other text is one by being written: it comes from bytes, from a question that answers in hex, from an
 * address or hash that was parsed, or through `hex`.
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
 * A constant that is written down as hex, or text at the edge that must be some.
 * @throws RangeError for anything but pairs of lower-case hex digits
 */
export const hex = (text: string): Hex => {
  if (!isHex(text)) throw new RangeError(`no lower-case hex: ${JSON.stringify(text)}`);
  return text;
};

/** Bytes after bytes: hex written one after the other is hex. */
export const concatHex = (...parts: readonly Hex[]): Hex => parts.join("") as Hex;

/** Bytes `from` to `to` (not included), counted in bytes. */
export const sliceHex = (bytes: Hex, from: number, to?: number): Hex =>
  bytes.slice(from * 2, to === undefined ? undefined : to * 2) as Hex;

/** With zero bytes before it until there are `length`. */
export const padHex = (bytes: Hex, length: number): Hex => bytes.padStart(length * 2, "0") as Hex;

/** With zero bytes behind it until there are `length`. */
export const padHexEnd = (bytes: Hex, length: number): Hex => bytes.padEnd(length * 2, "0") as Hex;

/** A big-endian integer of `length` bytes, of more where it needs them; below zero as its two's complement. */
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

/** What is the same object need not be compared. */
export const equalBytes = (a: Bytes, b: Bytes): boolean => a === b || Buffer.compare(a, b) === 0;

/** Keccak-256 (the pre-standard SHA-3 of Ethereum). */
export const keccak256 = (bytes: Bytes): Bytes => keccak_256(bytes);
