/**
 * Logs as records (./records): position in the block (two words), number of topics and size of data, then address,
 * topics and data as bytes. Each log begins at a whole word.
 */
import { Cursor, enter, fail, nextElement, OPEN_LIST, ParseFault, readText } from "./cursor";
import { ObjectFields } from "./fields";
import { decodeHex, isHex, quantity, readFixed } from "./hex";
import { hasRecordRoom, putWord, take } from "./records";

enum L {
  TransactionHash,
  BlockHash,
  BlockNumber,
  TransactionIndex,
  Address,
  Topics,
  Data,
  Index,
  Removed,
}
const log = new ObjectFields(
  "transactionHash blockHash blockNumber transactionIndex address topics data logIndex removed",
);

/** Fields of its receipt that each log repeats; the receipt's own list begins with the same fields. */
const REPEATED: i32 = 4;
const ADDRESS_BYTES: u32 = 20;
const TOPIC_BYTES: u32 = 32;
const MOST_TOPICS: u32 = 4;
/** Position, number of topics, size of data. */
const HEAD: usize = 16;
/** JavaScript's integers are exact below 2^53. */
const MOST_COUNT: u64 = 9_007_199_254_740_991;

const TOPICS: usize = memory.data(128);

/** For each repeated field, the value in the first log and whether all logs agree. */
class RepeatedFields {
  static places: StaticArray<usize> = new StaticArray<usize>(REPEATED);
  static lengths: StaticArray<u32> = new StaticArray<u32>(REPEATED);
  /** Fields that some log has, and fields in which two logs differ, as bits. */
  static said: u32 = 0;
  static differs: u32 = 0;
  static logs: u32 = 0;
}

/** Called before the logs of a receipt. */
export function beginLogs(): void {
  RepeatedFields.said = 0;
  RepeatedFields.differs = 0;
  RepeatedFields.logs = 0;
}

/** Reads the list at the cursor. Returns its number of logs. */
export function putLogs(): u32 {
  enter(OPEN_LIST);
  while (nextElement()) {
    log.readAll();
    if (Cursor.fault === ParseFault.None) putLog();
  }
  return RepeatedFields.logs;
}

/**
 * Called after the receipt. Sets a fault for a log of another transaction. Returns whether the logs repeat all other
 * fields of the receipt correctly.
 */
export function repeatAll(receipt: ObjectFields): bool {
  if (RepeatedFields.logs === 0) return true;
  for (let field: i32 = 0; field < REPEATED; field++) {
    if (!((RepeatedFields.said >> u32(field)) & 1)) continue;
    if (!isSame(receipt, field, unchecked(RepeatedFields.places[field]), unchecked(RepeatedFields.lengths[field])))
      RepeatedFields.differs |= 1 << field;
  }
  if (RepeatedFields.differs & (1 << L.TransactionHash)) fail(ParseFault.OtherTransaction);
  return RepeatedFields.differs === 0;
}

function isSame(fields: ObjectFields, field: i32, place: usize, length: u32): bool {
  if (!fields.isText(field) || fields.lengthOf(field) !== length) return false;
  return memory.compare(fields.at(field), place, length) === 0;
}

function putLog(): void {
  RepeatedFields.logs++;
  if (!log.isText(L.TransactionHash)) return fail(ParseFault.OtherTransaction);
  for (let field: i32 = 0; field < REPEATED; field++) if (log.isMet(field)) repeat(field);
  if (log.isTrue(L.Removed)) return fail(ParseFault.Removed);
  const index = log.isText(L.Index) ? quantity(log.at(L.Index), log.lengthOf(L.Index)) : MOST_COUNT + 1;
  if (index > MOST_COUNT) return fail(ParseFault.NoCount);
  putBytes(index);
}

function repeat(field: i32): void {
  const bit: u32 = 1 << field;
  if (!log.isText(field)) RepeatedFields.differs |= bit;
  else if (RepeatedFields.said & bit) {
    if (!isSame(log, field, unchecked(RepeatedFields.places[field]), unchecked(RepeatedFields.lengths[field])))
      RepeatedFields.differs |= bit;
  } else {
    RepeatedFields.said |= bit;
    unchecked((RepeatedFields.places[field] = log.at(field)));
    unchecked((RepeatedFields.lengths[field] = log.lengthOf(field)));
  }
}

function putBytes(index: u64): void {
  const length = log.lengthOf(L.Data);
  if (!log.isText(L.Data) || !isHex(log.at(L.Data), length) || length & 1) return fail(ParseFault.NotHex);
  const size = (length - 2) >> 1;
  const topics = readTopics();
  if (!hasRecordRoom(HEAD + ADDRESS_BYTES + MOST_TOPICS * TOPIC_BYTES + usize(size))) return;
  putWord(u32(index));
  putWord(u32(index >> 32));
  putWord(topics);
  putWord(size);
  const to = take(usize(ADDRESS_BYTES + topics * TOPIC_BYTES + size));
  if (!log.isText(L.Address) || !readFixed(log.at(L.Address), log.lengthOf(L.Address), to, ADDRESS_BYTES))
    fail(ParseFault.WrongLength);
  for (let i: usize = 0; i < topics * TOPIC_BYTES; i += 8) store<u64>(to + ADDRESS_BYTES + i, load<u64>(TOPICS + i));
  decodeHex(log.at(L.Data) + 2, to + ADDRESS_BYTES + topics * TOPIC_BYTES, size);
}

/** Decodes the topics to TOPICS and returns their number. The cursor returns to the end of the log. */
function readTopics(): u32 {
  const behind = Cursor.at;
  let count: u32 = 0;
  if (!log.isMet(L.Topics)) fail(ParseFault.Missing);
  else if (log.isText(L.Topics)) fail(ParseFault.WrongShape);
  Cursor.at = Cursor.fault === ParseFault.None ? log.at(L.Topics) : Cursor.end;
  enter(OPEN_LIST);
  while (nextElement()) {
    if (count === MOST_TOPICS) {
      fail(ParseFault.TooManyTopics);
      break;
    }
    const text = readText();
    if (!readFixed(text, Cursor.length, TOPICS + TOPIC_BYTES * usize(count), TOPIC_BYTES)) fail(ParseFault.WrongLength);
    count++;
  }
  Cursor.at = Cursor.fault === ParseFault.None ? behind : Cursor.end;
  return count;
}
