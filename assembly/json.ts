/**
 * Checks that a text is JSON (RFC 8259) that `JSON.parse` accepts, no deeper than an honest answer, and holds one
 * answer or a list of answers. It passes the members of each answer to `./envelopes`.
 */
import { Cursor, fail, OPEN_LIST, OPEN_OBJECT, ParseFault, QUOTE } from "./cursor";
import { beginEnvelope, beginEnvelopes, beginMember, endMember } from "./envelopes";
import { nibble } from "./hex_digits";

/**
 * A call trace nests deepest: 1,024 frames (EIP-150 keeps the limit), two levels each, and the envelope. Same limit as
 * in `src/lib/json_bounds.ts`.
 */
const MOST_LEVELS: u32 = 4096;
/** For each open level, the character that closes it. */
const CLOSING: usize = memory.data(4096);
let levels: u32 = 0;
/** The level of an answer's members: 1, or 2 when the answers are in a list. */
let member_level: u32 = 0;

const BACKSLASH: u8 = 0x5c;
const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
const DOT: u8 = 0x2e;
const ZERO: u8 = 0x30;
const LOWER: u8 = 0x20;
const SMALL_E: u8 = 0x65;
const SMALL_U: u8 = 0x75;
const FIRST_PRINTABLE: u8 = 0x20;
/** Between an opening bracket and its closing one. */
const TO_CLOSING: u8 = 2;

/** `null`, `true`, and the last four bytes of `false`, as words. */
const NULL: u32 = 0x6c6c756e;
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;

/** Reads the answers and the blanks around them, up to the end of the text. */
export function checkAnswers(): void {
  levels = 0;
  beginEnvelopes();
  skipBlanks();
  member_level = now() === OPEN_LIST ? 2 : 1;
  do {
    skipBlanks();
    if (beginValue()) endValue();
  } while (levels > 0);
  skipBlanks();
  if (Cursor.at < Cursor.end) fail(ParseFault.NotJson);
}

/** Leaves no level open, so that reading ends before the end of the text. */
function refuse(fault: ParseFault): void {
  fail(fault);
  levels = 0;
}

function skipBlanks(): void {
  let at = Cursor.at;
  while (at < Cursor.end) {
    const char = load<u8>(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) break;
    at++;
  }
  Cursor.at = at;
}

/** The character at the cursor, or 0 at the end. JSON allows 0 nowhere. */
function now(): u8 {
  return Cursor.at < Cursor.end ? load<u8>(Cursor.at) : 0;
}

/**
 * Reads a word, a number or a text, or steps into a list or an object. Returns false if a value inside it comes next.
 */
function beginValue(): bool {
  const char = now();
  if (levels < member_level && char !== (levels + 1 < member_level ? OPEN_LIST : OPEN_OBJECT)) {
    refuse(char === 0 ? ParseFault.NotJson : ParseFault.WrongShape);
    return false;
  }
  if (char === OPEN_LIST || char === OPEN_OBJECT) return !open(char);
  if (char === QUOTE) checkText();
  else checkWord(char);
  return true;
}

/** Returns false if the list or object is empty; it is closed then. */
function open(char: u8): bool {
  if (levels === MOST_LEVELS) {
    refuse(ParseFault.TooDeep);
    return false;
  }
  Cursor.at++;
  skipBlanks();
  if (levels + 1 === member_level) beginEnvelope();
  if (now() === char + TO_CLOSING) {
    Cursor.at++;
    return false;
  }
  store<u8>(CLOSING + levels, char + TO_CLOSING);
  levels++;
  if (char === OPEN_OBJECT) checkName();
  return true;
}

/** After a value: closes the levels that end there and skips the comma before the next value. */
function endValue(): void {
  while (levels > 0) {
    if (levels === member_level) endMember();
    skipBlanks();
    const char = now();
    const closing = load<u8>(CLOSING + levels - 1);
    if (char === COMMA) {
      Cursor.at++;
      skipBlanks();
      if (closing === OPEN_OBJECT + TO_CLOSING) checkName();
      return;
    }
    if (char !== closing) return refuse(ParseFault.NotJson);
    Cursor.at++;
    levels--;
  }
}

/** A name and its colon. */
function checkName(): void {
  if (now() !== QUOTE) return refuse(ParseFault.NotJson);
  const name = Cursor.at + 1;
  checkText();
  const length = u32(Cursor.at - name) - 1;
  skipBlanks();
  if (now() !== COLON) return refuse(ParseFault.NotJson);
  Cursor.at++;
  if (levels !== member_level) return;
  skipBlanks();
  Cursor.length = length;
  beginMember(name);
  // A fault of a member also ends the reading.
  if (Cursor.fault !== ParseFault.None) levels = 0;
}

/** Skips everything except quotes, backslashes and characters that JSON text must escape, 16 bytes a step. */
function checkText(): void {
  const quotes = i8x16.splat(QUOTE);
  const backslashes = i8x16.splat(BACKSLASH);
  const printable = i8x16.splat(FIRST_PRINTABLE);
  let at = Cursor.at + 1;
  while (at < Cursor.end) {
    const chunk = v128.load(at);
    const ends = v128.or(i8x16.eq(chunk, quotes), i8x16.eq(chunk, backslashes));
    const hits = i8x16.bitmask(v128.or(ends, i8x16.lt_u(chunk, printable)));
    if (hits === 0) {
      at += 16;
      continue;
    }
    at += ctz(hits);
    if (at >= Cursor.end) break;
    const char = load<u8>(at);
    if (char === QUOTE) {
      Cursor.at = at + 1;
      return;
    }
    const size = char === BACKSLASH ? escapeSize(at + 1) : 0;
    if (size === 0) break;
    at += 1 + size;
  }
  refuse(ParseFault.NotJson);
}

/** Bytes of an escape without its backslash; 0 if it is invalid. Zeros follow the text. */
function escapeSize(at: usize): usize {
  const char = load<u8>(at);
  if (char === SMALL_U) {
    for (let i: usize = 1; i <= 4; i++) if (nibble(at + i) > 15) return 0;
    return 5;
  }
  // " \ / b f n r t
  const is_known =
    char === QUOTE || char === BACKSLASH || char === 0x2f || char === 0x62 || char === 0x66 || char === 0x6e;
  return is_known || char === 0x72 || char === 0x74 ? 1 : 0;
}

function checkWord(first: u8): void {
  const at = Cursor.at;
  if (first === MINUS || isDigit(first)) return checkNumber();
  const word = load<u32>(at);
  const size: usize = word === NULL || word === TRUE ? 4 : first === 0x66 && load<u32>(at, 1) === ALSE ? 5 : 0;
  if (size === 0 || at + size > Cursor.end) return refuse(ParseFault.NotJson);
  Cursor.at = at + size;
}

function isDigit(char: u8): bool {
  return char - ZERO < 10;
}

function checkNumber(): void {
  if (now() === MINUS) Cursor.at++;
  if (now() === ZERO) Cursor.at++;
  else if (!skipDigits()) return refuse(ParseFault.NotJson);
  if (now() === DOT) {
    Cursor.at++;
    if (!skipDigits()) return refuse(ParseFault.NotJson);
  }
  if ((now() | LOWER) !== SMALL_E) return;
  Cursor.at++;
  if (now() === PLUS || now() === MINUS) Cursor.at++;
  if (!skipDigits()) refuse(ParseFault.NotJson);
}

/** Returns false if there is no digit. */
function skipDigits(): bool {
  const start = Cursor.at;
  while (isDigit(now())) Cursor.at++;
  return Cursor.at > start;
}
