/**
 * Reads the contract of a transaction from its raw data, if its type is common and it moves only its value and a token
 * (numbers of types and fields: java-tron, core/Tron.proto and core/contract). `src/chains/tron/contracts.ts` reads the
 * others.
 */
import { beginMessage, enterOnly, hasMore, LENGTH, MessageField, readField, VARINT } from "./protobuf";

const CONTRACT: u64 = 11;
/** Fields of a contract. */
const TYPE: usize = 1;
const PARAMETER: usize = 2;
/** Fields of its parameter. */
const VALUE: usize = 2;

/** Numbers of the common types; `src/chains/tron/contract_types.ts` has the full list. */
const TRANSFER: u64 = 1;
const TRANSFER_ASSET: u64 = 2;
const TRIGGER: u64 = 31;
const DELEGATE: u64 = 57;
const UNDELEGATE: u64 = 58;
/** No contract was read. */
export const NO_TYPE: u32 = 0xffff_ffff;

/** The contract read last. Addresses have 20 bytes. */
export class ContractFields {
  static type: u32 = 0;
  static sender: usize = 0;
  static recipient: usize = 0;
  static value: u64 = 0;
  static input: usize = 0;
  static input_size: u32 = 0;
  /** The name or number of the token of which `value` is transferred. */
  static token: usize = 0;
  static token_size: u32 = 0;
}

/** Reads `size` bytes at `from`. Returns false if TypeScript has to read the contract. */
export function readContract(from: usize, size: usize): bool {
  beginMessage(from, size);
  if (!enterOnly(CONTRACT) || !readFields() || !hasOnly(TYPE, VARINT) || !hasOnly(PARAMETER, LENGTH)) return false;
  const type = numberOf(TYPE);
  enter(PARAMETER);
  if (!readFields() || !hasOnly(VALUE, LENGTH)) return false;
  enter(VALUE);
  if (!readFields()) return false;
  ContractFields.type = u32(type);
  ContractFields.value = 0;
  ContractFields.input_size = 0;
  ContractFields.token_size = 0;
  if (type === TRANSFER) return readSides(1, 2) && readAmount(3);
  if (type === TRANSFER_ASSET) return readToken(1) && readSides(2, 3) && readAmount(4);
  if (type === TRIGGER) return readSides(1, 2) && readAmount(3) && readInput(4) && isZero(5) && isZero(6);
  return (type === DELEGATE || type === UNDELEGATE) && readSides(1, 4);
}

/** Fields of a message that have small numbers: kind, size, and value or position. */
const FIELDS: usize = memory.data(128);
const FIELD_BYTES: usize = 16;
const MOST_FIELDS: u64 = 8;
const NO_KIND: u32 = 0xff;

/** Reads the fields of the message begun last. Returns false if it is invalid or has one of them twice. */
function readFields(): bool {
  for (let i: usize = 0; i < usize(MOST_FIELDS); i++) store<u32>(FIELDS + FIELD_BYTES * i, NO_KIND);
  while (hasMore()) {
    if (!readField()) return false;
    if (MessageField.number >= MOST_FIELDS) continue;
    const to = FIELDS + FIELD_BYTES * usize(MessageField.number);
    if (load<u32>(to) !== NO_KIND) return false;
    store<u32>(to, MessageField.kind);
    store<u32>(to, MessageField.size, 4);
    store<u64>(to, MessageField.kind === VARINT ? MessageField.value : u64(MessageField.from), 8);
  }
  return true;
}

function kindOf(field: usize): u32 {
  return load<u32>(FIELDS + FIELD_BYTES * field);
}

function sizeOf(field: usize): u32 {
  return load<u32>(FIELDS + FIELD_BYTES * field, 4);
}

function numberOf(field: usize): u64 {
  return load<u64>(FIELDS + FIELD_BYTES * field, 8);
}

function placeOf(field: usize): usize {
  return usize(numberOf(field));
}

function hasOnly(field: usize, kind: u32): bool {
  return kindOf(field) === kind;
}

function enter(field: usize): void {
  beginMessage(placeOf(field), usize(sizeOf(field)));
}

const ADDRESS_BYTES: u32 = 21;
const PREFIX: u8 = 0x41;

function isAddress(field: usize): bool {
  return hasOnly(field, LENGTH) && sizeOf(field) === ADDRESS_BYTES && load<u8>(placeOf(field)) === PREFIX;
}

function readSides(sender: usize, recipient: usize): bool {
  ContractFields.sender = placeOf(sender) + 1;
  ContractFields.recipient = placeOf(recipient) + 1;
  return isAddress(sender) && isAddress(recipient);
}

/** An omitted amount is zero. */
function readAmount(field: usize): bool {
  const is_told = kindOf(field) !== NO_KIND;
  ContractFields.value = is_told ? numberOf(field) : 0;
  return !is_told || hasOnly(field, VARINT);
}

/** A call that transfers a token is left to TypeScript. */
function isZero(field: usize): bool {
  return kindOf(field) === NO_KIND || (hasOnly(field, VARINT) && numberOf(field) === 0);
}

/** An omitted input is empty. */
function readInput(field: usize): bool {
  if (kindOf(field) === NO_KIND) return true;
  ContractFields.input = placeOf(field);
  ContractFields.input_size = sizeOf(field);
  return hasOnly(field, LENGTH);
}

function readToken(field: usize): bool {
  ContractFields.token = placeOf(field);
  ContractFields.token_size = sizeOf(field);
  return hasOnly(field, LENGTH);
}
