import type { Bytes } from "./bytes.ts";

/** Bytes of one ABI word. */
export const WORD_BYTES = 32;

const SIGN_BIT = 1n << 255n;
const TWO_TO_256 = 1n << 256n;

/**
 * The n-th 32-byte word as an unsigned integer. Bytes beyond the end count as 0, like calldata in the EVM.
 * Most words are small, so it checks the leading three quarters before adding them up.
 */
export const uintAt = (data: Bytes, n: number): bigint => {
  const start = n * WORD_BYTES;
  if (data.length < start + WORD_BYTES) return start < data.length ? uintAt(padded(data.subarray(start)), 0) : 0n;
  const view = new DataView(data.buffer, data.byteOffset + start, WORD_BYTES);
  const low = view.getBigUint64(24);
  const second = view.getBigUint64(16);
  const third = view.getBigUint64(8);
  const fourth = view.getBigUint64(0);
  if (third === 0n && fourth === 0n) return second === 0n ? low : (second << 64n) | low;
  return (fourth << 192n) | (third << 128n) | (second << 64n) | low;
};

/** The n-th word in two's complement (int256, and every shorter intN, which the ABI sign-extends). */
export const intAt = (data: Bytes, n: number): bigint => {
  const value = uintAt(data, n);
  return value < SIGN_BIT ? value : value - TWO_TO_256;
};

/** A view of the last 20 bytes of the n-th word. Empty when the word is truncated. */
export const addressAt = (data: Bytes, n: number): Bytes =>
  data.subarray(n * WORD_BYTES + 12, data.length < (n + 1) * WORD_BYTES ? 0 : (n + 1) * WORD_BYTES);

const padded = (data: Bytes): Bytes => {
  const word = new Uint8Array(WORD_BYTES);
  word.set(data.subarray(0, WORD_BYTES));
  return word;
};
