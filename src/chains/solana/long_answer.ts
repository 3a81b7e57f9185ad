/**
 * Blocks have megabytes of JSON and thousands of transactions, which all together are a hundred thousand objects. They are parsed
 * one by one when they are read, so that each is garbage before the next: collecting them costs next to nothing then.
 */
import { BadAnswer } from "../node/answer.ts";
import { LONG_DIGITS, parseLossless } from "../node/lossless_json.ts";
import { LEVELS_MAX } from "../node/nesting.ts";
import { CLOSE_FIELDS, CLOSE_LIST, COMMA, OPEN_FIELDS, OPEN_LIST } from "./json_walk.ts";

/** JSON text of one value, within the text of an answer. */
export class LaterJson {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly #has_long: boolean;

  constructor(bytes: Buffer, span: { readonly from: number; readonly to: number; readonly has_long: boolean }) {
    this.bytes = bytes;
    this.from = span.from;
    this.to = span.to;
    this.#has_long = span.has_long;
  }

  /** @throws BadAnswer */
  parse(): unknown {
    const text = this.bytes.toString("utf8", this.from, this.to);
    if (this.#has_long) return parseLossless(text);
    try {
      return JSON.parse(text);
    } catch {
      throw new BadAnswer("the answer is no JSON");
    }
  }
}

/** Only a key has its quotes unescaped and a colon behind it. */
const LIST = '"transactions":[';
/** Shorter answers are parsed at once. */
const LONG_BYTES = 65_536;

/** An answer with integers that keep their digits; the transactions of a block that is long as `LaterJson`. @throws BadAnswer */
export const parseBlockAnswer = (bytes: Buffer): unknown => {
  const at = bytes.length < LONG_BYTES ? -1 : bytes.indexOf(LIST);
  const items = at < 0 ? null : itemsFrom(bytes, at + LIST.length);
  if (items === null) return parseLossless(bytes.toString("utf8"));
  const answer = parseLossless(bytes.toString("utf8", 0, at + LIST.length) + bytes.toString("utf8", items.end));
  const result: unknown = Object(answer).result;
  const list: unknown = Object(result).transactions;
  // A list of that name that stands elsewhere is not the block's.
  if (!Array.isArray(list) || list.length > 0) return parseLossless(bytes.toString("utf8"));
  for (const item of items.list) list.push(item);
  return answer;
};

const [QUOTE, ZERO, NINE, BACKSLASH] = [34, 48, 57, 92];

/** Position of the quote that ends the text begun at `start`; the end of all when none does. */
const endOfText = (bytes: Buffer, start: number): number => {
  // Names end soon; what does not is searched for natively.
  const near = Math.min(bytes.length, start + NEAR_BYTES);
  for (let at = start + 1; at < near; at += 1) {
    const code = bytes[at];
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end === -1 ? bytes.length : end;
};

const NEAR_BYTES = 32;

/** An odd run of backslashes stands before it. */
const isEscaped = (bytes: Buffer, at: number): boolean => {
  let before = at - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (at - 1 - before) % 2 === 1;
};

/** What a byte outside of texts is; what is none of these does not matter. */
const KINDS = new Uint8Array(256);
const [DIGIT, TEXT, OPENING, CLOSING, BETWEEN] = [1, 2, 3, 4, 5];
KINDS.fill(DIGIT, ZERO, NINE + 1);
KINDS[QUOTE] = TEXT;
KINDS[COMMA] = BETWEEN;
for (const code of [OPEN_FIELDS, OPEN_LIST]) KINDS[code] = OPENING;
for (const code of [CLOSE_FIELDS, CLOSE_LIST]) KINDS[code] = CLOSING;

/** The values of a list whose first one begins at `start`, and where its bracket closes; null where none does. */
const itemsFrom = (
  bytes: Buffer,
  start: number,
): { readonly list: readonly LaterJson[]; readonly end: number } | null => {
  const list: LaterJson[] = [];
  let [from, levels, has_long] = [start, 0, false];
  for (let at = start; at < bytes.length; at += 1) {
    const kind = KINDS[bytes[at] ?? 0];
    if (kind === TEXT) at = endOfText(bytes, at);
    else if (kind === DIGIT) {
      const first = at;
      while (KINDS[bytes[at + 1] ?? 0] === DIGIT) at += 1;
      if (at - first + 1 >= LONG_DIGITS) has_long = true;
    } else if (kind === OPENING) {
      levels += 1;
      if (levels > LEVELS_MAX) throw new BadAnswer("the answer is nested too deeply");
    } else if (levels === 0 && (kind === BETWEEN || bytes[at] === CLOSE_LIST)) {
      const is_empty = kind === CLOSING && list.length === 0 && bytes.toString("utf8", from, at).trim() === "";
      if (!is_empty) list.push(new LaterJson(bytes, { from, to: at, has_long }));
      if (kind === CLOSING) return { list, end: at };
      [from, has_long] = [at + 1, false];
    } else if (kind === CLOSING) levels -= 1;
  }
  return null;
};
