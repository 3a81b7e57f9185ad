/**
 * An answer with blocks: finds the list of transactions of each block. The rest of a block is small, and TypeScript
 * reads it.
 */
import { CLOSE_FIELDS, CLOSE_LIST, COMMA, isText, name, next, OPEN_FIELDS, OPEN_LIST, skip, Text, take } from "../text";
import { item_count, readItems } from "./items";
import { BLOCK_BYTES, BLOCKS, INPUT, MOST_BLOCKS } from "./memory";

/** No list begins at 0. */
const NO_LIST: u32 = 0;

export let block_count: u32 = 0;

export function beginBlocks(): void {
  block_count = 0;
}

/** `{"block": […]}`, with that name once. */
export function readBlocks(): bool {
  let has_list = false;
  if (!take(OPEN_FIELDS)) return false;
  do {
    if (!name()) return false;
    if (isText("block")) {
      if (has_list || !readList()) return false;
      has_list = true;
    } else if (!skip()) return false;
  } while (take(COMMA));
  return take(CLOSE_FIELDS) && has_list;
}

function readList(): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do if (block_count === MOST_BLOCKS || !readBlock(BLOCKS + BLOCK_BYTES * usize(block_count++))) return false;
  while (take(COMMA));
  return take(CLOSE_LIST);
}

/** An object with at most one list of transactions. */
function readBlock(to: usize): bool {
  store<u32>(to, NO_LIST);
  if (!take(OPEN_FIELDS)) return false;
  do {
    if (!name()) return false;
    if (isText("transactions")) {
      if (load<u32>(to) !== NO_LIST || !readTransactions(to)) return false;
    } else if (!skip()) return false;
  } while (take(COMMA));
  return take(CLOSE_FIELDS);
}

function readTransactions(to: usize): bool {
  next();
  store<u32>(to, u32(Text.at - INPUT));
  store<u32>(to, item_count, 8);
  if (!readItems(false)) return false;
  store<u32>(to, u32(Text.at - INPUT), 4);
  store<u32>(to, item_count, 12);
  return true;
}
