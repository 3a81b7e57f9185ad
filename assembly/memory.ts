/**
 * Where things lie in linear memory. Nothing inside a module checks bounds, so each write of unknown length asks
 * `hasRoom` first.
 *
 *   0        what the compiler places: constants, tables, the objects made at start (some 20 KiB)
 *   1 MiB    items of the list whose root is being computed: place and length of each
 *   2 MiB    the text, then PADDING zero bytes
 *   behind   values: grows by itself, up to MOST_BYTES
 */
import { Fault, fail } from "./cursor";

export const ITEMS: usize = 1 << 20;
export const MOST_ITEMS: u32 = 1 << 16;
export const INPUT: usize = 2 << 20;

/** Reading looks at most this far behind the end of the text. */
const PADDING: usize = 64;
/** Short writes (headers, hashes, one number) need not ask again. */
const SLACK: usize = 1024;
const PAGE: usize = 1 << 16;
const MOST_BYTES: usize = 768 << 20;

/** Start of the values. */
export let values: usize = INPUT + PADDING;

function grewTo(bytes: usize): bool {
  const held = usize(memory.size()) * PAGE;
  if (bytes <= held) return true;
  if (bytes > MOST_BYTES) return false;
  return memory.grow(i32((bytes - held + PAGE - 1) / PAGE)) >= 0;
}

/** Makes room for a text of `length` bytes at INPUT; false when that is too much. */
export function hasInputRoom(length: usize): bool {
  if (length > MOST_BYTES || !grewTo(INPUT + length + PADDING + SLACK)) return false;
  memory.fill(INPUT + length, 0, PADDING);
  values = (INPUT + length + PADDING + 15) & ~15;
  return true;
}

/** Whether `size` bytes, and some more, may be written from `to` on. Fails when not. */
export function hasRoom(to: usize, size: usize): bool {
  if (size <= MOST_BYTES && grewTo(to + size + SLACK)) return true;
  fail(Fault.TooBig);
  return false;
}
