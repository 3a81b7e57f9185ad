/** Hex text to bytes and numbers. */
import { Cursor, Fault, fail } from "./cursor";

/** 0..15 for a hex digit, else 255. */
const NIBBLES: usize = memory.data(256);
memory.fill(NIBBLES, 255, 256);
for (let i: u8 = 0; i < 10; i++) store<u8>(NIBBLES + 0x30 + i, i);
for (let i: u8 = 0; i < 6; i++) {
  store<u8>(NIBBLES + 0x41 + i, 10 + i);
  store<u8>(NIBBLES + 0x61 + i, 10 + i);
}

/** `0x` as the two bytes are read at once. */
const PREFIX: u16 = 0x7830;

export function nibble(at: usize): u8 {
  return load<u8>(NIBBLES + load<u8>(at));
}

/** Whether text begins with `0x`. Fails when not. */
export function isHex(text: usize, length: u32): bool {
  const holds = length >= 2 && load<u16>(text) === PREFIX;
  if (!holds) fail(Fault.NotHex);
  return holds;
}

/** Writes `size` bytes from the 2 * size hex digits at `from`. */
export function decodeHex(from: usize, to: usize, size: usize): void {
  if (size >= 16) return decodeHexWide(from, to, size);
  let bad: u8 = 0;
  for (let i: usize = 0; i < size; i++) {
    const high = nibble(from + 2 * i);
    const low = nibble(from + 2 * i + 1);
    bad |= high | low;
    store<u8>(to + i, (high << 4) | (low & 15));
  }
  if (bad > 15) fail(Fault.NotHex);
}

/** 16 bytes a step; the last step overlaps the one before. */
function decodeHexWide(from: usize, to: usize, size: usize): void {
  let valid = i8x16.splat(-1);
  let done: usize = 0;
  do {
    const i = min(done, size - 16);
    const a = v128.load(from + 2 * i);
    const b = v128.load(from + 2 * i, 16);
    valid = v128.and(valid, v128.and(areHex(a), areHex(b)));
    v128.store(to + i, i8x16.narrow_i16x8_u(joinNibbles(a), joinNibbles(b)));
    done += 16;
  } while (done < size);
  if (!i8x16.all_true(valid)) fail(Fault.NotHex);
}

function areHex(chars: v128): v128 {
  const digits = i8x16.le_u(i8x16.sub(chars, i8x16.splat(0x30)), i8x16.splat(9));
  const letters = i8x16.le_u(i8x16.sub(v128.or(chars, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(5));
  return v128.or(digits, letters);
}

/** 16 digits to eight bytes, each in 16 bits. */
function joinNibbles(chars: v128): v128 {
  const letter = v128.and(i8x16.shr_u(chars, 6), i8x16.splat(1));
  const nibbles = i8x16.add(v128.and(chars, i8x16.splat(15)), v128.or(i8x16.shl(letter, 3), letter));
  return v128.and(v128.or(i16x8.shl(nibbles, 4), i16x8.shr_u(nibbles, 8)), i16x8.splat(255));
}

/** The value of `0x…` text of at most 64 bits; 0, and a fault, for anything else. */
export function quantity(text: usize, length: u32): u64 {
  if (!isHex(text, length)) return 0;
  let value: u64 = 0;
  let digits: u32 = 0;
  for (let i: u32 = 2; i < length; i++) {
    const digit = nibble(text + i);
    if (digit > 15) {
      fail(Fault.NotHex);
      return 0;
    }
    if (digits > 0 || digit > 0) digits++;
    value = (value << 4) | u64(digit);
  }
  if (length === 2 || digits > 16) {
    fail(Fault.TooBig);
    return 0;
  }
  return value;
}

/** `0x…` text of exactly `size` bytes to `to`; false, without a fault, when its length is another. */
export function readFixed(text: usize, length: u32, to: usize, size: u32): bool {
  if (length !== 2 + 2 * size || !isHex(text, length)) return false;
  decodeHex(text + 2, to, size);
  return Cursor.fault === Fault.None;
}

/** Whether two runs of 32 bytes are equal. */
export function same32(a: usize, b: usize): bool {
  let differs = load<u64>(a) ^ load<u64>(b);
  differs |= load<u64>(a, 8) ^ load<u64>(b, 8);
  differs |= load<u64>(a, 16) ^ load<u64>(b, 16);
  differs |= load<u64>(a, 24) ^ load<u64>(b, 24);
  return differs === 0;
}
