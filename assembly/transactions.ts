/** Transactions: their hashes, the root of their list, and the hashes that their signatures sign. */
import { Cursor, enter, fail, nextElement, OPEN_LIST, ParseFault } from "./cursor";
import { ObjectFields } from "./fields";
import { quantity, readFixed, same32 } from "./hex";
import { keccak256 } from "./keccak";
import { hasRoom } from "./memory";
import {
  BYTES,
  headerBefore,
  LIST,
  putAddress,
  putAddressOrNone,
  putData,
  putEmpty,
  putHash,
  putHashes,
  putNumber,
  putNumberOrZero,
  writeWord,
} from "./rlp";
import { FamilyFlag, fieldsOf, isSigned, NAMES, T } from "./transaction_kinds";
import { putAccessList, putAuthorizations } from "./transaction_lists";
import { beginItems, endItem, rootOfItems, valueStart } from "./trie";

const transaction = new ObjectFields(NAMES);

/**
 * After each transaction's bytes: the signed hash, r, s (32 bytes each), and the way to the sender (4 bytes, see
 * `SignatureKind`).
 */
export const SIGNATURE_BYTES: usize = 104;

/** How a sender follows from a transaction. Same values as in `src/chains/evm/verify/module.ts`. */
enum SignatureKind {
  /** The point of the signature has an even y. */
  Even = 0,
  Odd = 1,
  /** The sender is among the hashed fields. */
  Told = 2,
  /** Neither: a signature of zeros. */
  Nobody = 3,
}

export class Transactions {
  /** Transactions in the text. */
  static listed: u32 = 0;
  /** Transactions of unknown types. With one of them the root cannot be computed. */
  static unknown: u32 = 0;
  /** 1 if the last transaction is book-keeping outside of the roots (Polygon). */
  static outside: u32 = 0;
  /** The first transaction whose claimed hash is wrong, or -1. */
  static misnamed: i32 = -1;
}

const HASH: usize = memory.data(32);
const CLAIMED: usize = memory.data(32);
const ROOT: usize = memory.data(32);
const ADDRESS: usize = memory.data(32);
let families: u32 = 0;

export function beginTransactions(family_bits: u32): void {
  families = family_bits;
  Transactions.listed = 0;
  Transactions.unknown = 0;
  Transactions.outside = 0;
  Transactions.misnamed = -1;
}

/** Reads the list at the cursor. Returns the address of its root. */
export function readTransactions(): usize {
  beginItems();
  enter(OPEN_LIST);
  while (nextElement()) readTransaction();
  if (Transactions.unknown === 0 && Cursor.fault === ParseFault.None) rootOfItems(ROOT);
  return ROOT;
}

function readTransaction(): void {
  transaction.read();
  if (Transactions.outside) fail(ParseFault.WrongShape); // It was not the last one.
  if (Cursor.fault !== ParseFault.None) return;
  const behind = Cursor.at;
  Transactions.listed++;
  if (families & FamilyFlag.Polygon && isBookkeeping()) Transactions.outside = 1;
  else putTransaction();
  Cursor.at = Cursor.fault === ParseFault.None ? behind : Cursor.end;
}

function isBookkeeping(): bool {
  return isVoid(T.From) && isVoid(T.To);
}

function isVoid(field: i32): bool {
  if (!transaction.has(field) || !readFixed(transaction.at(field), transaction.lengthOf(field), ADDRESS, 20))
    return false;
  return load<u64>(ADDRESS) === 0 && load<u64>(ADDRESS, 8) === 0 && load<u32>(ADDRESS, 16) === 0;
}

function typeOf(): u64 {
  return transaction.has(T.Type) ? quantity(transaction.at(T.Type), transaction.lengthOf(T.Type)) : 0;
}

function putTransaction(): void {
  const type = typeOf();
  const fields = fieldsOf(type, families);
  if (fields === null) {
    Transactions.unknown++;
    return;
  }
  const start = valueStart();
  const end = putFields(start, fields);
  const whole = isSigned(type) ? sign(start, end, type) : close(start, end, type);
  if (Cursor.fault === ParseFault.None) nameIt(whole);
}

/** End of the last value written, and position of its signature. */
let ended: usize = 0;
let signature: usize = 0;

function placeSignature(end: usize): void {
  ended = end;
  signature = (end + 7) & ~7;
  if (hasRoom(signature, SIGNATURE_BYTES)) store<u32>(signature, SignatureKind.Told, 96);
}

/** Writes the list's header and the type before it. Returns where the transaction begins. */
function wrapped(start: usize, end: usize, type: u64): usize {
  let whole = headerBefore(start, LIST, u32(end - start));
  if (type > 0) store<u8>(--whole, u8(type));
  return whole;
}

function close(start: usize, end: usize, type: u64): usize {
  placeSignature(end);
  return wrapped(start, end, type);
}

