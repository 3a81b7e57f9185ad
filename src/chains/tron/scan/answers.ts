/**
 * Answers with blocks and with infos, read from their text (docs/design/verification.md). Items in an unusual form are
 * parsed: one transaction or one info, or the whole answer if that is unusual.
 */
import { fieldsOf, listOf } from "../../node/answer.ts";
import { parseLossless } from "../../node/lossless_json.ts";
import { scanBlocks, scanInfos } from "./module.ts";
import { InfoRecord, TransactionRecord, TronRecords } from "./record.ts";

const BLOCK_WORDS = 4;
/** No list begins at 0. */
const NO_LIST = 0;

/** Equals `parseLossless` of the text, except that scanned transactions are `TransactionRecord`s. @throws BadAnswer */
export const parseBlocks = (text: Buffer): unknown => {
  const scan = scanBlocks(text);
  if (scan === null) return parseLossless(text.toString("utf8"));
  const { blocks } = scan;
  const lists = Array.from({ length: blocks.length / BLOCK_WORDS }, (_, i) => listAt(blocks, i));
  const answer = parseLossless(withoutLists(text, lists));
  const records = new TronRecords(scan, text);
  const told = listOf(fieldsOf(answer, "blocks").block, "blocks");
  for (const [i, { from, first, after }] of lists.entries()) {
    if (from === NO_LIST) continue;
    const list = fieldsOf(told[i], "block").transactions;
    // It was empty in the text that was parsed.
    if (!Array.isArray(list)) throw new TypeError("a scanned list is not a list");
    for (let item = first; item < after; item += 1) list.push(transactionAt(records, item));
  }
  return answer;
};

/** Equals `parseLossless` of the text, except that scanned infos are `InfoRecord`s. @throws BadAnswer */
export const parseInfos = (text: Buffer): unknown => {
  const scan = scanInfos(text);
  if (scan === null) return parseLossless(text.toString("utf8"));
  const records = new TronRecords(scan, text);
  return Array.from({ length: records.count }, (_, item) => infoAt(records, item));
};

interface ScannedListRange {
  /** Positions of its opening bracket, and of the byte after its closing one. */
  readonly from: number;
  readonly to: number;
  /** Numbers of its first item, and of the one after its last. */
  readonly first: number;
  readonly after: number;
}

const listAt = (blocks: Uint32Array, block: number): ScannedListRange => {
  const [from = NO_LIST, to = 0, first = 0, after = 0] = blocks.subarray(
    block * BLOCK_WORDS,
    (block + 1) * BLOCK_WORDS,
  );
  return { from, to, first, after };
};

/** The text with all lists of transactions empty. */
const withoutLists = (text: Buffer, lists: readonly ScannedListRange[]): string => {
  let rest = "";
  let at = 0;
  for (const { from, to } of lists) {
    if (from === NO_LIST) continue;
    rest += `${text.toString("utf8", at, from)}[]`;
    at = to;
  }
  return rest + text.toString("utf8", at);
};

const transactionAt = (records: TronRecords, item: number): unknown => {
  const at = records.at(item);
  return records.isRead(at) ? new TransactionRecord(records, at) : records.parse(at);
};

const infoAt = (records: TronRecords, item: number): unknown => {
  const at = records.at(item);
  return records.isRead(at) ? new InfoRecord(records, at) : records.parse(at);
};
