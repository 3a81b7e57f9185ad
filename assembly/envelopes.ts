/** The answers of one HTTP body: where the result of each call stands. */
import {
  Cursor,
  enter,
  Fault,
  fail,
  nextElement,
  nextName,
  OPEN_LIST,
  OPEN_OBJECT,
  skipSpace,
  skipValue,
} from "./cursor";
import { Fields } from "./fields";

export const MOST_ENVELOPES: u32 = 4096;
/** Of each answer: its id (8 bytes; all ones for one that is no integer), start and length of its result (0: none). */
export const ENVELOPES: usize = memory.data(65536);
const ENVELOPE_BYTES: usize = 16;
const NO_ID: u64 = u64.MAX_VALUE;
const MOST_ID_DIGITS: u32 = 16;

const envelope = new Fields("id result");
enum E {
  Id,
  Result,
}

let count: u32 = 0;

/** Reads a batch's list or the one answer. Returns how many there are. */
export function readEnvelopes(): u32 {
  count = 0;
  skipSpace();
  if (load<u8>(Cursor.at) !== OPEN_LIST) {
    readEnvelope();
    return count;
  }
  enter(OPEN_LIST);
  while (nextElement()) readEnvelope();
  return count;
}

function readEnvelope(): void {
  if (count === MOST_ENVELOPES) return fail(Fault.TooBig);
  const entry = ENVELOPES + ENVELOPE_BYTES * usize(count);
  store<u64>(entry, NO_ID);
  store<u64>(entry, 0, 8);
  envelope.begin();
  enter(OPEN_OBJECT);
  let name: usize;
  while ((name = nextName()) !== 0) readPart(envelope.find(name), entry);
  count++;
}

function readPart(field: i32, entry: usize): void {
  const start = Cursor.at;
  skipValue();
  if (field < 0) return;
  envelope.meet(field);
  if (field === E.Id) return store<u64>(entry, idOf(start, u32(Cursor.at - start)));
  store<u32>(entry, u32(start), 8);
  store<u32>(entry, u32(Cursor.at - start), 12);
}

function idOf(text: usize, length: u32): u64 {
  if (length === 0 || length > MOST_ID_DIGITS) return NO_ID;
  let id: u64 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const digit = u32(load<u8>(text + i)) - 0x30;
    if (digit > 9) return NO_ID;
    id = id * 10 + digit;
  }
  return id;
}
