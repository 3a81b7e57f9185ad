/**
 * Checks whether a block is what its header commits to: RLP, tries and Keccak straight from the text of a node's
 * answers. `src/chains/evm/verify/module.ts` calls it; `npm run gen` compiles it to `verify.wasm` there.
 */
import { beginText, Cursor, enter, fail, nextName, OPEN_LIST, OPEN_OBJECT, ParseFault } from "./cursor";
import { countEnvelopes, ENVELOPES } from "./envelopes";
import { H, header, headerHolds, isClaimed } from "./header";
import { readFixed } from "./hex";
import { checkAnswers } from "./json";
import { keccak256 } from "./keccak";
import { hasInputRoom, INPUT, ITEMS, values } from "./memory";
import { beginReceipts, endReceipts, readReceipt, readReceipts } from "./receipts";
import { end } from "./records";
import { countScanned, scanHeader, scanReceiptList } from "./scan";
import { beginTransactions, readTransactions, Transactions } from "./transactions";
import { beginValues } from "./trie";
import { rootOfWithdrawals, Withdrawals } from "./withdrawals";

/** Checks that passed, as bits. Same values as in `module.ts`. */
enum VerifiedFlag {
  Header = 1,
  TransactionHashes = 2,
  TransactionsRoot = 4,
  WithdrawalsRoot = 8,
  ReceiptsRoot = 16,
}

const ROOT: usize = memory.data(32);
const WITHDRAWALS_ROOT: usize = memory.data(32);
const RECEIPTS_ROOT: usize = memory.data(32);
let families_now: u32 = 0;
let found: u32 = 0;

function hold(what: VerifiedFlag, holds: bool): void {
  if (holds) found |= what;
}

/** Address for a text of this length, or 0 if it is too long. */
export function reserve(length: u32): usize {
  return hasInputRoom(length) ? INPUT : 0;
}

/** Finds the answers in `length` bytes of JSON at `start`. Returns the fault, 0 for none. */
export function answers(start: usize, length: u32): u32 {
  beginText(start, length);
  checkAnswers();
  return Cursor.fault;
}

/** Number of answers; `envelopesAt` has their descriptions. */
export function countAnswers(): u32 {
  return countEnvelopes();
}

/** Reads a block and writes its transactions, then its header, to `recordsAt`. Returns the fault, 0 for none. */
export function scanBlock(start: usize, length: u32): u32 {
  beginText(start, length);
  scanHeader();
  return Cursor.fault;
}

/** Reads a block's receipts, or one of them, with or without their log filters. Returns the fault, 0 for none. */
export function scanReceipts(start: usize, length: u32, with_filters: bool): u32 {
  beginText(start, length);
  scanReceiptList(with_filters);
  return Cursor.fault;
}

/** Number of transactions or receipts read last. */
export function scanned(): u32 {
  return countScanned();
}

export function recordsAt(): usize {
  return values;
}

export function recordsEnd(): usize {
  return end;
}

export function envelopesAt(): usize {
  return ENVELOPES;
}

/** Reads one block with its transactions. Returns the fault, 0 for none; `held` returns the checks that passed. */
export function block(start: usize, length: u32, form: u32, families: u32): u32 {
  beginText(start, length);
  found = 0;
  families_now = families;
  beginValues();
  beginTransactions(families);
  readBlock(form);
  return Cursor.fault;
}

function readBlock(form: u32): void {
  let has_transactions = false;
  header.begin();
  enter(OPEN_OBJECT);
  let name: usize;
  while ((name = nextName()) !== 0) {
    const field = header.find(name);
    if (field !== H.Transactions) {
      header.keep(field);
      continue;
    }
    header.meet(field);
    has_transactions = true;
    memory.copy(ROOT, readTransactions(), 32);
  }
  if (!has_transactions) fail(ParseFault.Missing);
  if (Cursor.fault === ParseFault.None) rootOfWithdrawals(WITHDRAWALS_ROOT);
  if (Cursor.fault === ParseFault.None) checkBlock(form);
}

function checkBlock(form: u32): void {
  hold(VerifiedFlag.Header, headerHolds(form));
  hold(VerifiedFlag.TransactionHashes, Transactions.misnamed < 0);
  hold(VerifiedFlag.TransactionsRoot, Transactions.unknown === 0 && isClaimed(H.TransactionsRoot, ROOT));
  hold(VerifiedFlag.WithdrawalsRoot, withdrawalsHold());
  if (!readFixed(header.at(H.ReceiptsRoot), header.lengthOf(H.ReceiptsRoot), RECEIPTS_ROOT, 32))
    fail(ParseFault.Missing);
}

/** A header without a withdrawals root allows no withdrawals. */
function withdrawalsHold(): bool {
  return header.has(H.WithdrawalsRoot) ? isClaimed(H.WithdrawalsRoot, WITHDRAWALS_ROOT) : Withdrawals.listed === 0;
}

/** Begins the receipts of the block read last. */
export function openReceipts(): void {
  beginReceipts(Transactions.listed, Transactions.outside, families_now);
}

/** Reads receipts in order: a whole block's list, or one of them. Returns the fault, 0 for none. */
export function receipts(start: usize, length: u32): u32 {
  beginText(start, length);
  if (load<u8>(start) === OPEN_LIST) readReceipts();
  else readReceipt();
  return Cursor.fault;
}

/** Ends the receipts. Returns the fault, 0 for none. */
export function closeReceipts(): u32 {
  endReceipts(ROOT);
  if (Cursor.fault === ParseFault.None) hold(VerifiedFlag.ReceiptsRoot, isSame(ROOT, RECEIPTS_ROOT));
  return Cursor.fault;
}

function isSame(a: usize, b: usize): bool {
  return memory.compare(a, b, 32) === 0;
}

/** Bits of `VerifiedFlag`. */
export function held(): u32 {
  return found;
}

/** Number of transactions of unknown types. */
export function unknownTransactions(): u32 {
  return Transactions.unknown;
}

/** Number of transactions that no root covers. */
export function uncoveredTransactions(): u32 {
  return Transactions.outside;
}

/** The first transaction whose claimed hash is wrong, or -1. */
export function misnamedTransaction(): i32 {
  return Transactions.misnamed;
}

export function countWithdrawals(): u32 {
  return Withdrawals.listed;
}

/**
 * Transactions hashed since the last text began: `itemsAt` has the position and length of each, its signature behind
 * it.
 */
export function countTransactions(): u32 {
  return Transactions.listed - Transactions.unknown - Transactions.outside;
}

export function itemsAt(): usize {
  return ITEMS;
}

/** Writes the Keccak-256 of `size` bytes at `from` to `to`. */
export function hash(from: usize, size: usize, to: usize): void {
  keccak256(from, size, to);
}
