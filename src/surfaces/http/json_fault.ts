/**
 * Says where and why a text is not acceptable JSON, in the words of Python's `json` module (CPython 3.12 `_json.c`).
 * V8's own messages carry no position and quote the body, so this runs after `JSON.parse` refused a text, or after it
 * let something through that the contract refuses: numbers that overflow, lone surrogates, deep nesting.
 */

/** Deepest nesting of arrays and objects that a body may have; the body's own object counts as one. */
export const DEPTH_MAX = 32;

export type JsonFault =
  /** `offset` in UTF-16 units of the text. */
  | { readonly kind: "syntax"; readonly offset: number; readonly error: string }
  /** Too deep, or an integer that no double can hold: not a matter of syntax. */
  | { readonly kind: "excess" };

class JsonError extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super("not acceptable JSON");
    this.fault = fault;
  }
}

const stop = (offset: number, error: string): never => {
  throw new JsonError({ kind: "syntax", offset, error });
};

/** The first fault of `text` in reading order; null for acceptable JSON. */
export const findJsonFault = (text: string): JsonFault | null => {
  try {
    const end = skipSpace(text, readValue(text, skipSpace(text, 0), 1));
    if (end < text.length) stop(end, "Extra data");
    return null;
  } catch (error) {
    if (error instanceof JsonError) return error.fault;
    throw error;
  }
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at += 1;
  return at;
};

/** @returns the offset after the value. `depth` is the nesting a container here would have. */
const readValue = (text: string, at: number, depth: number): number => {
  switch (text[at]) {
    case '"':
      return readString(text, at);
    case "{":
      return readObject(text, at, depth);
    case "[":
      return readArray(text, at, depth);
    default:
      for (const word of ["null", "true", "false"]) if (text.startsWith(word, at)) return at + word.length;
      return readNumber(text, at);
  }
};

const enter = (depth: number): void => {
  if (depth > DEPTH_MAX) throw new JsonError({ kind: "excess" });
};

const readObject = (text: string, start: number, depth: number): number => {
  enter(depth);
  let at = skipSpace(text, start + 1);
  if (text[at] === "}") return at + 1;
  for (;;) {
    if (text[at] !== '"') stop(at, "Expecting property name enclosed in double quotes");
    at = skipSpace(text, readString(text, at));
    if (text[at] !== ":") stop(at, "Expecting ':' delimiter");
    at = skipSpace(text, readValue(text, skipSpace(text, at + 1), depth + 1));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") stop(at, "Expecting ',' delimiter");
    at = skipSpace(text, at + 1);
  }
};

const readArray = (text: string, start: number, depth: number): number => {
  enter(depth);
  let at = skipSpace(text, start + 1);
  if (text[at] === "]") return at + 1;
  for (;;) {
    at = skipSpace(text, readValue(text, at, depth + 1));
    if (text[at] === "]") return at + 1;
    if (text[at] !== ",") stop(at, "Expecting ',' delimiter");
    at = skipSpace(text, at + 1);
  }
};

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;

const readNumber = (text: string, at: number): number => {
  NUMBER.lastIndex = at;
  const match = NUMBER.exec(text);
  if (match === null) return stop(at, "Expecting value");
  if (!Number.isFinite(Number(match[0]))) {
    if (match[1] === undefined && match[2] === undefined) throw new JsonError({ kind: "excess" });
    stop(at, "Number out of range");
  }
  return at + match[0].length;
};

const readString = (text: string, start: number): number => {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) return stop(start, "Unterminated string starting at");
    if (code === 0x22) return at + 1;
    if (code < 0x20) stop(at, "Invalid control character at");
    at = code === 0x5c ? readEscape(text, at, start) : at + 1;
  }
};

const readEscape = (text: string, at: number, start: number): number => {
  const letter = text[at + 1];
  if (letter === undefined) return stop(start, "Unterminated string starting at");
  if (letter !== "u") return '"\\/bfnrt'.includes(letter) ? at + 2 : stop(at, "Invalid \\escape");
  const unit = readUnit(text, at);
  if (unit >= 0xdc00 && unit <= 0xdfff) stop(at + 1, "Lone surrogate in \\uXXXX escape");
  if (unit < 0xd800 || unit > 0xdbff) return at + 6;
  if (text[at + 6] !== "\\" || text[at + 7] !== "u") stop(at + 1, "Lone surrogate in \\uXXXX escape");
  const low = readUnit(text, at + 6);
  if (low < 0xdc00 || low > 0xdfff) stop(at + 1, "Lone surrogate in \\uXXXX escape");
  return at + 12;
};

/** The code unit of a `\uXXXX` escape. At least one character must follow it, as in CPython. */
const readUnit = (text: string, at: number): number => {
  const digits = text.slice(at + 2, at + 6);
  if (!/^[0-9a-fA-F]{4}$/.test(digits) || at + 6 >= text.length) stop(at + 1, "Invalid \\uXXXX escape");
  return Number.parseInt(digits, 16);
};
