/**
 * A transaction in its wire format: signatures, then the message (Solana transaction format, legacy and version 0). The
 * rules are those of `src/chains/solana/message.ts`, which also reads what this module rejects.
 */
import { INSTRUCTION_BYTES, KEY_BYTES, MOST_ACCOUNTS, MOST_INSTRUCTIONS, OUTER, SIGNATURE_BYTES, WIRE } from "./memory";

/** The transaction read last; positions are within its bytes. */
export class Wire {
  static size: u32 = 0;
  static signatures_at: u32 = 0;
  static signers: u32 = 0;
  static message_at: u32 = 0;
  static keys_at: u32 = 0;
  static keys: u32 = 0;
  static instructions: u32 = 0;
  /** Accounts of look-up tables that the message names. */
  static writable: u32 = 0;
  static readonly: u32 = 0;
}

const VERSION_0: u8 = 0x80;
const BLOCKHASH_BYTES: u32 = 32;

let at: u32 = 0;
/** Bytes are missing. */
let is_cut: bool = false;

function byte(): u32 {
  if (at >= Wire.size) {
    is_cut = true;
    return 0;
  }
  return u32(load<u8>(WIRE + usize(at++)));
}

function pass(count: u32): void {
  if (count > Wire.size - at) is_cut = true;
  else at += count;
}

/** `compact-u16`: seven bits a byte, at most three bytes. */
function length(): u32 {
  let value: u32 = 0;
  for (let shift: u32 = 0; shift <= 14; shift += 7) {
    const now = byte();
    value |= (now & 0x7f) << shift;
    if ((now & 0x80) === 0) return value;
  }
  is_cut = true;
  return 0;
}

/** Reads `size` bytes and writes the instructions to OUTER. Returns false if they are not one whole transaction. */
export function readWire(size: u32): bool {
  Wire.size = size;
  at = 0;
  is_cut = false;
  Wire.signers = length();
  Wire.signatures_at = at;
  pass(Wire.signers * u32(SIGNATURE_BYTES));
  Wire.message_at = at;
  const has_version = load<u8>(WIRE + usize(at)) >= VERSION_0;
  if (has_version && byte() !== u32(VERSION_0)) return false;
  if (byte() !== Wire.signers || Wire.signers === 0) return false;
  pass(2);
  Wire.keys = length();
  Wire.keys_at = at;
  pass(Wire.keys * u32(KEY_BYTES));
  pass(BLOCKHASH_BYTES);
  if (is_cut || Wire.keys < Wire.signers || Wire.keys > MOST_ACCOUNTS) return false;
  Wire.instructions = length();
  if (Wire.instructions > MOST_INSTRUCTIONS) return false;
  for (let i: u32 = 0; i < Wire.instructions; i++) if (!readInstruction(i)) return false;
  Wire.writable = 0;
  Wire.readonly = 0;
  const tables = has_version ? length() : 0;
  for (let i: u32 = 0; i < tables && !is_cut; i++) readTable();
  return !is_cut && at === size;
}

/** Depth, program, position and number of accounts, position and size of the data. */
function readInstruction(number: u32): bool {
  const to = OUTER + INSTRUCTION_BYTES * usize(number);
  store<u32>(to, 1);
  store<u32>(to, byte(), 4);
  const accounts = length();
  store<u32>(to, at, 8);
  store<u32>(to, accounts, 12);
  pass(accounts);
  const size = length();
  store<u32>(to, at, 16);
  store<u32>(to, size, 20);
  pass(size);
  return !is_cut;
}

function readTable(): void {
  pass(u32(KEY_BYTES));
  const writable = length();
  pass(writable);
  const readonly = length();
  pass(readonly);
  Wire.writable += writable;
  Wire.readonly += readonly;
}
