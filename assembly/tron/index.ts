/**
 * Transactions of Tron and their infos, from the text of a node's answers to what somebody reads. Called by
 * `src/chains/tron/scan/module.ts`; `npm run gen` compiles it.
 */
import { beginRecords, end, records } from "../room";
import { next, Text } from "../text";
import { beginBlocks, block_count, readBlocks } from "./blocks";
import { beginItems, item_count, readItems } from "./items";
import { BLOCKS, INPUT, ITEMS } from "./memory";

/** Where a text of this length goes; 0 when it is too long. */
export function reserve(length: u32): usize {
  return beginRecords(INPUT, length) ? INPUT : 0;
}

/** Reads the text of blocks, as `/wallet/getblockbylimitnext` tells them. False when others have to read all of it. */
export function scanBlocks(length: u32): bool {
  begin();
  return readBlocks() && isAtEnd(length);
}

/** Reads the text of a list of infos, as `/wallet/gettransactioninfobyblocknum` tells them. False as above. */
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

/** Four words of each block: where its list begins in the text (0: it has none) and ends, its first item, and the one behind its last. */
export function blocksAt(): usize {
  return BLOCKS;
}

export function countBlocks(): u32 {
  return block_count;
}

/** One word of each item: where its record begins, counted from `recordsAt`. */
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
