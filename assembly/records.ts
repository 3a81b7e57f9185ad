/**
 * Objects of the text as records for the caller, one after another: number of fields and bytes of text, two words for
 * each field (position of its value in the text of the object; its length, number and kind), then the text.
 * `src/chains/evm/scan/records.ts` reads them.
 */
import { Cursor, fail, ParseFault } from "./cursor";
import { ObjectFields, ValueKind } from "./fields";
import { decodeHex, isHex } from "./hex";
import { hasRoom, values } from "./memory";

/** Bits of the second word: a length below 2^24, then six for the field's number and two for its kind. */
const MOST_LENGTH: u32 = (1 << 24) - 1;
const FIELD_SHIFT: u32 = 24;
const KIND_SHIFT: u32 = 30;
export const WORD: usize = 4;
const BYTES_IN_STEPS: usize = 8;

/** Position of the next word. */
export let end: usize = 0;

export function beginRecords(): void {
  end = values;
}

/** Whether `size` bytes fit. Sets a fault if not. */
export function hasRecordRoom(size: usize): bool {
  return Cursor.fault === ParseFault.None && hasRoom(end, size);
}

export function putWord(word: u32): void {
  store<u32>(end, word);
  end += WORD;
}

/** Reserves `size` bytes, rounded up to whole words, and returns their position. */
export function take(size: usize): usize {
  const start = end;
  end = (end + size + WORD - 1) & ~(WORD - 1);
  return start;
}

/** Writes the object read last without the fields in `left_out`; the hex of the fields in `as_bytes` becomes bytes. */
export function putObject(fields: ObjectFields, as_bytes: u64, left_out: u64): void {
  let text_size: usize = 0;
  let told: u32 = 0;
  for (let field: i32 = 0; field < fields.count; field++) {
    if (!fields.isMet(field) || (left_out >> u64(field)) & 1) continue;
    text_size += fields.lengthOf(field);
    told++;
  }
  if (!hasRecordRoom(2 * WORD + 2 * WORD * usize(told) + text_size + BYTES_IN_STEPS)) return;
  putWord(told);
  const size_at = take(WORD);
  let entry = take(2 * WORD * usize(told));
  const start = end;
  let to = start;
  for (let field: i32 = 0; field < fields.count; field++) {
    if (!fields.isMet(field) || (left_out >> u64(field)) & 1) continue;
    const is_bytes = ((as_bytes >> u64(field)) & 1) !== 0 && fields.isText(field);
    const size = is_bytes ? putData(to, fields, field) : putText(to, fields, field);
    const kind: u32 = is_bytes ? ValueKind.Bytes : fields.kindOf(field);
    if (size > MOST_LENGTH) return fail(ParseFault.TooBig);
    store<u32>(entry, u32(to - start));
    store<u32>(entry, size | (u32(field) << FIELD_SHIFT) | (kind << KIND_SHIFT), 4);
    entry += 2 * WORD;
    to += size;
  }
  store<u32>(size_at, u32(to - start));
  take(to - start);
}

/** Returns the size. Copies in steps: for short texts that is faster than the copy instruction. */
function putText(to: usize, fields: ObjectFields, field: i32): u32 {
  const from = fields.at(field);
  const size = fields.lengthOf(field);
  for (let i: usize = 0; i < size; i += BYTES_IN_STEPS) store<u64>(to + i, load<u64>(from + i));
  return size;
}

function putData(to: usize, fields: ObjectFields, field: i32): u32 {
  const length = fields.lengthOf(field);
  if (!isHex(fields.at(field), length)) return 0;
  if (length & 1) fail(ParseFault.NotHex);
  const size = (length - 2) >> 1;
  decodeHex(fields.at(field) + 2, to, size);
  return size;
}
