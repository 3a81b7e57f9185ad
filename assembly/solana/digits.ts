/** Decodes base58 and base64 digits into bytes. */

import { Text } from "../text";
import { LIMBS } from "./memory";

const NO_DIGIT: u8 = 0xff;
const BASE58: string = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE64: string = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS_58: usize = memory.data(256);
const DIGITS_64: usize = memory.data(256);

function fill(digits: usize, alphabet: string): void {
  memory.fill(digits, NO_DIGIT, 256);
  for (let i = 0; i < alphabet.length; i++) store<u8>(digits + usize(alphabet.charCodeAt(i)), u8(i));
}
fill(DIGITS_58, BASE58);
fill(DIGITS_64, BASE64);

/** Five digits are less than 32 bits. */
const DIGITS_A_STEP: usize = 5;
const ZERO_58: u8 = 0x31;

/**
 * Writes the bytes of the last text, base58 of at most 128 digits, to `to`. Returns their number, or -1 if the text is
 * not base58.
 */
export function base58To(to: usize): i32 {
  const end = Text.to;
  let at = Text.from;
  while (at < end && load<u8>(at) === ZERO_58) at++;
  const zeros = u32(at - Text.from);
  let limbs: usize = 0;
  while (at < end) {
    const step_end = min(end, at + DIGITS_A_STEP);
    let value: u64 = 0;
    let scale: u64 = 1;
    for (; at < step_end; at++) {
      const digit = load<u8>(DIGITS_58 + usize(load<u8>(at)));
      if (digit === NO_DIGIT) return -1;
      value = value * 58 + u64(digit);
      scale *= 58;
    }
    for (let i: usize = 0; i < limbs; i++) {
      value += u64(load<u32>(LIMBS + 4 * i)) * scale;
      store<u32>(LIMBS + 4 * i, u32(value));
      value >>= 32;
    }
    if (value !== 0) store<u32>(LIMBS + 4 * limbs++, u32(value));
  }
  if (limbs === 0) {
    memory.fill(to, 0, zeros);
    return i32(zeros);
  }
  const top: u32 = 4 - (u32(clz(load<u32>(LIMBS + 4 * (limbs - 1)))) >> 3);
  const size: u32 = 4 * u32(limbs - 1) + top;
  memory.fill(to, 0, zeros);
  for (let i: u32 = 0; i < size; i++) store<u8>(to + zeros + i, load<u8>(LIMBS + usize(size - 1 - i)));
  return i32(zeros + size);
}

const PADDING_64: u8 = 0x3d;

/**
 * Writes the bytes of the last text, base64 in whole groups of four digits, to `to`. Returns their number, or 0 if the
 * text is not base64.
 */
export function base64To(to: usize, most: u32): u32 {
  const length = Text.to - Text.from;
  if (length === 0 || (length & 3) !== 0 || (length >> 2) * 3 > usize(most)) return 0;
  const padding: u32 = load<u8>(Text.to - 1) !== PADDING_64 ? 0 : load<u8>(Text.to - 2) !== PADDING_64 ? 1 : 2;
  const whole = padding === 0 ? Text.to : Text.to - 4;
  let wrong: u32 = 0;
  let out = to;
  for (let at = Text.from; at < whole; at += 4) {
    const four = load<u32>(at);
    const a = u32(load<u8>(DIGITS_64 + usize(four & 0xff)));
    const b = u32(load<u8>(DIGITS_64 + usize((four >> 8) & 0xff)));
    const c = u32(load<u8>(DIGITS_64 + usize((four >> 16) & 0xff)));
    const d = u32(load<u8>(DIGITS_64 + usize(four >> 24)));
    wrong |= a | b | c | d;
    store<u32>(out, bswap<u32>((a << 26) | (b << 20) | (c << 14) | (d << 8)));
    out += 3;
  }
  if (padding > 0) {
    const a = u32(load<u8>(DIGITS_64 + usize(load<u8>(whole))));
    const b = u32(load<u8>(DIGITS_64 + usize(load<u8>(whole, 1))));
    const c: u32 = padding === 2 ? 0 : u32(load<u8>(DIGITS_64 + usize(load<u8>(whole, 2))));
    wrong |= a | b | c;
    store<u32>(out, bswap<u32>((a << 26) | (b << 20) | (c << 14)));
    out += 3 - padding;
  }
  return wrong > 63 ? 0 : u32(out - to);
}
