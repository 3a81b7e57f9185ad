/** Instructions that other instructions of a transaction called. */

import {
  CLOSE_FIELDS,
  CLOSE_LIST,
  COMMA,
  integer,
  isNull,
  isText,
  name,
  OPEN_FIELDS,
  OPEN_LIST,
  SeenNames,
  skip,
  Text,
  take,
  text,
} from "../text";
import { base58To } from "./digits";
import { BLOB, CALLED, INNER, INPUT, INSTRUCTION_BYTES, MOST_ACCOUNTS, MOST_BLOB, MOST_INSTRUCTIONS } from "./memory";

/** The inner instructions read last. */
export class Inner {
  static count: u32 = 0;
  /** Outer instructions that called others. */
  static callers: u32 = 0;
  static blob_size: u32 = 0;
}

export function beginInner(): void {
  Inner.count = 0;
  Inner.callers = 0;
  Inner.blob_size = 0;
}

/** Inner instructions, grouped by the outer instruction that called them, in the order of the outer ones. */
export function readInner(): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  let last: i64 = -1;
  do {
    const index = readGroup();
    if (index <= last) return false;
    last = index;
  } while (take(COMMA));
  return take(CLOSE_LIST);
}

/** Position of the outer instruction, or -1 if the group is invalid. */
function readGroup(): i64 {
  let index: i64 = -1;
  let has_list = false;
  const first = Inner.count;
  if (!take(OPEN_FIELDS)) return -1;
  do {
    if (!name()) return -1;
    if (isText("index")) {
      if (index >= 0 || (index = integer()) < 0 || index >= i64(MOST_INSTRUCTIONS)) return -1;
    } else if (isText("instructions")) {
      if (has_list || !readInstructions()) return -1;
      has_list = true;
    } else if (!skip()) return -1;
  } while (take(COMMA));
  if (!take(CLOSE_FIELDS) || !has_list || index < 0) return -1;
  store<u32>(CALLED + 8 * usize(Inner.callers), u32(index));
  store<u32>(CALLED + 8 * usize(Inner.callers++), Inner.count - first, 4);
  return index;
}

function readInstructions(): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do {
    if (Inner.count === MOST_INSTRUCTIONS || !readInstruction(INNER + INSTRUCTION_BYTES * usize(Inner.count)))
      return false;
    Inner.count++;
  } while (take(COMMA));
  return take(CLOSE_LIST);
}

const OF_CALLED: u32 = 1;
const OF_ACCOUNTS: u32 = 2;
const OF_DATA: u32 = 4;
const OF_DEPTH: u32 = 8;
const INSTRUCTION_NEEDED: u32 = OF_CALLED | OF_ACCOUNTS | OF_DATA;
/** Depth for answers of nodes before 2023, which state none. */
const UNTOLD_DEPTH: u32 = 2;

const met = new SeenNames();

/** As in `wire.ts`, with positions in the blob. */
function readInstruction(to: usize): bool {
  met.begin();
  store<u32>(to, UNTOLD_DEPTH);
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readInstructionField(to)) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS) && met.hasAll(INSTRUCTION_NEEDED);
}

function readInstructionField(to: usize): bool {
  if (isText("programIdIndex")) {
    const program = met.isFirst(OF_CALLED) ? integer() : -1;
    store<u32>(to, u32(program), 4);
    return program >= 0 && program < i64(MOST_ACCOUNTS);
  }
  if (isText("accounts")) return met.isFirst(OF_ACCOUNTS) && readPositions(to + 8);
  if (isText("data")) return met.isFirst(OF_DATA) && text() && readData(to + 16);
  if (isText("stackHeight")) return met.isFirst(OF_DEPTH) && (isNull() || readDepth(to));
  return skip();
}

function readDepth(to: usize): bool {
  const depth = integer();
  store<u32>(to, u32(depth));
  return depth >= 0 && depth <= i64(MOST_INSTRUCTIONS);
}

function readPositions(to: usize): bool {
  const first = Inner.blob_size;
  store<u32>(to, first);
  store<u32>(to, 0, 4);
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do {
    const position = integer();
    if (position < 0 || position >= i64(MOST_ACCOUNTS) || Inner.blob_size >= MOST_BLOB) return false;
    store<u8>(BLOB + usize(Inner.blob_size++), u8(position));
  } while (take(COMMA));
  store<u32>(to, Inner.blob_size - first, 4);
  return take(CLOSE_LIST);
}

/** Longer data is recorded by its position in the text: callers rarely read it. */
const MOST_DATA_DIGITS: u32 = 96;
export const IS_TEXT: u32 = 0x8000_0000;

function readData(to: usize): bool {
  const length = u32(Text.to - Text.from);
  if (length > MOST_DATA_DIGITS) {
    store<u32>(to, u32(Text.from - INPUT));
    store<u32>(to, length | IS_TEXT, 4);
    return true;
  }
  if (Inner.blob_size + MOST_DATA_DIGITS > MOST_BLOB) return false;
  const size = base58To(BLOB + usize(Inner.blob_size));
  store<u32>(to, Inner.blob_size);
  store<u32>(to, u32(size), 4);
  Inner.blob_size += u32(max(size, 0));
  return size >= 0;
}
