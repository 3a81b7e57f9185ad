/**
 * Lists of transactions or of infos. Each item gets a record. For an item in an unusual form, the record has only its
 * position in the text; the text must still be JSON.
 */
import { giveBack, records, takeRoom } from "../room";
import { CLOSE_LIST, COMMA, next, OPEN_LIST, skip, Text, take } from "../text";
import { INFO_BYTES, readInfo } from "./info";
import { INPUT, ITEMS, MOST_ITEMS } from "./memory";
import { readTransaction, TRANSACTION_BYTES } from "./transaction";

/** A record begins with start and end of its item in the text, and whether it was read. */
const IS_READ: usize = 8;

export let item_count: u32 = 0;

export function beginItems(): void {
  item_count = 0;
}

/** Returns false if the value is not a list, or has too many items. */
export function readItems(are_infos: bool): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do if (item_count === MOST_ITEMS || !readItem(are_infos)) return false;
  while (take(COMMA));
  return take(CLOSE_LIST);
}

function readItem(is_info: bool): bool {
  const head = is_info ? INFO_BYTES : TRANSACTION_BYTES;
  const record = takeRoom(head);
  if (record === 0) return false;
  next();
  const from = Text.at;
  const is_read = is_info ? readInfo(record) : readTransaction(record);
  if (!is_read) {
    giveBack(record + head);
    Text.at = from;
    if (!skip()) return false;
  }
  store<u32>(record, u32(from - INPUT));
  store<u32>(record, u32(Text.at - INPUT), 4);
  store<u32>(record, u32(is_read), IS_READ);
  store<u32>(ITEMS + 4 * usize(item_count++), u32(record - records));
  return true;
}
