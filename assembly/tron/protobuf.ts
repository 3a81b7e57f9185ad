/**
 * Protocol Buffers (protobuf.dev, "Encoding"), as far as the raw data of common transactions needs them. Rejects what
 * is unusual (numbers of ten bytes, a length of more than 32 bits) like an invalid message:
 * `src/chains/tron/protobuf.ts` then decides.
 */

export const VARINT: u32 = 0;
const FIXED64: u32 = 1;
export const LENGTH: u32 = 2;
const FIXED32: u32 = 5;

/** Nine bytes of seven bits: a number that is never below zero. */
const MOST_SHIFT: u64 = 56;

/** The message being read, and its last field. */
export class MessageField {
  static at: usize = 0;
  static end: usize = 0;
  static number: u64 = 0;
  static kind: u32 = 0;
  /** Value of a varint. */
  static value: u64 = 0;
  /** Position of bytes. */
  static from: usize = 0;
  static size: u32 = 0;
}

export function beginMessage(from: usize, size: usize): void {
  MessageField.at = from;
  MessageField.end = from + size;
}

export function hasMore(): bool {
  return MessageField.at < MessageField.end;
}

/** Reads one field. Returns false if it is invalid. */
export function readField(): bool {
  if (!varint() || MessageField.value > u64(u32.MAX_VALUE)) return false;
  MessageField.number = MessageField.value >> 3;
  MessageField.kind = u32(MessageField.value & 7);
  switch (MessageField.kind) {
    case VARINT:
      return varint();
    case LENGTH:
      return varint() && pass(MessageField.value);
    case FIXED64:
      return pass(8);
    case FIXED32:
      return pass(4);
    default:
      return false;
  }
}

function pass(size: u64): bool {
  if (size > u64(MessageField.end - MessageField.at)) return false;
  MessageField.from = MessageField.at;
  MessageField.size = u32(size);
  MessageField.at += usize(size);
  return true;
}

function varint(): bool {
  MessageField.value = 0;
  for (let shift: u64 = 0; shift <= MOST_SHIFT && MessageField.at < MessageField.end; shift += 7) {
    const byte = u64(load<u8>(MessageField.at++));
    MessageField.value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

/**
 * Enters the field of this number, which holds a message. Returns false unless the message has it exactly once and as
 * bytes.
 */
export function enterOnly(number: u64): bool {
  let from: usize = 0;
  let size: u32 = 0;
  while (hasMore()) {
    if (!readField()) return false;
    if (MessageField.number !== number) continue;
    if (from !== 0 || MessageField.kind !== LENGTH) return false;
    from = MessageField.from;
    size = MessageField.size;
  }
  if (from === 0) return false;
  beginMessage(from, usize(size));
  return true;
}

/** Writes a varint. Returns where the next byte goes. */
export function putCount(to: usize, value: u64): usize {
  let at = to;
  let rest = value;
  for (; rest > 0x7f; rest >>= 7) store<u8>(at++, u8(rest) | 0x80);
  store<u8>(at, u8(rest));
  return at + 1;
}
