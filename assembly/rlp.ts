/** Writes RLP (yellow paper, appendix B) straight from hex text. Each function returns where its output ended. */
import { Cursor, enter, fail, nextElement, OPEN_LIST, ParseFault, QUOTE, readText } from "./cursor";
import { ObjectFields } from "./fields";
import { decodeHex, isHex, readFixed } from "./hex";
import { nibble } from "./hex_digits";
import { hasRoom } from "./memory";

export const BYTES: u32 = 0x80;
export const LIST: u32 = 0xc0;
const HASH_BYTES: u32 = 32;
const ADDRESS_BYTES: u32 = 20;
/** Most digits of a number: 256 bits. */
const MOST_DIGITS: u32 = 64;
/** Bytes reserved in front of a list's content until its size is known. */
const HEAD: usize = 4;

function bytesOf(size: u32): u32 {
  return size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4;
}

function headerSize(size: u32): u32 {
  return size < 56 ? 1 : 1 + bytesOf(size);
}

/** The header of `size` bytes of one kind. */
export function putHeader(to: usize, kind: u32, size: u32): usize {
  if (size < 56) {
    store<u8>(to, u8(kind + size));
    return to + 1;
  }
  const bytes = bytesOf(size);
  store<u8>(to, u8(kind + 55 + bytes));
  for (let i: u32 = 0; i < bytes; i++) store<u8>(to + 1 + i, u8(size >> (8 * (bytes - 1 - i))));
  return to + 1 + bytes;
}

/** Writes the header in front of its content and returns where it starts. */
export function headerBefore(content: usize, kind: u32, size: u32): usize {
  const start = content - headerSize(size);
  putHeader(start, kind, size);
  return start;
}

/** Where the content of a list begins. `closeList` ends it. */
export function openList(to: usize): usize {
  return to + HEAD;
}

export function closeList(content: usize, end: usize): usize {
  const size = u32(end - content);
  const start = content - HEAD;
  if (!hasRoom(end, HEAD)) return start;
  const first = start + headerSize(size);
  memory.copy(first, content, size);
  putHeader(start, LIST, size);
  return first + size;
}

export function putEmpty(to: usize, kind: u32): usize {
  store<u8>(to, u8(kind));
  return to + 1;
}

/** Data of any length; empty for an absent field. */
export function putData(to: usize, fields: ObjectFields, field: i32): usize {
  const text = fields.at(field);
  const length = fields.lengthOf(field);
  if (text === 0 || length === 0 || !isHex(text, length)) return putEmpty(to, BYTES);
  const size = (length - 2) >> 1;
  if (length & 1) {
    fail(ParseFault.NotHex);
    return to;
  }
  if (!hasRoom(to, size)) return to;
  if (size === 1) {
    decodeHex(text + 2, to, 1);
    if (load<u8>(to) < BYTES) return to + 1;
  }
  const from = putHeader(to, BYTES, size);
  decodeHex(text + 2, from, size);
  return from + size;
}

/** Exactly `size` bytes. */
export function putFixed(to: usize, fields: ObjectFields, field: i32, size: u32): usize {
  if (!hasRoom(to, size)) return to;
  const from = putHeader(to, BYTES, size);
  if (!fields.has(field)) fail(ParseFault.Missing);
  else if (!readFixed(fields.at(field), fields.lengthOf(field), from, size)) fail(ParseFault.WrongLength);
  return from + size;
}

export function putHash(to: usize, fields: ObjectFields, field: i32): usize {
  return putFixed(to, fields, field, HASH_BYTES);
}

export function putAddress(to: usize, fields: ObjectFields, field: i32): usize {
  return putFixed(to, fields, field, ADDRESS_BYTES);
}

/** An address. Empty for null, an empty text or `0x`. */
export function putAddressOrNone(to: usize, fields: ObjectFields, field: i32): usize {
  const length = fields.lengthOf(field);
  if (!fields.has(field) || length === 0) return putEmpty(to, BYTES);
  if (length === 2 && isHex(fields.at(field), length)) return putEmpty(to, BYTES);
  return putAddress(to, fields, field);
}

/** A required number. */
export function putNumber(to: usize, fields: ObjectFields, field: i32): usize {
  if (!fields.has(field)) {
    fail(ParseFault.Missing);
    return to;
  }
  return putNumberOrZero(to, fields, field);
}

/** A number without leading zeros; zero for an absent field. */
export function putNumberOrZero(to: usize, fields: ObjectFields, field: i32): usize {
  const text = fields.at(field);
  const length = fields.lengthOf(field);
  if (text === 0 || !isHex(text, length)) return putEmpty(to, BYTES);
  let from = text + 2;
  let digits = length - 2;
  while (digits > 0 && load<u8>(from) === 0x30) {
    from++;
    digits--;
  }
  if (digits === 0) return putEmpty(to, BYTES);
  if (digits > MOST_DIGITS) {
    fail(ParseFault.TooBig);
    return to;
  }
  const size = (digits + 1) >> 1;
  if (!hasRoom(to, size)) return to;
  decodeDigits(from, digits, to + 1);
  if (size === 1 && load<u8>(to, 1) < BYTES) {
    store<u8>(to, load<u8>(to, 1));
    return to + 1;
  }
  store<u8>(to, u8(BYTES + size)); // 32 at most, so one byte
  return to + 1 + size;
}

/** Digits of any count. If the count is odd, the first digit gets a byte of its own. */
function decodeDigits(from: usize, digits: u32, to: usize): void {
  if (!(digits & 1)) return decodeHex(from, to, digits >> 1);
  const first = nibble(from);
  if (first > 15) return fail(ParseFault.NotHex);
  store<u8>(to, first);
  decodeHex(from + 1, to + 1, digits >> 1);
}

/** A number as 32 bytes, big-endian; zero for an absent field. */
export function writeWord(to: usize, fields: ObjectFields, field: i32): void {
  memory.fill(to, 0, HASH_BYTES);
  const text = fields.at(field);
  const length = fields.lengthOf(field);
  if (text === 0 || !isHex(text, length)) return;
  let from = text + 2;
  let digits = length - 2;
  while (digits > 0 && load<u8>(from) === 0x30) {
    from++;
    digits--;
  }
  if (digits > MOST_DIGITS) return fail(ParseFault.TooBig);
  if (digits > 0) decodeDigits(from, digits, to + HASH_BYTES - ((digits + 1) >> 1));
}

/** Moves past the opening bracket of a field's list. Returns false if the field has no list. */
export function enterList(fields: ObjectFields, field: i32): bool {
  const start = fields.at(field);
  if (start === 0) return false;
  if (load<u8>(start - 1) === QUOTE) {
    fail(ParseFault.WrongShape);
    return false;
  }
  Cursor.at = start;
  enter(OPEN_LIST);
  return Cursor.fault === ParseFault.None;
}

/** A list of hashes, empty when absent. Moves the cursor past it. */
export function putHashes(to: usize, fields: ObjectFields, field: i32): usize {
  if (!enterList(fields, field)) return putEmpty(to, LIST);
  const content = openList(to);
  let at = content;
  while (nextElement()) {
    if (!hasRoom(at, HASH_BYTES)) return to;
    at = putHashText(at);
  }
  return closeList(content, at);
}

/** The hash at the cursor. */
export function putHashText(to: usize): usize {
  const text = readText();
  store<u8>(to, u8(BYTES + HASH_BYTES));
  if (!readFixed(text, Cursor.length, to + 1, HASH_BYTES)) fail(ParseFault.WrongLength);
  return to + 1 + HASH_BYTES;
}
