/**
 * Reads the fields of one transaction of a `getBlock` answer, as long as they have the usual form. Checks come later.
 */

import {
  CLOSE_FIELDS,
  CLOSE_LIST,
  COMMA,
  integer,
  isNull,
  isText,
  name,
  OPEN_FIELDS,
  OPEN_LIST,
  SeenNames,
  skip,
  take,
  text,
} from "../text";
import { base64To } from "./digits";
import { beginInner, readInner } from "./inner";
import { keyOfText, NO_KEY } from "./keys";
import {
  AFTER,
  BEFORE,
  MOST_ACCOUNTS,
  MOST_WIRE,
  READONLY,
  TOKENS_AFTER,
  TOKENS_BEFORE,
  WIRE,
  WRITABLE,
} from "./memory";
import { readTokens } from "./tokens";

/** Names met, as bits; no name may occur twice. */
const TRANSACTION: u32 = 1;
const META: u32 = 2;
const ERR: u32 = 4;
const FEE: u32 = 8;
const PRE_BALANCES: u32 = 16;
const POST_BALANCES: u32 = 32;
const INNER_INSTRUCTIONS: u32 = 64;
const PRE_TOKENS: u32 = 128;
const POST_TOKENS: u32 = 256;
const UNITS: u32 = 512;
const LOADED: u32 = 1024;
const NEEDED: u32 = TRANSACTION | META | FEE | PRE_BALANCES | POST_BALANCES;

/** The transaction read last. */
export class TransactionFields {
  static wire_size: u32 = 0;
  static succeeded: bool = true;
  static fee: i64 = 0;
  static has_units: bool = false;
  static units: i64 = 0;
  static before: u32 = 0;
  static after: u32 = 0;
  static tokens_before: u32 = 0;
  static tokens_after: u32 = 0;
  static has_inner: bool = false;
  static writable: u32 = 0;
  static readonly: u32 = 0;
}

const met = new SeenNames();

function begin(): void {
  met.begin();
  TransactionFields.succeeded = true;
  TransactionFields.has_units = false;
  TransactionFields.units = 0;
  TransactionFields.tokens_before = 0;
  TransactionFields.tokens_after = 0;
  TransactionFields.has_inner = false;
  beginInner();
  TransactionFields.writable = 0;
  TransactionFields.readonly = 0;
}

/** Returns false if the transaction does not have the usual form. */
export function readFields(): bool {
  begin();
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readField()) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS) && met.hasAll(NEEDED);
}

function readField(): bool {
  if (isText("transaction")) return met.isFirst(TRANSACTION) && readEncoded();
  if (isText("meta")) return met.isFirst(META) && readMeta();
  return skip();
}

/** `[transaction, "base64"]`. */
function readEncoded(): bool {
  if (!take(OPEN_LIST) || !text()) return false;
  TransactionFields.wire_size = base64To(WIRE, MOST_WIRE);
  return TransactionFields.wire_size > 0 && take(COMMA) && text() && isText("base64") && take(CLOSE_LIST);
}

function readMeta(): bool {
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readMetaField()) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS);
}

function readMetaField(): bool {
  if (isText("err")) return met.isFirst(ERR) && readError();
  if (isText("fee")) return met.isFirst(FEE) && (TransactionFields.fee = integer()) >= 0;
  if (isText("preBalances")) return met.isFirst(PRE_BALANCES) && (TransactionFields.before = readBalances(BEFORE)) > 0;
  if (isText("postBalances")) return met.isFirst(POST_BALANCES) && (TransactionFields.after = readBalances(AFTER)) > 0;
  if (isText("innerInstructions")) return met.isFirst(INNER_INSTRUCTIONS) && (isNull() || readInnerList());
  if (isText("preTokenBalances")) {
    const count = met.isFirst(PRE_TOKENS) ? readTokens(TOKENS_BEFORE) : -1;
    TransactionFields.tokens_before = u32(count);
    return count >= 0;
  }
  if (isText("postTokenBalances")) {
    const count = met.isFirst(POST_TOKENS) ? readTokens(TOKENS_AFTER) : -1;
    TransactionFields.tokens_after = u32(count);
    return count >= 0;
  }
  if (isText("computeUnitsConsumed")) return met.isFirst(UNITS) && readUnits();
  if (isText("loadedAddresses")) return met.isFirst(LOADED) && (isNull() || readLoaded());
  return skip();
}

function readError(): bool {
  TransactionFields.succeeded = isNull();
  return TransactionFields.succeeded || skip();
}

function readUnits(): bool {
  TransactionFields.has_units = !isNull();
  if (!TransactionFields.has_units) return true;
  TransactionFields.units = integer();
  return TransactionFields.units >= 0;
}

function readInnerList(): bool {
  TransactionFields.has_inner = true;
  return readInner();
}

/** Number of balances, or 0 if the value is not a list of balances. */
function readBalances(to: usize): u32 {
  if (!take(OPEN_LIST)) return 0;
  let count: u32 = 0;
  do {
    const balance = integer();
    if (balance < 0 || count === MOST_ACCOUNTS) return 0;
    store<i64>(to + 8 * usize(count++), balance);
  } while (take(COMMA));
  return take(CLOSE_LIST) ? count : 0;
}

/** Accounts of look-up tables: both lists, each once. */
function readLoaded(): bool {
  let lists: u32 = 0;
  if (!take(OPEN_FIELDS)) return false;
  do {
    if (!name()) return false;
    const is_writable = isText("writable");
    const bit: u32 = is_writable ? 1 : 2;
    if ((!is_writable && !isText("readonly")) || (lists & bit) !== 0) return false;
    lists |= bit;
    const count = readKeys(is_writable ? WRITABLE : READONLY);
    if (count < 0) return false;
    if (is_writable) TransactionFields.writable = u32(count);
    else TransactionFields.readonly = u32(count);
  } while (take(COMMA));
  return take(CLOSE_FIELDS) && lists === 3;
}

/** Number of keys, or -1 if the value is not a list of keys. */
function readKeys(to: usize): i32 {
  if (!take(OPEN_LIST)) return -1;
  if (take(CLOSE_LIST)) return 0;
  let count: u32 = 0;
  do {
    const number = text() ? keyOfText() : NO_KEY;
    if (number === NO_KEY || count === MOST_ACCOUNTS) return -1;
    store<u32>(to + 4 * usize(count++), number);
  } while (take(COMMA));
  return take(CLOSE_LIST) ? i32(count) : -1;
}
