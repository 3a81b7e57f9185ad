/** A cursor over the JSON text of a node's answer. It reads the text without making objects. */

/** Why the module rejected a text. `src/chains/evm/verify/module.ts` has the messages. */
export enum ParseFault {
  None,
  NotText,
  NotHex,
  TooBig,
  WrongShape,
  Missing,
  Twice,
  Escaped,
  WrongLength,
  NotJson,
  TooDeep,
  OtherTransaction,
  Removed,
  NoCount,
  TooManyTopics,
}

/** Position of the cursor, and the first fault. */
export class Cursor {
  static at: usize = 0;
  static end: usize = 0;
  static fault: ParseFault = ParseFault.None;
  /** Of the text that `readText` returned last: its length, and whether it contains a backslash. */
  static length: u32 = 0;
  static escaped: bool = false;
}

/** Every loop stops at the end of the text, so a fault moves the cursor there. */
export function fail(fault: ParseFault): void {
  if (Cursor.fault === ParseFault.None) Cursor.fault = fault;
  Cursor.at = Cursor.end;
}

/** Starts at `start` and covers `length` bytes. */
export function beginText(start: usize, length: u32): void {
  Cursor.at = start;
  Cursor.end = start + length;
  Cursor.fault = ParseFault.None;
}

export const QUOTE: u8 = 0x22;
export const OPEN_LIST: u8 = 0x5b;
export const OPEN_OBJECT: u8 = 0x7b;
const BACKSLASH: u8 = 0x5c;
const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const CLOSE_LIST: u8 = 0x5d;
const CLOSE_OBJECT: u8 = 0x7d;
const SPACE: u8 = 0x20;

export function skipSpace(): void {
  let at = Cursor.at;
  while (load<u8>(at) <= SPACE && at < Cursor.end) at++;
  Cursor.at = at;
}

/** Steps into a list or an object. */
export function enter(open: u8): void {
  skipSpace();
  if (Cursor.at >= Cursor.end || load<u8>(Cursor.at) !== open) return fail(ParseFault.WrongShape);
  Cursor.at++;
}

/** Moves to the next element of a list. At the end of the list, moves past it and returns false. */
export function nextElement(): bool {
  return stepTo(CLOSE_LIST);
}

/**
 * Returns the next name of an object (its length in `Cursor.length`) and moves to its value. At the end of the object,
 * moves past it and returns 0. The cursor rejects names with escapes: `JSON.parse` would read a different name.
 */
export function nextName(): usize {
  if (!stepTo(CLOSE_OBJECT)) return 0;
  const name = readText();
  if (Cursor.escaped) fail(ParseFault.Escaped);
  const length = Cursor.length;
  skipSpace();
  if (Cursor.at >= Cursor.end || load<u8>(Cursor.at) !== COLON) {
    fail(ParseFault.WrongShape);
    return 0;
  }
  Cursor.at++;
  skipSpace();
  Cursor.length = length;
  return name;
}

/** Skips blanks and one comma. `JSON.parse` rejects anything else that is wrong here. */
function stepTo(close: u8): bool {
  skipSpace();
  if (Cursor.at < Cursor.end && load<u8>(Cursor.at) === COMMA) {
    Cursor.at++;
    skipSpace();
  }
  if (Cursor.at >= Cursor.end) {
    fail(ParseFault.WrongShape);
    return false;
  }
  if (load<u8>(Cursor.at) !== close) return true;
  Cursor.at++;
  return false;
}

/** Skips the value at the cursor, of any kind. */
export function skipValue(): void {
  const first = load<u8>(Cursor.at);
  if (first === QUOTE) readText();
  else if (first === OPEN_LIST || first === OPEN_OBJECT) skipNested();
  else skipWord();
}

function skipNested(): void {
  let depth: u32 = 0;
  while (Cursor.at < Cursor.end) {
    const char = load<u8>(Cursor.at);
    if (char === QUOTE) {
      readText();
      continue;
    }
    Cursor.at++;
    if (char === OPEN_LIST || char === OPEN_OBJECT) depth++;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) {
      depth--;
      if (depth === 0) return;
    }
  }
  fail(ParseFault.WrongShape);
}

/** A number, true, false or null: everything up to a character that may follow a value. */
function skipWord(): void {
  const start = Cursor.at;
  let at = start;
  while (at < Cursor.end) {
    const char = load<u8>(at);
    if (char === COMMA || char === CLOSE_LIST || char === CLOSE_OBJECT || char <= SPACE) break;
    at++;
  }
  if (at === start) return fail(ParseFault.WrongShape);
  Cursor.length = u32(at - start);
  Cursor.at = at;
}

/** The cursor is on an opening quote. Returns where the content starts and moves past the closing quote. */
export function readText(): usize {
  const start = Cursor.at + 1;
  Cursor.length = 0;
  Cursor.escaped = false;
  if (Cursor.at >= Cursor.end || load<u8>(Cursor.at) !== QUOTE) {
    fail(ParseFault.NotText);
    return start;
  }
  const close = closingQuote(start);
  if (close >= Cursor.end) {
    fail(ParseFault.NotText);
    return start;
  }
  Cursor.length = u32(close - start);
  Cursor.at = close + 1;
  return start;
}

/** Reads 16 bytes a step. Returns the end of the text if no quote closes it. */
function closingQuote(from: usize): usize {
  const end = Cursor.end;
  const quotes = i8x16.splat(QUOTE);
  const backslashes = i8x16.splat(BACKSLASH);
  let at = from;
  while (at < end) {
    const chunk = v128.load(at);
    const hits = i8x16.bitmask(v128.or(i8x16.eq(chunk, quotes), i8x16.eq(chunk, backslashes)));
    if (hits === 0) {
      at += 16;
      continue;
    }
    at += ctz(hits);
    if (load<u8>(at) === QUOTE) return at;
    Cursor.escaped = true;
    at += 2; // the backslash and the character that it escapes
  }
  return end;
}
