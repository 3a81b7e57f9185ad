/** Receipts: status or state root, cumulative gas, log filter and logs, and the root of their list. */
import { addToBloom, BLOOM_BYTES } from "./bloom";
import { Cursor, enter, fail, nextElement, nextName, OPEN_LIST, OPEN_OBJECT, ParseFault } from "./cursor";
import { ObjectFields } from "./fields";
import { quantity } from "./hex";
import { hasRoom } from "./memory";
import {
  BYTES,
  closeList,
  headerBefore,
  LIST,
  openList,
  putAddress,
  putData,
  putFixed,
  putHash,
  putHashText,
  putHeader,
  putNumber,
} from "./rlp";
import { FamilyFlag } from "./transaction_kinds";
import { beginItems, beginValues, endItem, rootOfItems, valueStart } from "./trie";

enum R {
  Status,
  Root,
  CumulativeGas,
  Bloom,
  Type,
  Logs,
  DepositNonce,
  DepositVersion,
  BaseFee,
}
const receipt = new ObjectFields(
  "status root cumulativeGasUsed logsBloom type logs depositNonce depositReceiptVersion baseFee",
);
const DEPOSIT: u64 = 0x7e;
const CELO_DYNAMIC: u64 = 0x7b;

/** Most bytes before a receipt's logs: status or state root (33), gas (33), filter (259), headers (11). */
const BEFORE_LOGS: usize = 384;
/** Most bytes after them. */
const AFTER_LOGS: usize = 64;
const MOST_TOPICS: u32 = 4;

/** The computed filter of a receipt that comes without one. */
const OWN_BLOOM: usize = memory.data(256);
/** Status or state root, gas and filter, before they move in front of the logs. */
const PREFIX: usize = memory.data(512);

let families: u32 = 0;
/** Receipts that the root covers, and how many more the text may have. */
let covered: u32 = 0;
let outside: u32 = 0;
let listed: u32 = 0;
let logsStart: usize = 0;
let logsEnd: usize = 0;
let logs_listed: bool = false;

/** Begins the receipts of a block of `count` transactions, `uncovered` of which its roots do not cover. */
export function beginReceipts(count: u32, uncovered: u32, family_bits: u32): void {
  beginValues();
  beginItems();
  families = family_bits;
  covered = count - uncovered;
  outside = uncovered;
  listed = 0;
}

export function endReceipts(to: usize): void {
  if (listed !== covered + outside) fail(ParseFault.Missing);
  if (Cursor.fault === ParseFault.None) rootOfItems(to);
}

export function readReceipts(): void {
  enter(OPEN_LIST);
  while (nextElement()) readReceipt();
}

/** Reads the receipt at the cursor. */
export function readReceipt(): void {
  if (listed >= covered) {
    listed++;
    return skipOne();
  }
  receipt.begin();
  logs_listed = false;
  logsStart = valueStart() + BEFORE_LOGS;
  logsEnd = logsStart;
  if (!hasRoom(logsStart, AFTER_LOGS)) return;
  memory.fill(OWN_BLOOM, 0, BLOOM_BYTES);
  enter(OPEN_OBJECT);
  let name: usize;
  while ((name = nextName()) !== 0) {
    const field = receipt.find(name);
    if (field !== R.Logs) {
      receipt.keep(field);
      continue;
    }
    receipt.meet(field);
    readLogs();
  }
  listed++;
  if (!logs_listed) fail(ParseFault.Missing);
  if (Cursor.fault === ParseFault.None) putReceipt();
}

function skipOne(): void {
  receipt.read();
}

function putReceipt(): void {
  const type = receipt.has(R.Type) ? quantity(receipt.at(R.Type), receipt.lengthOf(R.Type)) : 0;
  const end = putLater(logsEnd, type);
  let start = headerBefore(logsStart, LIST, u32(logsEnd - logsStart));
  const prefix = putPrefix();
  start -= prefix - PREFIX;
  memory.copy(start, PREFIX, prefix - PREFIX);
  start = headerBefore(start, LIST, u32(end - start));
  if (type > 0) store<u8>(--start, u8(type));
  if (Cursor.fault === ParseFault.None) endItem(start, end, end);
}

/** Status (before Byzantium the state root), cumulative gas and log filter. */
function putPrefix(): usize {
  let to = receipt.has(R.Status) ? putNumber(PREFIX, receipt, R.Status) : putHash(PREFIX, receipt, R.Root);
  to = putNumber(to, receipt, R.CumulativeGas);
  if (receipt.has(R.Bloom)) return putFixed(to, receipt, R.Bloom, BLOOM_BYTES);
  to = putHeader(to, BYTES, BLOOM_BYTES);
  memory.copy(to, OWN_BLOOM, BLOOM_BYTES);
  return to + BLOOM_BYTES;
}

/** Fields of deposits of OP Stack networks since Canyon, and of fees in tokens on Celo. */
function putLater(to: usize, type: u64): usize {
  if (type === DEPOSIT && families & FamilyFlag.Optimism && receipt.has(R.DepositVersion)) {
    return putNumber(putNumber(to, receipt, R.DepositNonce), receipt, R.DepositVersion);
  }
  if (type === CELO_DYNAMIC && families & FamilyFlag.Celo && receipt.has(R.BaseFee)) {
    return putNumber(to, receipt, R.BaseFee);
  }
  return to;
}

enum L {
  Address,
  Topics,
  Data,
}
const log = new ObjectFields("address topics data");
const TOPICS: usize = memory.data(33 * 4 + 4);

function readLogs(): void {
  logs_listed = true;
  enter(OPEN_LIST);
  while (nextElement()) readLog();
}

function readLog(): void {
  log.begin();
  let topics: u32 = 0;
  enter(OPEN_OBJECT);
  let name: usize;
  while ((name = nextName()) !== 0) {
    const field = log.find(name);
    if (field !== L.Topics) {
      log.keep(field);
      continue;
    }
    log.meet(field);
    topics = readTopics();
  }
  if (Cursor.fault === ParseFault.None) putLog(topics);
}

function readTopics(): u32 {
  let count: u32 = 0;
  enter(OPEN_LIST);
  while (nextElement()) {
    if (count === MOST_TOPICS) {
      fail(ParseFault.TooBig);
      return count;
    }
    putHashText(TOPICS + 33 * usize(count));
    count++;
  }
  return count;
}

function putLog(topics: u32): void {
  const size = 33 * topics;
  if (!hasRoom(logsEnd, AFTER_LOGS + size)) return;
  const content = openList(logsEnd);
  const topicsAt = putAddress(content, log, L.Address);
  let to = putHeader(topicsAt, LIST, size);
  memory.copy(to, TOPICS, size);
  to = putData(to + size, log, L.Data);
  if (!receipt.has(R.Bloom)) addLogToBloom(content + 1, topics);
  logsEnd = closeList(content, to);
  hasRoom(logsEnd, AFTER_LOGS);
}

function addLogToBloom(address: usize, topics: u32): void {
  addToBloom(OWN_BLOOM, address, 20);
  for (let i: u32 = 0; i < topics; i++) addToBloom(OWN_BLOOM, TOPICS + 33 * usize(i) + 1, 32);
}
