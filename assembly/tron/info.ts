/**
 * Reads the info of an executed transaction and writes it for `src/chains/tron/scan/record.ts`: the head, then the logs
 * (`logs.ts`). TypeScript reads infos with internal calls.
 */
import { hexTo } from "../hex_digits";
import { CLOSE_FIELDS, COMMA, integer, isText, name, OPEN_FIELDS, SeenNames, skip, Text, take, text } from "../text";
import { log_count, readLogs } from "./logs";

/** The head of a record. */
export const INFO_BYTES: usize = 80;
const NUMBER: usize = 24;
const ENERGY: usize = 32;
const FEE: usize = 40;
const HASH: usize = 48;
const HASH_BYTES: usize = 32;

/** Names met, as bits; no name may occur twice. */
const OF_ID: u32 = 1;
const OF_FEE: u32 = 2;
const OF_NUMBER: u32 = 4;
const OF_RESULT: u32 = 8;
const OF_RECEIPT: u32 = 16;
const OF_LOG: u32 = 32;
const OF_INNER: u32 = 64;
const OF_ENERGY: u32 = 128;
const OF_END: u32 = 256;
const NEEDED: u32 = OF_ID | OF_NUMBER;

const IS_GOOD: u32 = 1;
const HAS_INNER: u32 = 2;

const met = new SeenNames();
let is_good: bool = true;
let has_inner: bool = false;

/** Returns false if the info does not have the usual form. */
export function readInfo(record: usize): bool {
  met.begin();
  is_good = true;
  has_inner = false;
  store<u32>(record, 0, 16);
  store<i64>(record, 0, ENERGY);
  store<i64>(record, 0, FEE);
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readField(record)) return false;
  while (take(COMMA));
  store<u32>(record, (is_good ? IS_GOOD : 0) | (has_inner ? HAS_INNER : 0), 12);
  return take(CLOSE_FIELDS) && met.hasAll(NEEDED);
}

function readField(record: usize): bool {
  if (isText("id")) {
    if (!met.isFirst(OF_ID) || !text() || Text.to - Text.from !== 2 * HASH_BYTES) return false;
    return hexTo(Text.from, record + HASH, HASH_BYTES);
  }
  if (isText("fee")) return met.isFirst(OF_FEE) && readAmount(record + FEE);
  if (isText("blockNumber")) return met.isFirst(OF_NUMBER) && readAmount(record + NUMBER);
  if (isText("result")) return met.isFirst(OF_RESULT) && readResult();
  if (isText("receipt")) return met.isFirst(OF_RECEIPT) && readReceipt(record);
  if (isText("log")) {
    const has_logs = met.isFirst(OF_LOG) && readLogs();
    store<u32>(record, log_count, 16);
    return has_logs;
  }
  if (isText("internal_transactions")) {
    has_inner = true;
    return met.isFirst(OF_INNER) && skip();
  }
  return skip();
}

function readAmount(to: usize): bool {
  const amount = integer();
  store<i64>(to, amount);
  return amount >= 0;
}

/** Only a failed call has a result. */
function readResult(): bool {
  if (!text()) return false;
  if (isText("FAILED")) is_good = false;
  return true;
}

function readReceipt(record: usize): bool {
  if (!take(OPEN_FIELDS)) return false;
  if (take(CLOSE_FIELDS)) return true;
  do if (!name() || !readReceiptField(record)) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS);
}

function readReceiptField(record: usize): bool {
  if (isText("energy_usage_total")) return met.isFirst(OF_ENERGY) && readAmount(record + ENERGY);
  if (!isText("result")) return skip();
  if (!met.isFirst(OF_END) || !text()) return false;
  if (!isText("SUCCESS") && !isText("DEFAULT")) is_good = false;
  return true;
}
