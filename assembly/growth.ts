/** Linear memory grows by itself, up to a bound that both modules share. */

/** Reading looks at most this far behind the end of the text. */
export const PADDING: usize = 64;
/** Short writes (headers, hashes, one number) need not ask again. */
export const SLACK: usize = 1024;
export const MOST_BYTES: usize = 768 << 20;
const PAGE: usize = 1 << 16;

/** Whether there are so many bytes; false when that is too much. */
export function grewTo(bytes: usize): bool {
  const held = usize(memory.size()) * PAGE;
  if (bytes <= held) return true;
  if (bytes > MOST_BYTES) return false;
  return memory.grow(i32((bytes - held + PAGE - 1) / PAGE)) >= 0;
}

/** Makes room for a text of `length` bytes at `input`, zeros behind it. Returns where what follows may begin; 0 when that is too much. */
export function behindText(input: usize, length: usize): usize {
  if (length > MOST_BYTES || !grewTo(input + length + PADDING + SLACK)) return 0;
  memory.fill(input + length, 0, PADDING);
  return (input + length + PADDING + 15) & ~15;
}
