/**
 * Scans the transactions of a Solana block, straight from the text of a node's answer.
 * `src/chains/solana/scan/module.ts` calls it; `npm run gen` compiles it.
 */

import { beginRecords, end, records } from "../room";
import { CLOSE_LIST, COMMA, next, Text } from "../text";
import { has_long, ListEnd, toEnd } from "./ends";
import { beginKeys, key_count } from "./keys";
import { INPUT, KEYS, MOST_ITEMS, SIGNATURES, SPAN_BYTES, SPANS } from "./memory";
import { beginSignatures, signature_count } from "./signatures";
import { about, fee, readTransaction, TransactionForm } from "./transaction";

/** Outcome of reading a list. Same values as in `module.ts`. */
enum ListResult {
  Whole,
  /** The list does not end. */
  Open,
  TooDeep,
  TooMany,
}

/** A bit of the first word of a span; positions are smaller. */
const LONG: u32 = 0x8000_0000;
const KIND_SHIFT: u32 = 30;

let count: u32 = 0;

/** Address for a text of this length, or 0 if it is too long. */
export function reserve(length: u32): usize {
  return beginRecords(INPUT, length) ? INPUT : 0;
}

export function keysAt(): usize {
  return KEYS;
}

export function countKeys(): u32 {
  return key_count;
}

export function signaturesAt(): usize {
  return SIGNATURES;
}

export function countSignatures(): u32 {
  return signature_count;
}

export function spansAt(): usize {
  return SPANS;
}

export function countSpans(): u32 {
  return count;
}

export function recordsAt(): usize {
  return records;
}

export function recordsEnd(): usize {
  return end;
}

/** Position of the list's closing bracket in the text. */
export function listEnd(): u32 {
  return u32(Text.at - INPUT);
}

/** Reads the list whose first value begins at `start`, of a text of `length` bytes. */
export function scan(start: u32, length: u32): ListResult {
  beginKeys();
  beginSignatures();
  count = 0;
  Text.at = INPUT + usize(start);
  const text_end = INPUT + usize(length);
  while (true) {
    if (count === MOST_ITEMS) return ListResult.TooMany;
    const from = Text.at;
    let read = readTransaction();
    const close = read === TransactionForm.Other ? 0 : next();
    if (close !== COMMA && close !== CLOSE_LIST) {
      // No value follows, or TypeScript has to read this one.
      read = TransactionForm.Other;
      Text.at = from;
      const ends = toEnd(text_end);
      if (ends !== ListEnd.Found) return ends === ListEnd.TooDeep ? ListResult.TooDeep : ListResult.Open;
    }
    putSpan(from, read);
    if (load<u8>(Text.at) === CLOSE_LIST) return ListResult.Whole;
    Text.at++;
  }
}

/** Start and end of the value in the text, its record or voter, and its kind. */
function putSpan(from: usize, read: TransactionForm): void {
  const to = SPANS + SPAN_BYTES * usize(count++);
  store<u32>(to, u32(from - INPUT));
  store<u32>(to, u32(Text.at - INPUT), 4);
  store<u32>(to, read === TransactionForm.Whole ? about - u32(records) : about, 8);
  store<u32>(to, read === TransactionForm.Other ? (has_long ? LONG : 0) : read === TransactionForm.Vote ? fee : 0, 12);
  store<u32>(to, load<u32>(to) | (u32(read) << KIND_SHIFT));
}
