/**
 * Records behind the text of an answer, one after another, for Solana and Tron. They grow on demand, up to MOST_BYTES.
 */
import { behindText, grewTo, SLACK } from "./growth";

/** Start of the records, and position of the next one. */
export let records: usize = 0;
export let end: usize = 0;

/** Makes room for a text of `length` bytes at `input`. Returns false if it is too long. */
export function beginRecords(input: usize, length: usize): bool {
  const behind = behindText(input, length);
  if (behind === 0) return false;
  records = behind;
  end = behind;
  return true;
}

/** Reserves `size` bytes of records, aligned to eight bytes, and returns their position, or 0 if there is no room. */
export function takeRoom(size: usize): usize {
  const start = end;
  const whole = (size + 7) & ~7;
  if (!grewTo(start + whole + SLACK)) return 0;
  end = start + whole;
  return start;
}

/** Discards the records from `to` on. */
export function giveBack(to: usize): void {
  end = to;
}
