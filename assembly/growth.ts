/** Linear memory grows on demand, up to a bound that all modules share. */

/** Readers look at most this far past the end of the text. */
export const PADDING: usize = 64;
/** Short writes (headers, hashes, one number) need no check of their own. */
export const SLACK: usize = 1024;
export const MOST_BYTES: usize = 768 << 20;
const PAGE: usize = 1 << 16;

/** Grows memory to `bytes` bytes. Returns false if that exceeds the bound. */
export function grewTo(bytes: usize): bool {
  const held = usize(memory.size()) * PAGE;
  if (bytes <= held) return true;
  if (bytes > MOST_BYTES) return false;
  return memory.grow(i32((bytes - held + PAGE - 1) / PAGE)) >= 0;
}

/**
 * Makes room for a text of `length` bytes at `input`, followed by zeros. Returns the first free address behind it, or 0
 * if the text is too long.
 */
export function behindText(input: usize, length: usize): usize {
  if (length > MOST_BYTES || !grewTo(input + length + PADDING + SLACK)) return 0;
  memory.fill(input + length, 0, PADDING);
  return (input + length + PADDING + 15) & ~15;
}