/** Hashes the signed fields first: the signature then overwrites the fields that only the signed form has. */
function sign(start: usize, end: usize, type: u64): usize {
  const t = transaction;
  const v = type > 0 && t.has(T.YParity) ? T.YParity : T.V;
  const recovery = t.has(v) ? quantity(t.at(v), t.lengthOf(v)) : 0;
  const is_protected = type === 0 && recovery >= 35;
  const signed = is_protected ? putChainId(end, (recovery - 35) >> 1) : end;
  const from = wrapped(start, signed, type);
  keccak256(from, signed - from, HASH);
  let to = putNumber(end, t, v);
  to = putNumber(to, t, T.R);
  to = putNumber(to, t, T.S);
  placeSignature(to);
  if (Cursor.fault !== ParseFault.None) return start;
  memory.copy(signature, HASH, 32);
  writeWord(signature + 32, t, T.R);
  writeWord(signature + 64, t, T.S);
  store<u32>(signature, signedBy(type, recovery), 96);
  return wrapped(start, to, type);
}

/** EIP-155: the chain id and two empty fields. */
function putChainId(to: usize, id: u64): usize {
  let bytes: i32 = 8;
  while (bytes > 0 && id >> (u64(bytes - 1) << 3) === 0) bytes--;
  let at = to;
  if (bytes === 1 && id < BYTES) store<u8>(at++, u8(id));
  else {
    store<u8>(at++, u8(BYTES + bytes));
    for (let i = bytes - 1; i >= 0; i--) store<u8>(at++, u8(id >> (u64(i) << 3)));
  }
  return putEmpty(putEmpty(at, BYTES), BYTES);
}

function isImpersonated(): bool {
  return (families & FamilyFlag.Anvil) !== 0 && isZero(signature + 32) && isZero(signature + 64);
}

function signedBy(type: u64, recovery: u64): u32 {
  if (isImpersonated()) return SignatureKind.Told;
  if (isZero(signature + 32) && isZero(signature + 64)) return SignatureKind.Nobody;
  if (type > 0) return recovery > 1 ? SignatureKind.Nobody : u32(recovery);
  if (recovery === 27 || recovery === 28) return u32(recovery - 27);
  return recovery >= 35 ? u32((recovery - 35) & 1) : SignatureKind.Nobody;
}

function isZero(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) === 0;
}

/** Compares the computed hash with the claimed one. */
function nameIt(whole: usize): void {
  if (isImpersonated()) hashWithSender(whole);
  else keccak256(whole, ended - whole, HASH);
  const t = transaction;
  const is_named = t.has(T.Hash) && readFixed(t.at(T.Hash), t.lengthOf(T.Hash), CLAIMED, 32) && same32(HASH, CLAIMED);
  if (!is_named && Transactions.misnamed < 0) Transactions.misnamed = i32(Transactions.listed - 1);
  endItem(whole, ended, signature + SIGNATURE_BYTES);
}

const COVERED: usize = memory.data(32);

/**
 * Hashes typed transactions in their network form. The sender overwrites the bytes after the transaction for the hash
 * only.
 */
function hashWithSender(whole: usize): void {
  memory.copy(COVERED, ended, 20);
  const t = transaction;
  if (!readFixed(t.at(T.From), t.lengthOf(T.From), ended, 20)) fail(ParseFault.WrongLength);
  const start = load<u8>(whole) < LIST ? headerBefore(whole, BYTES, u32(ended - whole)) : whole;
  keccak256(start, ended + 20 - start, HASH);
  memory.copy(ended, COVERED, 20);
}

function putFields(start: usize, fields: StaticArray<i32>): usize {
  let to = start;
  for (let i = 0; i < fields.length; i++) to = putField(to, unchecked(fields[i]));
  return to;
}

function putField(to: usize, field: i32): usize {
  const t = transaction;
  switch (field) {
    case T.To:
    case T.RetryTo:
    case T.FeeCurrency:
      return putAddressOrNone(to, t, field);
    case T.From:
    case T.RefundTo:
    case T.Beneficiary:
      return putAddress(to, t, field);
    case T.SourceHash:
    case T.RequestId:
    case T.TicketId:
      return putHash(to, t, field);
    case T.Input:
      return putData(to, t, t.has(T.Input) ? T.Input : T.Data);
    case T.RetryData:
      return putData(to, t, field);
    case T.IsSystem:
      return putFlag(to);
    case T.AccessList:
      return putAccessList(to, t, field);
    case T.BlobHashes:
      return putHashes(to, t, field);
    case T.Authorizations:
      return putAuthorizations(to, t, field);
    case T.Mint:
    case T.MaxRefund:
    case T.FeeRefund:
      return putNumberOrZero(to, t, field);
    default:
      return putNumber(to, t, field);
  }
}

function putFlag(to: usize): usize {
  store<u8>(to, transaction.isTrue(T.IsSystem) ? 1 : u8(BYTES));
  return to + 1;
}
