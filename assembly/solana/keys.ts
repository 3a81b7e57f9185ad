/** The keys of a block, each once: the same programs, mints and wallets recur. Records refer to a key by its number. */

import { Text } from "../text";
import { base58To } from "./digits";
import { KEY_BYTES, KEY_SLOTS, KEYS, MOST_KEY_SLOTS, MOST_KEYS, MOST_TEXT_SLOTS, TEXT_SLOTS } from "./memory";

/** Numbers of the well-known keys, which `module.ts` writes first. */
export const TOKEN_PROGRAM: u32 = 0;
export const VOTE_PROGRAM: u32 = 1;
export const COMPUTE_BUDGET: u32 = 2;
const KNOWN: u32 = 3;
/** No key, or no room for one more. */
export const NO_KEY: u32 = 0xffff_ffff;

/** Bound for blocks whose keys were chosen to collide; TypeScript reads their transactions. */
const MOST_TRIES: u32 = 32;
/** Arbitrary odd constants. */
const MIX_0: u64 = 0x9e3779b97f4a7c15;
const MIX_1: u64 = 0xbf58476d1ce4e5b9;
const MIX_2: u64 = 0x94d049bb133111eb;
const MIX_3: u64 = 0xd6e8feb86659fd93;
const MIX_4: u64 = 0xff51afd7ed558ccd;
const MIX_5: u64 = 0xc4ceb9fe1a85ec53;

export let key_count: u32 = 0;

export function keyAt(number: u32): usize {
  return KEYS + KEY_BYTES * usize(number);
}

/** Forgets all keys except the well-known ones. */
export function beginKeys(): void {
  memory.fill(KEY_SLOTS, 0, 4 * usize(MOST_KEY_SLOTS));
  memory.fill(TEXT_SLOTS, 0, 8 * usize(MOST_TEXT_SLOTS));
  key_count = 0;
  for (let number: u32 = 0; number < KNOWN; number++) numberOf(keyAt(number));
}

export function isSameKey(one: usize, other: usize): bool {
  const low = (load<u64>(one) ^ load<u64>(other)) | (load<u64>(one, 8) ^ load<u64>(other, 8));
  return (low | (load<u64>(one, 16) ^ load<u64>(other, 16)) | (load<u64>(one, 24) ^ load<u64>(other, 24))) === 0;
}

/** The number of the key at an address. */
export function numberOf(key: usize): u32 {
  const mixed =
    load<u64>(key) * MIX_0 + load<u64>(key, 8) * MIX_1 + load<u64>(key, 16) * MIX_2 + load<u64>(key, 24) * MIX_3;
  let slot = u32(((mixed ^ (mixed >> 29)) * MIX_4) >> 47) & (MOST_KEY_SLOTS - 1);
  for (let tries: u32 = 0; tries < MOST_TRIES; tries++) {
    const at = KEY_SLOTS + 4 * usize(slot);
    const held = load<u32>(at);
    if (held === 0) {
      if (key_count === MOST_KEYS) return NO_KEY;
      const to = keyAt(key_count);
      if (to !== key) memory.copy(to, key, KEY_BYTES);
      store<u32>(at, ++key_count);
      return key_count - 1;
    }
    if (isSameKey(keyAt(held - 1), key)) return held - 1;
    slot = (slot + 1) & (MOST_KEY_SLOTS - 1);
  }
  return NO_KEY;
}

const FEWEST_DIGITS: u32 = 32;
const MOST_DIGITS: u32 = 44;
const LENGTH_SHIFT: u32 = 24;
const NUMBER_MASK: u32 = 0xff_ffff;
const DECODED: usize = memory.data(64);

/** The number of the key that the last text encodes in base58, or NO_KEY. */
export function keyOfText(): u32 {
  const length = u32(Text.to - Text.from);
  if (length < FEWEST_DIGITS || length > MOST_DIGITS) return NO_KEY;
  const from = Text.from;
  const tail: u64 = length >= 40 ? load<u64>(from, 32) : 0;
  let mixed = load<u64>(from) * MIX_0 + load<u64>(from, 8) * MIX_1 + load<u64>(from, 16) * MIX_2;
  mixed += load<u64>(from, 24) * MIX_3 + tail * MIX_4 + load<u64>(Text.to - 8) * MIX_5;
  let slot = u32(((mixed ^ (mixed >> 29)) * MIX_4) >> 47) & (MOST_TEXT_SLOTS - 1);
  for (let tries: u32 = 0; tries < MOST_TRIES; tries++) {
    const at = TEXT_SLOTS + 8 * usize(slot);
    const held = usize(load<u32>(at));
    if (held === 0) {
      if (base58To(DECODED) !== i32(KEY_BYTES)) return NO_KEY;
      const number = numberOf(DECODED);
      if (number === NO_KEY) return NO_KEY;
      store<u32>(at, u32(from));
      store<u32>(at, number | (length << LENGTH_SHIFT), 4);
      return number;
    }
    const about = load<u32>(at, 4);
    if (about >> LENGTH_SHIFT === length && isSameText(held, from, usize(length))) return about & NUMBER_MASK;
    slot = (slot + 1) & (MOST_TEXT_SLOTS - 1);
  }
  return base58To(DECODED) === i32(KEY_BYTES) ? numberOf(DECODED) : NO_KEY;
}

/** Compares texts of at least 32 characters. */
function isSameText(one: usize, other: usize, length: usize): bool {
  let differs = load<u64>(one + length - 8) ^ load<u64>(other + length - 8);
  for (let i: usize = 0; i + 8 <= length; i += 8) differs |= load<u64>(one + i) ^ load<u64>(other + i);
  return differs === 0;
}
