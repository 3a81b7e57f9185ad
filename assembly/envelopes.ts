/** The answers in one HTTP body: position of the result or the error of each call. `./json` reports the members. */
import { Cursor, fail, ParseFault } from "./cursor";
import { ObjectFields } from "./fields";

export const MOST_ENVELOPES: u32 = 4096;
/** For each answer: its id (8 bytes), then start and length of its result and of its error (0: none). */
export const ENVELOPES: usize = memory.data(98304);
const ENVELOPE_BYTES: usize = 24;
/** An id that is null, absent or no small integer. Same value as in `src/chains/evm/scan/answers.ts`. */
const NO_ID: u64 = u64.MAX_VALUE;
const NULL_ID: u64 = u64.MAX_VALUE - 1;
const MOST_ID_DIGITS: u32 = 15;
/** `null` as its four bytes load as one word. */
const NULL: u32 = 0x6c6c756e;

const envelope = new ObjectFields("id result error");
enum E {
  Id,
  Result,
  Error,
}

let count: u32 = 0;
let entry: usize = 0;
/** The member being read, and where its value begins. */
let field: i32 = -1;
let start: usize = 0;

export function beginEnvelopes(): void {
  count = 0;
}

export function countEnvelopes(): u32 {
  return count;
}

export function beginEnvelope(): void {
  if (count === MOST_ENVELOPES) return fail(ParseFault.TooBig);
  entry = ENVELOPES + ENVELOPE_BYTES * usize(count);
  store<u64>(entry, NULL_ID);
  store<u64>(entry, 0, 8);
  store<u64>(entry, 0, 16);
  envelope.begin();
  count++;
}

/** Called with the name of a member (its length in `Cursor.length`), before the cursor reads its value. */
export function beginMember(name: usize): void {
  field = envelope.find(name);
  if (field >= 0) envelope.meet(field);
  start = Cursor.at;
}

/** Called when the cursor is past the value. */
export function endMember(): void {
  if (field < 0) return;
  const length = u32(Cursor.at - start);
  if (field === E.Id) return store<u64>(entry, idOf(start, length));
  const place = entry + (field === E.Result ? 8 : 16);
  store<u32>(place, u32(start));
  store<u32>(place, length, 4);
}

function idOf(text: usize, length: u32): u64 {
  if (length === 4 && load<u32>(text) === NULL) return NULL_ID;
  if (length > MOST_ID_DIGITS) return NO_ID;
  let id: u64 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const digit = u32(load<u8>(text + i)) - 0x30;
    if (digit > 9) return NO_ID;
    id = id * 10 + digit;
  }
  return id;
}
