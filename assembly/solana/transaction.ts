/**
 * Checks one transaction as `src/chains/solana/transaction.ts` does, and writes it for
 * `src/chains/solana/scan/record.ts`. A plain vote (`votes.ts` there) leaves only its voter and its fee.
 */
import { takeRoom } from "../room";
import { readFields, TransactionFields } from "./fields";
import { Inner } from "./inner";
import { COMPUTE_BUDGET, isSameKey, keyAt, NO_KEY, numberOf, VOTE_PROGRAM } from "./keys";
import {
  AFTER,
  BEFORE,
  BLOB,
  CALLED,
  INNER,
  INSTRUCTION_BYTES,
  KEY_BYTES,
  MOST_ACCOUNTS,
  OUTER,
  READONLY,
  TOKEN_BYTES,
  TOKENS_AFTER,
  TOKENS_BEFORE,
  WIRE,
  WRITABLE,
} from "./memory";
import { noteSignature } from "./signatures";
import { readWire, Wire } from "./wire";

export enum TransactionForm {
  /** TypeScript has to read it. */
  Other,
  Vote,
  Whole,
}

/** For a vote, the number of its voter's key; for other transactions, the position of the record. */
export let about: u32 = 0;
/** Fee of a vote. */
export let fee: u32 = 0;

let accounts: u32 = 0;
let rent: i64 = 0;
let moved: i64 = 0;

export function readTransaction(): TransactionForm {
  if (!readFields() || !readWire(TransactionFields.wire_size) || !fits()) return TransactionForm.Other;
  sumUp();
  const is_vote = isPlainVote();
  const voter = is_vote ? numberOf(WIRE + usize(Wire.keys_at)) : 0;
  if (voter === NO_KEY) return TransactionForm.Other;
  if (is_vote) {
    about = voter;
    fee = u32(TransactionFields.fee);
  } else if (!write()) return TransactionForm.Other;
  return noteSignature(WIRE + usize(Wire.signatures_at))
    ? is_vote
      ? TransactionForm.Vote
      : TransactionForm.Whole
    : TransactionForm.Other;
}

/** Whether balances and instructions refer only to accounts of the transaction. */
function fits(): bool {
  if (TransactionFields.writable !== Wire.writable || TransactionFields.readonly !== Wire.readonly) return false;
  accounts = Wire.keys + Wire.writable + Wire.readonly;
  if (accounts > MOST_ACCOUNTS || TransactionFields.before !== accounts || TransactionFields.after !== accounts)
    return false;
  if (!haveAccounts(OUTER, Wire.instructions, WIRE) || !haveAccounts(INNER, Inner.count, BLOB)) return false;
  const callers = Inner.callers;
  // The callers are in order.
  if (callers > 0 && load<u32>(CALLED + 8 * usize(callers - 1)) >= Wire.instructions) return false;
  return (
    areSingle(TOKENS_BEFORE, TransactionFields.tokens_before) && areSingle(TOKENS_AFTER, TransactionFields.tokens_after)
  );
}

function haveAccounts(instructions: usize, count: u32, bytes: usize): bool {
  for (let i: u32 = 0; i < count; i++) {
    const one = instructions + INSTRUCTION_BYTES * usize(i);
    if (load<u32>(one, 4) >= accounts) return false;
    const from = bytes + usize(load<u32>(one, 8));
    const to = from + usize(load<u32>(one, 12));
    for (let at = from; at < to; at++) if (u32(load<u8>(at)) >= accounts) return false;
  }
  return true;
}

const MET: usize = memory.data(256);

/** Whether each account has at most one token balance. */
function areSingle(tokens: usize, count: u32): bool {
  if (count === 0) return true;
  memory.fill(MET, 0, usize(accounts));
  for (let i: u32 = 0; i < count; i++) {
    const account = load<u32>(tokens + TOKEN_BYTES * usize(i));
    if (account >= accounts || load<u8>(MET + usize(account)) !== 0) return false;
    store<u8>(MET + usize(account), 1);
  }
  return true;
}

/** Computes how many coins left the accounts apart from the fee, and the largest change of one account. */
function sumUp(): void {
  rent = -TransactionFields.fee;
  moved = 0;
  for (let i: usize = 0; i < usize(accounts); i++) {
    const change = load<i64>(BEFORE + 8 * i) - load<i64>(AFTER + 8 * i);
    rent += change;
    moved = max(moved, change < 0 ? -change : change);
  }
}

/** Numbers of the instructions that vote, as bits (`votes.ts`). */
const VOTING: u32 = 0b1111_0011_0100_0100;

function isPlainVote(): bool {
  if (!TransactionFields.succeeded || Wire.signers !== 1 || !TransactionFields.has_inner || Inner.callers > 0)
    return false;
  if (
    TransactionFields.fee <= 0 ||
    TransactionFields.fee > i64(u32.MAX_VALUE) ||
    TransactionFields.tokens_before > 0 ||
    TransactionFields.tokens_after > 0
  )
    return false;
  if (load<i64>(BEFORE) - load<i64>(AFTER) !== TransactionFields.fee) return false;
  for (let i: usize = 1; i < usize(accounts); i++)
    if (load<u64>(BEFORE + 8 * i) !== load<u64>(AFTER + 8 * i)) return false;
  let votes: u32 = 0;
  for (let i: u32 = 0; i < Wire.instructions; i++) {
    const one = OUTER + INSTRUCTION_BYTES * usize(i);
    const program = load<u32>(one, 4);
    // A program from a look-up table is neither of the two.
    if (program >= Wire.keys) return false;
    const key = WIRE + usize(Wire.keys_at) + KEY_BYTES * usize(program);
    if (isSameKey(key, keyAt(VOTE_PROGRAM)) && isVoting(one)) votes++;
    else if (!isSameKey(key, keyAt(COMPUTE_BUDGET))) return false;
  }
  return votes > 0;
}

