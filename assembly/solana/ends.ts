/** Finds the end of a list's value of any kind, for values in an unusual form, which TypeScript reads. */
import { BACKSLASH, CLOSE_FIELDS, CLOSE_LIST, COMMA, isDigit, OPEN_FIELDS, OPEN_LIST, QUOTE, Text } from "../text";

/** Same limit as in `src/lib/json_bounds.ts`. */
const MOST_LEVELS: i32 = 4096;
/** Numbers with this many digits may lose some (`src/chains/node/lossless_json.ts`). */
const LONG_DIGITS: usize = 16;

export enum ListEnd {
  Found,
  /** The text ends before the list does. */
  Nowhere,
  TooDeep,
}

/** The value contains an integer of many digits. */
export let has_long: bool = false;

/** Moves to the comma after a value, or to the bracket that closes its list. */
export function toEnd(end: usize): ListEnd {
  let levels: i32 = 0;
  has_long = false;
  for (let at = Text.at; at < end; at++) {
    const char = load<u8>(at);
    if (char === QUOTE) at = endOfText(at, end);
    else if (isDigit(char)) {
      const first = at;
      while (isDigit(load<u8>(at + 1))) at++;
      if (at - first + 1 >= LONG_DIGITS) has_long = true;
    } else if (char === OPEN_FIELDS || char === OPEN_LIST) {
      if (++levels > MOST_LEVELS) return ListEnd.TooDeep;
    } else if (levels === 0 && (char === COMMA || char === CLOSE_LIST)) {
      Text.at = at;
      return ListEnd.Found;
    } else if (char === CLOSE_FIELDS || char === CLOSE_LIST) levels--;
  }
  return ListEnd.Nowhere;
}

/** Position of the quote that ends the text begun at `start`, or `end` if none does. */
function endOfText(start: usize, end: usize): usize {
  const quotes = i8x16.splat(QUOTE);
  const backslashes = i8x16.splat(BACKSLASH);
  let at = start + 1;
  while (at < end) {
    const chunk = v128.load(at);
    const hits = i8x16.bitmask(v128.or(i8x16.eq(chunk, quotes), i8x16.eq(chunk, backslashes)));
    if (hits === 0) {
      at += 16;
      continue;
    }
    at += ctz(hits);
    if (at >= end) return end;
    if (load<u8>(at) === QUOTE) return at;
    at += 2; // the backslash and the character that it escapes
  }
  return end;
}
