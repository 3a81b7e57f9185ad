/**
 * Scans Tron transactions and their infos, straight from the text of a node's answers. `src/chains/tron/scan/module.ts`
 * calls it; `npm run gen` compiles it.
 */
import { beginRecords, end, records } from "../room";
import { next, Text } from "../text";
import { beginBlocks, block_count, readBlocks } from "./blocks";
import { beginItems, item_count, readItems } from "./items";
import { BLOCKS, INPUT, ITEMS } from "./memory";

/** Address for a text of this length, or 0 if it is too long. */
export function reserve(length: u32): usize {
  return beginRecords(INPUT, length) ? INPUT : 0;
}

/** Reads an answer of `/wallet/getblockbylimitnext`. Returns false if TypeScript has to read all of it. */
export function scanBlocks(length: u32): bool {
  begin();
  return readBlocks() && isAtEnd(length);
}

/** Reads an answer of `/wallet/gettransactioninfobyblocknum`. Returns false as above. */
export function scanInfos(length: u32): bool {
  begin();
  return readItems(true) && isAtEnd(length);
}

function begin(): void {
  beginBlocks();
  beginItems();
  Text.at = INPUT;
}

function isAtEnd(length: u32): bool {
  next();
  return Text.at === INPUT + usize(length);
}

/**
 * Four words for each block: start (0: no list) and end of its list in the text, its first item, and the one after its
 * last.
 */
export function blocksAt(): usize {
  return BLOCKS;
}

export function countBlocks(): u32 {
  return block_count;
}

/** One word for each item: position of its record, counted from `recordsAt`. */
export function itemsAt(): usize {
  return ITEMS;
}

export function countItems(): u32 {
  return item_count;
}

export function recordsAt(): usize {
  return records;
}

export function recordsEnd(): usize {
  return end;
}
