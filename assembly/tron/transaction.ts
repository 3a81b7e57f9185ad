/**
 * Reads a transaction of a block (its id, raw data, signatures and outcome) and writes it for
 * `src/chains/tron/scan/record.ts`. `raw_data` repeats the raw data as JSON and is skipped.
 */
import { hexTo } from "../hex_digits";
import { takeRoom } from "../room";
import {
  CLOSE_FIELDS,
  CLOSE_LIST,
  COMMA,
  integer,
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
import { ContractFields, NO_TYPE, readContract } from "./contract";
import { LENGTH, putCount, VARINT } from "./protobuf";

/** The head of a record; data of variable length follows it. */
export const TRANSACTION_BYTES: usize = 104;
const HASH: usize = 72;
const HASH_DIGITS: usize = 64;

/** Names met, as bits; no name may occur twice. */
const ID: u32 = 1;
const RAW: u32 = 2;
const SIGNED: u32 = 4;
const RET: u32 = 8;
const RET_FEE: u32 = 16;
const RET_END: u32 = 32;
const NEEDED: u32 = ID | RAW;

const met = new SeenNames();
let id: usize = 0;
/** Digits of the raw data. */
let raw_from: usize = 0;
let raw_to: usize = 0;

/** Digits of each signature: their start, and their number of bytes. */
const SIGNATURES: usize = memory.data(512);
const MOST_SIGNATURES: usize = 64;
let signatures: usize = 0;
let signature_bytes: usize = 0;

/** The outcome of the transaction. */
const NO_RESULT: u32 = 0xffff_ffff;
/** A result without an outcome. */
const UNTOLD: u32 = 0;
const SUCCESS: u32 = 1;
const REVERT: u32 = 2;
const OUT_OF_ENERGY: u32 = 10;
let result: u32 = NO_RESULT;
/** The fee that the result states. */
let fee: i64 = 0;

/** Returns false if the transaction does not have the usual form. */
export function readTransaction(record: usize): bool {
  met.begin();
  signatures = 0;
  signature_bytes = 0;
  result = NO_RESULT;
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readField()) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS) && met.hasAll(NEEDED) && write(record);
}

function readField(): bool {
  if (isText("txID")) {
    if (!met.isFirst(ID) || !text()) return false;
    id = Text.from;
    return Text.to - Text.from === HASH_DIGITS;
  }
  if (isText("raw_data_hex")) {
    if (!met.isFirst(RAW) || !text()) return false;
    raw_from = Text.from;
    raw_to = Text.to;
    return ((raw_to - raw_from) & 1) === 0;
  }
  if (isText("signature")) return met.isFirst(SIGNED) && readSignatures();
  if (isText("ret")) return met.isFirst(RET) && readResults();
  return skip();
}

function readSignatures(): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do {
    if (signatures === MOST_SIGNATURES || !text()) return false;
    const digits = Text.to - Text.from;
    if ((digits & 1) !== 0) return false;
    store<u32>(SIGNATURES + 8 * signatures, u32(Text.from));
    store<u32>(SIGNATURES + 8 * signatures++, u32(digits >> 1), 4);
    signature_bytes += digits >> 1;
  } while (take(COMMA));
  return take(CLOSE_LIST);
}

/** At most one result, which has only an outcome and a fee. */
function readResults(): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  if (!take(OPEN_FIELDS)) return false;
  result = UNTOLD;
  fee = 0;
  if (take(CLOSE_FIELDS)) return take(CLOSE_LIST);
  do if (!name() || !readResultField()) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS) && take(CLOSE_LIST);
}

function readResultField(): bool {
  if (isText("fee")) return met.isFirst(RET_FEE) && (fee = integer()) >= 0;
  if (!isText("contractRet") || !met.isFirst(RET_END) || !text()) return false;
  if (isText("SUCCESS")) result = SUCCESS;
  else if (isText("REVERT")) result = REVERT;
  else if (isText("OUT_OF_ENERGY")) result = OUT_OF_ENERGY;
  return result !== UNTOLD;
}

/** Field numbers of a whole transaction, and of its result. */
const RAW_DATA: u32 = 1;
const SIGNATURE: u32 = 2;
const RESULT: u32 = 5;
const RESULT_FEE: u32 = 1;
const RESULT_END: u32 = 3;
/** Two fields, of which one is below 2^50. */
const MOST_RESULT: usize = 11;
/** A field's key, and a length below 2^32. */
const MOST_PREFIX: usize = 6;
const IS_GOOD: u32 = 1;
const IS_SAID: u32 = 2;

/** The whole transaction as the root hashes it, with its raw data inside. */
function write(record: usize): bool {
  const raw_size = (raw_to - raw_from) >> 1;
  const whole = takeRoom(raw_size + signature_bytes + MOST_PREFIX * (signatures + 2) + MOST_RESULT);
  if (whole === 0 || !hexTo(id, record + HASH, HASH_DIGITS >> 1)) return false;
  const raw = putBytes(whole, RAW_DATA, raw_size);
  if (!hexTo(raw_from, raw, raw_size)) return false;
  let to = raw + raw_size;
  for (let i: usize = 0; i < signatures; i++) {
    const size = usize(load<u32>(SIGNATURES + 8 * i, 4));
    to = putBytes(to, SIGNATURE, size);
    if (!hexTo(usize(load<u32>(SIGNATURES + 8 * i)), to, size)) return false;
    to += size;
  }
  if (result !== NO_RESULT) to = putResult(to);
  store<u32>(record, endingOf(), 12);
  store<u32>(record, u32(raw - record), 16);
  store<u32>(record, u32(raw_size), 20);
  store<u32>(record, u32(whole - record), 24);
  store<u32>(record, u32(to - whole), 28);
  putContract(record, raw, raw_size);
  return true;
}

/** Writes the key and the length of a field of bytes. Returns where the bytes go. */
function putBytes(to: usize, field: u32, size: usize): usize {
  return putCount(putCount(to, (field << 3) | LENGTH), u64(size));
}

/** Zeros are not written. */
function putResult(to: usize): usize {
  // Its length is below 128: one byte, written at the end.
  const inside = putBytes(to, RESULT, 0);
  let at = inside;
  if (fee !== 0) at = putCount(putCount(at, (RESULT_FEE << 3) | VARINT), u64(fee));
  if (result !== UNTOLD) at = putCount(putCount(at, (RESULT_END << 3) | VARINT), u64(result));
  store<u8>(inside - 1, u8(at - inside));
  return at;
}

function endingOf(): u32 {
  if (result === NO_RESULT || result === UNTOLD) return IS_GOOD;
  return (result === SUCCESS ? IS_GOOD : 0) | IS_SAID;
}

function putContract(record: usize, raw: usize, size: usize): void {
  if (!readContract(raw, size)) {
    store<u32>(record, NO_TYPE, 32);
    return;
  }
  store<u32>(record, ContractFields.type, 32);
  store<u32>(record, u32(ContractFields.sender - record), 36);
  store<u32>(record, u32(ContractFields.recipient - record), 40);
  store<u32>(record, u32(ContractFields.input - record), 44);
  store<u32>(record, ContractFields.input_size, 48);
  store<u32>(record, u32(ContractFields.token - record), 52);
  store<u32>(record, ContractFields.token_size, 56);
  store<u64>(record, ContractFields.value, 64);
}
