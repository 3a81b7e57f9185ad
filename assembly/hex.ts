/** Decodes the hex text of EVM nodes into bytes and numbers. */
import { Cursor, fail, ParseFault } from "./cursor";
import { hexTo, nibble } from "./hex_digits";

/** `0x` as its two bytes load as one word. */
const PREFIX: u16 = 0x7830;

/** Whether text begins with `0x`. Sets a fault if not. */
export function isHex(text: usize, length: u32): bool {
  const holds = length >= 2 && load<u16>(text) === PREFIX;
  if (!holds) fail(ParseFault.NotHex);
  return holds;
}

/** Writes `size` bytes from the 2 * size hex digits at `from`. Sets a fault if they are not hex. */
export function decodeHex(from: usize, to: usize, size: usize): void {
  if (!hexTo(from, to, size)) fail(ParseFault.NotHex);
}

/** The value of `0x…` text of at most 64 bits. Returns 0 and sets a fault for anything else. */
export function quantity(text: usize, length: u32): u64 {
  if (!isHex(text, length)) return 0;
  let value: u64 = 0;
  let digits: u32 = 0;
  for (let i: u32 = 2; i < length; i++) {
    const digit = nibble(text + i);
    if (digit > 15) {
      fail(ParseFault.NotHex);
      return 0;
    }
    if (digits > 0 || digit > 0) digits++;
    value = (value << 4) | u64(digit);
  }
  if (length === 2 || digits > 16) {
    fail(ParseFault.TooBig);
    return 0;
  }
  return value;
}

/** Writes `0x…` text of exactly `size` bytes to `to`. Returns false, without a fault, if it has another length. */
export function readFixed(text: usize, length: u32, to: usize, size: u32): bool {
  if (length !== 2 + 2 * size || !isHex(text, length)) return false;
  decodeHex(text + 2, to, size);
  return Cursor.fault === ParseFault.None;
}

/** Whether two runs of 32 bytes are equal. */
export function same32(a: usize, b: usize): bool {
  let differs = load<u64>(a) ^ load<u64>(b);
  differs |= load<u64>(a, 8) ^ load<u64>(b, 8);
  differs |= load<u64>(a, 16) ^ load<u64>(b, 16);
  differs |= load<u64>(a, 24) ^ load<u64>(b, 24);
  return differs === 0;
}
