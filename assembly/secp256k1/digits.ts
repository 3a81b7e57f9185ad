/**
 * Splits a scalar into two of half its length with the endomorphism of secp256k1 (Gallant, Lambert, Vanstone: "Faster
 * point multiplication on elliptic curves with efficient endomorphisms"; constants as in libsecp256k1, scalar_impl.h),
 * and writes each half as digits of which few are not zero (wNAF).
 */
import { addScalars, isZeroScalar, multiplyScalars, multiplyShifted, negateScalar } from "./scalar";

/** lambda * (x, y) is (beta * x, y). */
const LAMBDA: usize = memory.data<u32>([
  0x1b23bd72, 0xdf02967c, 0x20816678, 0x122e22ea, 0x8812645a, 0xa5261c02, 0xc05c30e0, 0x5363ad4c,
]);
const MINUS_B1: usize = memory.data<u32>([0x0abfe4c3, 0x6f547fa9, 0x010e8828, 0xe4437ed6, 0, 0, 0, 0]);
const MINUS_B2: usize = memory.data<u32>([
  0x3db1562c, 0xd765cda8, 0x0774346d, 0x8a280ac5, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff,
]);
const G1: usize = memory.data<u32>([
  0x45dbb031, 0xe893209a, 0x71e8ca7f, 0x3daa8a14, 0x9284eb15, 0xe86c90e4, 0xa7d46bcd, 0x3086d221,
]);
const G2: usize = memory.data<u32>([
  0x8ac47f71, 0x1571b4ae, 0x9df506c6, 0x221208ac, 0x0abfe4c4, 0x6f547fa9, 0x010e8828, 0xe4437ed6,
]);

/** Digits of half a scalar: 128 bits, and one for the carry. */
export const DIGITS: i32 = 129;
const HALF_BITS: i32 = 128;

const FIRST: usize = memory.data(32);
const SECOND: usize = memory.data(32);
const PART: usize = memory.data(32);

/** `scalar` = first + lambda * second. Each half is below 2^128, or n minus such a number. */
export function split(first: usize, second: usize, scalar: usize): void {
  multiplyShifted(first, scalar, G1);
  multiplyShifted(second, scalar, G2);
  multiplyScalars(first, first, MINUS_B1);
  multiplyScalars(second, second, MINUS_B2);
  addScalars(second, first, second);
  multiplyScalars(PART, second, LAMBDA);
  negateScalar(PART, PART);
  addScalars(first, scalar, PART);
}

/** Makes a half its absolute value. Returns whether it was negative. */
export function makePositive(half: usize): bool {
  const is_negative = (load<u64>(half, 16) | load<u64>(half, 24)) !== 0;
  if (is_negative) negateScalar(half, half);
  return is_negative;
}

/**
 * Writes the digits of both halves of `scalar`, two bytes each, odd or zero, between -2^(width - 1) and
 * 2^(width - 1): those of the first half at `first`, those of the second at `second`.
 */
export function writeDigits(first: usize, second: usize, scalar: usize, width: i32): void {
  split(FIRST, SECOND, scalar);
  writeHalf(first, FIRST, width);
  writeHalf(second, SECOND, width);
}

function writeHalf(to: usize, half: usize, width: i32): void {
  const is_negative = makePositive(half);
  memory.fill(to, 0, 2 * usize(DIGITS));
  if (isZeroScalar(half)) return;
  const sign: i32 = is_negative ? -1 : 1;
  let carry: u32 = 0;
  let bit: i32 = 0;
  while (bit < DIGITS) {
    if (bitsOf(half, bit, 1) === carry) {
      bit++;
      continue;
    }
    const taken = min(width, DIGITS - bit);
    const word = i32(bitsOf(half, bit, taken) + carry);
    carry = u32(word >> (width - 1)) & 1;
    store<i16>(to + 2 * usize(bit), i16(sign * (word - (i32(carry) << width))));
    bit += taken;
  }
}

/** `count` bits of a half, beginning at `bit`; zeros beyond its end. */
function bitsOf(half: usize, bit: i32, count: i32): u32 {
  if (bit >= HALF_BITS) return 0;
  const word = load<u64>(half + 4 * usize(bit >> 5)) >> u64(bit & 31);
  return u32(word) & ((1 << count) - 1);
}

/** Bytes of the digits of one half. */
export const HALF_DIGITS: usize = 2 * usize(DIGITS);
