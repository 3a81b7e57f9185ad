/**
 * Reads JSON text value by value, without copies, for Solana and Tron. Rejects what is unusual (escapes, long numbers,
 * deep nesting) like invalid JSON: `JSON.parse` then decides. Zeros, which JSON allows nowhere, follow the text, so
 * that reading stops at its end.
 */

/** Position in the text, and position of the last text without its quotes. */
export class Text {
  static at: usize = 0;
  static from: usize = 0;
  static to: usize = 0;
}

export const QUOTE: u8 = 0x22;
export const COMMA: u8 = 0x2c;
export const OPEN_LIST: u8 = 0x5b;
export const CLOSE_LIST: u8 = 0x5d;
export const OPEN_FIELDS: u8 = 0x7b;
export const CLOSE_FIELDS: u8 = 0x7d;
export const BACKSLASH: u8 = 0x5c;
const COLON: u8 = 0x3a;
const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;
const SPACE: u8 = 0x20;
const SMALL_E: u8 = 0x65;
const SMALL_U: u8 = 0x75;

/** `null`, `true`, and the last four bytes of `false`, as words. */
const NULL: u32 = 0x6c6c756e;
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;

const MOST_LEVELS: i32 = 32;
/** Integers of this many digits are exact as JavaScript numbers. */
const MOST_DIGITS: usize = 15;

export function isDigit(char: u8): bool {
  return char - ZERO < 10;
}

/** The next character that is not blank. */
export function next(): u8 {
  let at = Text.at;
  let char = load<u8>(at);
  while (char === SPACE || char === 0x0a || char === 0x0d || char === 0x09) char = load<u8>(++at);
  Text.at = at;
  return char;
}

export function take(char: u8): bool {
  if (next() !== char) return false;
  Text.at++;
  return true;
}

export function isNull(): bool {
  next();
  if (load<u32>(Text.at) !== NULL) return false;
  Text.at += 4;
  return true;
}

/** The first quote, backslash or control character from an address on, 16 bytes a step. */
function stopIn(from: usize): usize {
  const quotes = i8x16.splat(QUOTE);
  const backslashes = i8x16.splat(BACKSLASH);
  const spaces = i8x16.splat(SPACE);
  let at = from;
  while (true) {
    const chunk = v128.load(at);
    const special = v128.or(i8x16.eq(chunk, quotes), i8x16.eq(chunk, backslashes));
    const hits = i8x16.bitmask(v128.or(special, i8x16.lt_u(chunk, spaces)));
    if (hits !== 0) return at + ctz(hits);
    at += 16;
  }
}

/** Reads a text without escapes. */
export function text(): bool {
  if (!take(QUOTE)) return false;
  Text.from = Text.at;
  Text.to = stopIn(Text.at);
  Text.at = Text.to + 1;
  return load<u8>(Text.to) === QUOTE;
}

/** Reads the name of a field, which becomes the last text. */
export function name(): bool {
  return text() && take(COLON);
}

/** Whether the last text is this word. */
export function isText(word: string): bool {
  const length = word.length;
  if (Text.to - Text.from !== usize(length)) return false;
  const chars = changetype<usize>(word);
  for (let i: usize = 0; i < usize(length); i++)
    if (load<u8>(Text.from + i) !== u8(load<u16>(chars + 2 * i))) return false;
  return true;
}

/** Names of an object met so far, as bits; no name may occur twice. */
export class SeenNames {
  private bits: u32 = 0;

  begin(): void {
    this.bits = 0;
  }

  isFirst(bit: u32): bool {
    if ((this.bits & bit) !== 0) return false;
    this.bits |= bit;
    return true;
  }

  hasAll(needed: u32): bool {
    return (this.bits & needed) === needed;
  }
}

/**
 * A non-negative integer; -1 for anything else and for one of too many digits. The caller checks the next character.
 */
export function integer(): i64 {
  next();
  const from = Text.at;
  let at = from;
  let value: i64 = 0;
  for (let char = load<u8>(at); isDigit(char); char = load<u8>(++at)) {
    if (at - from === MOST_DIGITS) return -1;
    value = value * 10 + i64(char - ZERO);
  }
  const digits = at - from;
  if (digits === 0 || (digits > 1 && load<u8>(from) === ZERO)) return -1;
  Text.at = at;
  return value;
}

/** Skips any value. */
export function skip(levels: i32 = MOST_LEVELS): bool {
  const char = next();
  if (char === QUOTE) return skipText();
  if (char === OPEN_LIST || char === OPEN_FIELDS) return levels > 0 && skipMany(char, levels - 1);
  if (isDigit(char) || char === MINUS) return skipNumber();
  const word = load<u32>(Text.at);
  if (word === NULL || word === TRUE) Text.at += 4;
  else if (char === 0x66 && load<u32>(Text.at, 1) === ALSE) Text.at += 5;
  else return false;
  return true;
}

function skipMany(open: u8, levels: i32): bool {
  const close: u8 = open + 2;
  Text.at++;
  if (take(close)) return true;
  do {
    if (open === OPEN_FIELDS && !(next() === QUOTE && skipText() && take(COLON))) return false;
    if (!skip(levels)) return false;
  } while (take(COMMA));
  return take(close);
}

/** Skips a text and checks its escapes. */
function skipText(): bool {
  let at = Text.at + 1;
  while (true) {
    at = stopIn(at);
    const char = load<u8>(at);
    if (char === QUOTE) {
      Text.at = at + 1;
      return true;
    }
    if (char !== BACKSLASH) return false;
    const length = escapeAt(at + 1);
    if (length === 0) return false;
    at += 1 + length;
  }
}

/** Number of characters after the backslash of an escape; 0 if the escape is invalid. */
function escapeAt(at: usize): usize {
  switch (load<u8>(at)) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // a slash
    case 0x62: // b, f, n, r, t
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return 1;
    case SMALL_U:
      for (let i: usize = 1; i <= 4; i++) if (!isHexDigit(load<u8>(at + i))) return 0;
      return 5;
    default:
      return 0;
  }
}

function isHexDigit(char: u8): bool {
  return isDigit(char) || (char | SPACE) - 0x61 < 6;
}

/** Skips a number of any length: digits, a fraction, an exponent. */
function skipNumber(): bool {
  if (load<u8>(Text.at) === MINUS) Text.at++;
  if (load<u8>(Text.at) === ZERO) Text.at++;
  else if (!skipDigits()) return false;
  if (load<u8>(Text.at) === POINT) {
    Text.at++;
    if (!skipDigits()) return false;
  }
  if ((load<u8>(Text.at) | SPACE) !== SMALL_E) return true;
  Text.at++;
  const sign = load<u8>(Text.at);
  if (sign === MINUS || sign === PLUS) Text.at++;
  return skipDigits();
}

function skipDigits(): bool {
  const from = Text.at;
  while (isDigit(load<u8>(Text.at))) Text.at++;
  return Text.at > from;
}
