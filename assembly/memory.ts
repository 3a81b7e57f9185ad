/**
 * Layout of linear memory. Nothing inside a module checks bounds, so each write of unknown length calls `hasRoom`
 * first.
 *
 *   0        data of the compiler: constants, tables, objects made at start (about 20 KiB)
 *   1 MiB    items of the list whose root is being computed: position and length of each
 *   2 MiB    the text, then PADDING zero bytes
 *   behind   values: grows on demand, up to MOST_BYTES
 */
import { fail, ParseFault } from "./cursor";
import { behindText, grewTo, MOST_BYTES, PADDING, SLACK } from "./growth";

export const ITEMS: usize = 1 << 20;
export const MOST_ITEMS: u32 = 1 << 16;
export const INPUT: usize = 2 << 20;

/** Start of the values. */
export let values: usize = INPUT + PADDING;

/** Makes room for a text of `length` bytes at INPUT. Returns false if it is too long. */
export function hasInputRoom(length: usize): bool {
  const behind = behindText(INPUT, length);
  if (behind === 0) return false;
  values = behind;
  return true;
}

/** Whether `size` bytes, and SLACK more, fit at `to`. Sets a fault if not. */
export function hasRoom(to: usize, size: usize): bool {
  if (size <= MOST_BYTES && grewTo(to + size + SLACK)) return true;
  fail(ParseFault.TooBig);
  return false;
}
