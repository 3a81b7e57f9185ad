/** Token balances before or after one transaction. */

import {
  CLOSE_FIELDS,
  CLOSE_LIST,
  COMMA,
  integer,
  isDigit,
  isNull,
  isText,
  name,
  OPEN_FIELDS,
  OPEN_LIST,
  SeenNames,
  skip,
  Text,
  take,
  text,
} from "../text";
import { keyOfText, NO_KEY, TOKEN_PROGRAM } from "./keys";
import { MOST_ACCOUNTS, TOKEN_BYTES } from "./memory";

/** Number of token balances, or -1 if the value is not a list of them. */
export function readTokens(to: usize): i32 {
  if (isNull()) return 0;
  if (!take(OPEN_LIST)) return -1;
  if (take(CLOSE_LIST)) return 0;
  let count: u32 = 0;
  do if (count === MOST_ACCOUNTS || !readToken(to + TOKEN_BYTES * usize(count++))) return -1;
  while (take(COMMA));
  return take(CLOSE_LIST) ? i32(count) : -1;
}

const OF_ACCOUNT: u32 = 1;
const OF_MINT: u32 = 2;
const OF_OWNER: u32 = 4;
const OF_PROGRAM: u32 = 8;
const OF_AMOUNT: u32 = 16;
const TOKEN_NEEDED: u32 = OF_ACCOUNT | OF_MINT | OF_AMOUNT;

const met = new SeenNames();

/** Account, numbers of mint, owner (NO_KEY if the node omits it) and program, amount. */
function readToken(to: usize): bool {
  met.begin();
  store<u32>(to, NO_KEY, 8);
  store<u32>(to, TOKEN_PROGRAM, 12);
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readTokenField(to)) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS) && met.hasAll(TOKEN_NEEDED);
}

function readTokenField(to: usize): bool {
  if (isText("accountIndex")) {
    const account = met.isFirst(OF_ACCOUNT) ? integer() : -1;
    store<u32>(to, u32(account));
    return account >= 0 && account < i64(MOST_ACCOUNTS);
  }
  if (isText("mint")) return met.isFirst(OF_MINT) && readKey(to + 4);
  if (isText("owner")) return met.isFirst(OF_OWNER) && (isNull() || readKey(to + 8));
  if (isText("programId")) return met.isFirst(OF_PROGRAM) && (isNull() || readKey(to + 12));
  if (isText("uiTokenAmount")) return met.isFirst(OF_AMOUNT) && readAmount(to + 16);
  return skip();
}

function readKey(to: usize): bool {
  const number = text() ? keyOfText() : NO_KEY;
  store<u32>(to, number);
  return number !== NO_KEY;
}

/** The field `amount` of an object, exactly once: a u64 in digits. */
function readAmount(to: usize): bool {
  let is_told = false;
  if (!take(OPEN_FIELDS)) return false;
  do {
    if (!name()) return false;
    if (!isText("amount")) {
      if (!skip()) return false;
      continue;
    }
    if (is_told || !text() || !readDigits(to)) return false;
    is_told = true;
  } while (take(COMMA));
  return take(CLOSE_FIELDS) && is_told;
}

const MOST_AMOUNT_DIGITS: usize = 20;
const TENTH: u64 = u64.MAX_VALUE / 10;

function readDigits(to: usize): bool {
  const length = Text.to - Text.from;
  if (length === 0 || length > MOST_AMOUNT_DIGITS) return false;
  let value: u64 = 0;
  for (let at = Text.from; at < Text.to; at++) {
    const char = load<u8>(at);
    if (!isDigit(char) || value > TENTH) return false;
    const more = value * 10 + u64(char - 0x30);
    if (more < value) return false;
    value = more;
  }
  store<u64>(to, value);
  return true;
}