function isVoting(instruction: usize): bool {
  const number = load<u32>(WIRE + usize(load<u32>(instruction, 16)));
  return load<u32>(instruction, 20) >= 4 && number < 16 && ((VOTING >> number) & 1) !== 0;
}

const HEAD_BYTES: usize = 72;
const SUCCEEDED: u32 = 1;
const HAS_INNER: u32 = 2;
const HAS_UNITS: u32 = 4;

/** Writes the record. Returns false if there is no room for it or its keys. */
function write(): bool {
  const balances: usize = 8 * usize(accounts);
  const keys: usize = (4 * usize(accounts) + 7) & ~7;
  const instructions = Wire.instructions + Inner.count;
  const before = TOKEN_BYTES * usize(TransactionFields.tokens_before);
  const after = TOKEN_BYTES * usize(TransactionFields.tokens_after);
  const fixed = HEAD_BYTES + 2 * balances + keys + before + after + INSTRUCTION_BYTES * usize(instructions);
  const start = takeRoom(fixed + usize(Wire.size) + usize(Inner.blob_size));
  if (start === 0) return false;
  about = u32(start);
  putHead(start, instructions, fixed);
  let to = start + HEAD_BYTES;
  memory.copy(to, BEFORE, balances);
  memory.copy(to + balances, AFTER, balances);
  to += 2 * balances;
  if (!putKeys(to)) return false;
  to += keys;
  memory.copy(to, TOKENS_BEFORE, before);
  memory.copy(to + before, TOKENS_AFTER, after);
  putInstructions(to + before + after);
  memory.copy(start + fixed, WIRE, usize(Wire.size));
  memory.copy(start + fixed + usize(Wire.size), BLOB, usize(Inner.blob_size));
  return true;
}

function putHead(to: usize, instructions: u32, fixed: usize): void {
  const flags =
    (TransactionFields.succeeded ? SUCCEEDED : 0) |
    (TransactionFields.has_inner ? HAS_INNER : 0) |
    (TransactionFields.has_units ? HAS_UNITS : 0);
  store<i64>(to, TransactionFields.fee);
  store<i64>(to, TransactionFields.units, 8);
  store<i64>(to, rent, 16);
  store<i64>(to, moved, 24);
  store<u32>(to, flags, 32);
  store<u32>(to, accounts, 36);
  store<u32>(to, TransactionFields.tokens_before, 40);
  store<u32>(to, TransactionFields.tokens_after, 44);
  store<u32>(to, instructions, 48);
  store<u32>(to, Wire.signers, 52);
  // Counted from the start of the record.
  store<u32>(to, u32(fixed), 56);
  store<u32>(to, Wire.size, 60);
  store<u32>(to, Wire.signatures_at, 64);
  store<u32>(to, Wire.message_at, 68);
}

/** Keys of the message, then keys of look-up tables, the writable ones first. */
function putKeys(to: usize): bool {
  for (let i: usize = 0; i < usize(Wire.keys); i++) {
    const number = numberOf(WIRE + usize(Wire.keys_at) + KEY_BYTES * i);
    if (number === NO_KEY) return false;
    store<u32>(to + 4 * i, number);
  }
  const writable: usize = 4 * usize(Wire.writable);
  memory.copy(to + 4 * usize(Wire.keys), WRITABLE, writable);
  memory.copy(to + 4 * usize(Wire.keys) + writable, READONLY, 4 * usize(Wire.readonly));
  return true;
}

/**
 * Instructions in order of execution, each followed by the instructions that it called. Positions are within the wire's
 * bytes and the blob behind them.
 */
function putInstructions(start: usize): void {
  let to = start;
  let inner: u32 = 0;
  let caller: u32 = 0;
  for (let i: u32 = 0; i < Wire.instructions; i++) {
    memory.copy(to, OUTER + INSTRUCTION_BYTES * usize(i), INSTRUCTION_BYTES);
    to += INSTRUCTION_BYTES;
    const group = CALLED + 8 * usize(caller);
    if (caller === Inner.callers || load<u32>(group) !== i) continue;
    for (let left = load<u32>(group, 4); left > 0; left--) {
      putInner(to, INNER + INSTRUCTION_BYTES * usize(inner++));
      to += INSTRUCTION_BYTES;
    }
    caller++;
  }
}

const IS_TEXT: u32 = 0x8000_0000;

function putInner(to: usize, from: usize): void {
  memory.copy(to, from, INSTRUCTION_BYTES);
  store<u32>(to, load<u32>(from, 8) + Wire.size, 8);
  if ((load<u32>(from, 20) & IS_TEXT) === 0) store<u32>(to, load<u32>(from, 16) + Wire.size, 16);
}
