/** Records behind the text of an answer, one behind the other, for Solana and Tron: they grow by themselves, up to MOST_BYTES. */
import { behindText, grewTo, SLACK } from "./growth";

/** Start of the records, and where the next one goes. */
export let records: usize = 0;
export let end: usize = 0;

/** Makes room for a text of `length` bytes at `input`; false when that is too much. */
export function beginRecords(input: usize, length: usize): bool {
  const behind = behindText(input, length);
  if (behind === 0) return false;
  records = behind;
  end = behind;
  return true;
}

/** Where the next `size` bytes of the records go, which begin at whole words of eight bytes; 0 when there is no room. */
export function takeRoom(size: usize): usize {
  const start = end;
  const whole = (size + 7) & ~7;
  if (!grewTo(start + whole + SLACK)) return 0;
  end = start + whole;
  return start;
}

/** Forgets what was written from `to` on. */
export function giveBack(to: usize): void {
  end = to;
}
