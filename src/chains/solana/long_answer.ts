/**
 * Blocks have megabytes of JSON and thousands of transactions, which all together are a hundred thousand objects. They are parsed
 * one by one when they are read, so that each is garbage before the next: collecting them costs next to nothing then.
 */
import { BadAnswer } from "../node/answer.ts";
import { LONG_DIGITS, parseLossless } from "../node/lossless_json.ts";
import { endOfText, LEVELS_MAX } from "../node/nesting.ts";

/** JSON text of one value. */
export class LaterJson {
  readonly #text: string;
  readonly #has_long: boolean;

  constructor(text: string, has_long: boolean) {
    this.#text = text;
    this.#has_long = has_long;
  }

  /** @throws BadAnswer */
  parse(): unknown {
    if (this.#has_long) return parseLossless(this.#text);
    try {
      return JSON.parse(this.#text);
    } catch {
      throw new BadAnswer("the answer is no JSON");
    }
  }
}

/** Only a key has its quotes unescaped and a colon behind it. */
const LIST = '"transactions":[';
/** Shorter answers are parsed at once. */
const LONG_CHARS = 65_536;

/** An answer with integers that keep their digits; the transactions of a block that is long as `LaterJson`. @throws BadAnswer */
export const parseBlockAnswer = (text: string): unknown => {
  const at = text.length < LONG_CHARS ? -1 : text.indexOf(LIST);
  const items = at < 0 ? null : itemsFrom(text, at + LIST.length);
  if (items === null) return parseLossless(text);
  const answer = parseLossless(text.slice(0, at + LIST.length) + text.slice(items.end));
  const result: unknown = Object(answer).result;
  const list: unknown = Object(result).transactions;
  // A list of that name that stands elsewhere is not the block's.
  if (!Array.isArray(list) || list.length > 0) return parseLossless(text);
  for (const item of items.list) list.push(item);
  return answer;
};

const [QUOTE, COMMA, ZERO, NINE] = [34, 44, 48, 57];
const [OPEN_LIST, CLOSE_LIST, OPEN_FIELDS, CLOSE_FIELDS] = [91, 93, 123, 125];

/** The values of a list whose first one begins at `start`, and where its bracket closes; null where none does. */
const itemsFrom = (
  text: string,
  start: number,
): { readonly list: readonly LaterJson[]; readonly end: number } | null => {
  const list: LaterJson[] = [];
  let [from, levels, digits, has_long] = [start, 0, 0, false];
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      digits += 1;
      if (digits >= LONG_DIGITS) has_long = true;
      continue;
    }
    digits = 0;
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_FIELDS || code === OPEN_LIST) {
      levels += 1;
      if (levels > LEVELS_MAX) throw new BadAnswer("the answer is nested too deeply");
    } else if (levels === 0 && (code === CLOSE_LIST || code === COMMA)) {
      const is_empty = code === CLOSE_LIST && list.length === 0 && text.slice(from, at).trim() === "";
      if (!is_empty) list.push(new LaterJson(text.slice(from, at), has_long));
      if (code === CLOSE_LIST) return { list, end: at };
      [from, has_long] = [at + 1, false];
    } else if (code === CLOSE_FIELDS || code === CLOSE_LIST) levels -= 1;
  }
  return null;
};
