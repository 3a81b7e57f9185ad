/** Sums of 256-bit integers that may not fit into 256 bits: tokens of 2^256 - 1 units exist, and events that lie. */

/** A balance is a word of a contract: it is neither above this nor below 0. */
export const WORD_MAX = (1n << 256n) - 1n;

const HALF = 128n;

/**
 * The true sum of 256-bit integers, from the engine's sum modulo 2^256 (`wrapped`; sums overflow silently) and the sum of
 * the addends' parts above 2^128 (`high`, rounded down). Exact up to 2^127 addends: the sum without the high parts fits
 * into 256 bits.
 */
export const trueSum = (wrapped: bigint, high: bigint): bigint => {
  const top = high << HALF;
  return top + BigInt.asIntN(256, wrapped - top);
};

/** True for a sum that can be a balance. Other sums come from false events or an incomplete history. */
export const isWord = (sum: bigint): boolean => sum >= 0n && sum <= WORD_MAX;
