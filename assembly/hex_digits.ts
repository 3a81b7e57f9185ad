/** Decodes hex digits into bytes. */

/** 0..15 for a hex digit, else 255. */
const NIBBLES: usize = memory.data(256);
memory.fill(NIBBLES, 255, 256);
for (let i: u8 = 0; i < 10; i++) store<u8>(NIBBLES + 0x30 + i, i);
for (let i: u8 = 0; i < 6; i++) {
  store<u8>(NIBBLES + 0x41 + i, 10 + i);
  store<u8>(NIBBLES + 0x61 + i, 10 + i);
}

export function nibble(at: usize): u8 {
  return load<u8>(NIBBLES + load<u8>(at));
}

/** Writes `size` bytes from the 2 * size hex digits at `from`, of either case. Returns false if they are not hex. */
export function hexTo(from: usize, to: usize, size: usize): bool {
  if (size >= 16) return hexToWide(from, to, size);
  let bad: u8 = 0;
  for (let i: usize = 0; i < size; i++) {
    const high = nibble(from + 2 * i);
    const low = nibble(from + 2 * i + 1);
    bad |= high | low;
    store<u8>(to + i, (high << 4) | (low & 15));
  }
  return bad <= 15;
}

/** 16 bytes a step; the last step overlaps the one before it. */
function hexToWide(from: usize, to: usize, size: usize): bool {
  let valid = i8x16.splat(-1);
  let done: usize = 0;
  do {
    const i = min(done, size - 16);
    const a = v128.load(from + 2 * i);
    const b = v128.load(from + 2 * i, 16);
    valid = v128.and(valid, v128.and(areHex(a), areHex(b)));
    v128.store(to + i, i8x16.narrow_i16x8_u(joinNibbles(a), joinNibbles(b)));
    done += 16;
  } while (done < size);
  return i8x16.all_true(valid);
}

function areHex(chars: v128): v128 {
  const digits = i8x16.le_u(i8x16.sub(chars, i8x16.splat(0x30)), i8x16.splat(9));
  const letters = i8x16.le_u(i8x16.sub(v128.or(chars, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(5));
  return v128.or(digits, letters);
}

/** Joins 16 digits into eight bytes, each in 16 bits. */
function joinNibbles(chars: v128): v128 {
  const letter = v128.and(i8x16.shr_u(chars, 6), i8x16.splat(1));
  const nibbles = i8x16.add(v128.and(chars, i8x16.splat(15)), v128.or(i8x16.shl(letter, 3), letter));
  return v128.and(v128.or(i16x8.shl(nibbles, 4), i16x8.shr_u(nibbles, 8)), i16x8.splat(255));
}
