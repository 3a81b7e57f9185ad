/**
 * A block has megabytes of JSON and thousands of transactions, which would become a hundred thousand objects at once.
 * They are read from the text one by one (`scan/`). A transaction in an unusual form is parsed on demand, so that each
 * is garbage before the next, which keeps collection cheap.
 */
import { BadAnswer } from "../node/answer.ts";
import { parseLossless } from "../node/lossless_json.ts";
import { scanList } from "./scan/module.ts";
import { ScannedList } from "./scan/scanned_list.ts";

/** JSON text of one value, within the text of an answer. */
export class LazyJson {
  /** Result of the scan. */
  readonly scanned: ScannedList;
  /** Position in the list. */
  readonly at: number;

  constructor(scanned: ScannedList, at: number) {
    this.scanned = scanned;
    this.at = at;
  }

  /** @throws BadAnswer */
  parse(): unknown {
    const { from, to, has_long } = this.scanned.spanOf(this.at);
    const text = this.scanned.text.toString("utf8", from, to);
    if (has_long) return parseLossless(text);
    try {
      return JSON.parse(text);
    } catch {
      throw new BadAnswer("the answer is not JSON");
    }
  }
}

/** Only a key has unescaped quotes and a colon after it. */
const LIST = '"transactions":[';
/** Shorter answers are parsed at once. */
const LONG_BYTES = 65_536;

/**
 * Parses an answer; integers keep their digits, and the transactions of a long block become `LazyJson`. @throws
 * BadAnswer
 */
export const parseBlockAnswer = (bytes: Buffer): unknown => {
  const at = bytes.length < LONG_BYTES ? -1 : bytes.indexOf(LIST);
  const items = at < 0 ? null : itemsFrom(bytes, at + LIST.length);
  if (items === null) return parseLossless(bytes.toString("utf8"));
  const answer = parseLossless(bytes.toString("utf8", 0, at + LIST.length) + bytes.toString("utf8", items.end));
  const result: unknown = Object(answer).result;
  const list: unknown = Object(result).transactions;
  // A list of that name elsewhere is not the block's.
  if (!Array.isArray(list) || list.length > 0) return parseLossless(bytes.toString("utf8"));
  for (const item of items.list) list.push(item);
  return answer;
};

/**
 * The values of a list whose first one begins at `start`, and the position of its closing bracket; null if it does not
 * close.
 */
const itemsFrom = (
  bytes: Buffer,
  start: number,
): { readonly list: readonly LazyJson[]; readonly end: number } | null => {
  const scan = scanList(bytes, start);
  if (scan === null) return null;
  const scanned = new ScannedList(bytes, scan);
  const is_empty = scanned.length === 1 && bytes.toString("utf8", start, scan.end).trim() === "";
  const count = is_empty ? 0 : scanned.length;
  return { list: Array.from({ length: count }, (_, i) => new LazyJson(scanned, i)), end: scan.end };
};
