/**
 * Bounded reader of outside JSON: files of operators and callers, responses of nodes and sites. One pass over the text,
 * without recursion, counts levels and values before the parser runs.
 */

interface JsonBounds {
  /** Characters of the text. */
  readonly length_max: number;
  /** Levels of nested arrays and objects. */
  readonly levels_max: number;
  /** Members and elements in total. */
  readonly values_max: number;
}

/** Files that an operator configures: lists, tables, settings. */
export const FILE_BOUNDS: JsonBounds = { length_max: 256 * 1024 * 1024, levels_max: 64, values_max: 20_000_000 };

/** One response of a site, or one document of a token or a contract. */
export const DOCUMENT_BOUNDS: JsonBounds = { length_max: 16 * 1024 * 1024, levels_max: 64, values_max: 1_000_000 };

/** Standard JSON of a compiler, including a contract's documentation and interface. */
export const SOURCE_BOUNDS: JsonBounds = { ...DOCUMENT_BOUNDS, length_max: 64 * 1024 * 1024, levels_max: 256 };

/** The text is not JSON, or exceeds its bounds. `message` is a clause that starts with "it is". */
export class JsonFault extends Error {}

/** Parses a JSON text. @throws JsonFault */
export const readJson = (text: string, bounds: JsonBounds): unknown => {
  const { length_max, levels_max, values_max } = bounds;
  if (text.length > length_max) throw new JsonFault(`it is longer than ${length_max} characters`);
  const excess = excessOf(text, bounds);
  if (excess === "levels") throw new JsonFault(`it is nested deeper than ${levels_max} levels`);
  if (excess === "values") throw new JsonFault(`it holds more than ${values_max} values`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonFault(`it is not JSON: ${error instanceof Error ? error.message : "unreadable"}`);
  }
};

/** Like `readJson`, but returns null instead of throwing. */
export const readJsonOrNull = (text: string, bounds: JsonBounds): unknown => {
  try {
    return readJson(text, bounds);
  } catch (error) {
    if (error instanceof JsonFault) return null;
    throw error;
  }
};

/**
 * Maximum nesting of a node's response. A call trace needs the most: 1,024 frames (the limit of EIP-150), two levels each, and
 * the envelope.
 */
const NODE_LEVELS_MAX = 4_096;

/**
 * True when JSON text is nested deeper than any honest response. A native search passes text with few opening brackets
 * (0.05 ms for a block of 650 KB, a tenth of the exact count).
 */
export const isTooDeep = (text: string, levels_max = NODE_LEVELS_MAX): boolean =>
  opensMore(text, levels_max) && excessOf(text, { levels_max, values_max: Number.POSITIVE_INFINITY }) !== null;

const opensMore = (text: string, count_max: number): boolean => {
  let count = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > count_max) return true;
    }
  }
  return false;
};

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
/** `[` and `{`, and `]` and `}`, differ in one bit. */
const BRACE_BIT = 32;
const OPENING = 123;
const CLOSING = 125;

/** The first bound that a text exceeds; null when it exceeds none. A comma precedes each value except the first of its container. */
const excessOf = (
  text: string,
  { levels_max, values_max }: Pick<JsonBounds, "levels_max" | "values_max">,
): "levels" | "values" | null => {
  let [levels, values] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      continue;
    }
    if (code === COMMA) values += 1;
    else if ((code | BRACE_BIT) === OPENING) {
      levels += 1;
      values += 1;
      if (levels > levels_max) return "levels";
    } else if ((code | BRACE_BIT) === CLOSING) levels -= 1;
    if (values > values_max) return "values";
  }
  return null;
};

/** Position of the quote that ends the string started at `start`; the end of the text when it is unterminated. */
const endOfText = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
};

/** An odd number of backslashes precedes it. */
const isEscaped = (text: string, at: number): boolean => {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - 1 - before) % 2 === 1;
};
