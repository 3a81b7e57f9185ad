/** Sums of 256-bit integers that may not fit into 256 bits: tokens of 2^256 - 1 units exist, and events that lie. */

/** Balances are words of a contract: nothing above can be one, and nothing below 0. */
export const WORD_MAX = (1n << 256n) - 1n;

const HALF = 128n;

/**
 * The true sum of integers of 256 bits of which the engine told the last 256 bits (`wrapped`; sums wrap without a sound)
 * and the sum of what each has above 2^128 (`high`, rounded down). Exact up to 2^127 addends: what is left of the sum
 * without the high parts fits into 256 bits.
 */
export const trueSum = (wrapped: bigint, high: bigint): bigint => {
  const top = high << HALF;
  return top + BigInt.asIntN(256, wrapped - top);
};

/** True for a sum that some balance may be. Others come from events that lie, or from a history that is not whole. */
export const isWord = (sum: bigint): boolean => sum >= 0n && sum <= WORD_MAX;
