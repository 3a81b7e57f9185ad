/**
 * Scalars below n, the order of secp256k1 (SEC 2, 2.4.1): eight limbs of 32 bits, the lowest first. There are few
 * operations on scalars, so plain loops are fast enough.
 */

export const SCALAR: usize = 32;
const LIMBS: usize = 8;
const N: usize = memory.data<u32>([
  0xd0364141, 0xbfd25e8c, 0xaf48a03b, 0xbaaedce6, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff,
]);
/** 2^256 - n. */
const COMPLEMENT: usize = memory.data<u32>([0x2fc9bebf, 0x402da173, 0x50b75fc4, 0x45512319, 0x00000001]);
const COMPLEMENT_LIMBS: usize = 5;

/** A product before its reduction, and room to fold it. */
const WIDE: usize = memory.data(64);
const HIGH: usize = memory.data(32);

/** Reads 32 bytes, big-endian, as a scalar modulo n. Returns false if they are n or more. */
export function readScalar(to: usize, bytes: usize): bool {
  for (let i: usize = 0; i < LIMBS; i++) store<u32>(to + 4 * i, bswap<u32>(load<u32>(bytes + 28 - 4 * i)));
  if (isBelowN(to)) return true;
  addComplement(to);
  return false;
}

export function isZeroScalar(a: usize): bool {
  return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) === 0;
}

function isBelowN(a: usize): bool {
  for (let i: i32 = 7; i >= 0; i--) {
    const own = load<u32>(a + 4 * usize(i));
    const limit = load<u32>(N + 4 * usize(i));
    if (own !== limit) return own < limit;
  }
  return false;
}

/** Subtracts n, modulo 2^256. */
function addComplement(a: usize): void {
  let t: u64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    t += u64(load<u32>(a + 4 * i)) + (i < COMPLEMENT_LIMBS ? u64(load<u32>(COMPLEMENT + 4 * i)) : 0);
    store<u32>(a + 4 * i, u32(t));
    t >>= 32;
  }
}

/** n - a; 0 for 0. */
export function negateScalar(to: usize, a: usize): void {
  if (isZeroScalar(a)) return clearScalar(to);
  let t: i64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    t += i64(load<u32>(N + 4 * i)) - i64(load<u32>(a + 4 * i));
    store<u32>(to + 4 * i, u32(t));
    t >>= 32;
  }
}

export function addScalars(to: usize, a: usize, b: usize): void {
  let t: u64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    t += u64(load<u32>(a + 4 * i)) + u64(load<u32>(b + 4 * i));
    store<u32>(to + 4 * i, u32(t));
    t >>= 32;
  }
  if (t > 0 || !isBelowN(to)) addComplement(to);
}

/** Faster than the copy and fill instructions of the engine. */
function copyScalar(to: usize, from: usize): void {
  for (let i: usize = 0; i < SCALAR; i += 8) store<u64>(to + i, load<u64>(from + i));
}

function clearScalar(to: usize): void {
  for (let i: usize = 0; i < SCALAR; i += 8) store<u64>(to + i, 0);
}

/** Writes the sixteen limbs of a * b to WIDE. */
function multiplyWide(a: usize, b: usize): void {
  clearScalar(WIDE);
  clearScalar(WIDE + SCALAR);
  for (let i: usize = 0; i < LIMBS; i++) {
    const factor = u64(load<u32>(a + 4 * i));
    if (factor !== 0) store<u32>(WIDE + 4 * (i + LIMBS), u32(addProduct(WIDE + 4 * i, factor, b, LIMBS)));
  }
}

/** Adds factor * b, which has `limbs` limbs, to the number at `to`. Returns the carry. */
function addProduct(to: usize, factor: u64, b: usize, limbs: usize): u64 {
  let t: u64 = 0;
  for (let k: usize = 0; k < limbs; k++) {
    t += factor * u64(load<u32>(b + 4 * k)) + u64(load<u32>(to + 4 * k));
    store<u32>(to + 4 * k, u32(t));
    t >>= 32;
  }
  return t;
}

/** 2^256 is COMPLEMENT: folds the part above it back until none is left (512, 385, 259, 256 bits). */
function reduceWide(to: usize): void {
  while (!isZeroScalar(WIDE + SCALAR)) {
    copyScalar(HIGH, WIDE + SCALAR);
    clearScalar(WIDE + SCALAR);
    for (let i: usize = 0; i < LIMBS; i++) {
      const factor = u64(load<u32>(HIGH + 4 * i));
      if (factor === 0) continue;
      let t = addProduct(WIDE + 4 * i, factor, COMPLEMENT, COMPLEMENT_LIMBS);
      for (let k = i + COMPLEMENT_LIMBS; t !== 0; k++) {
        t += u64(load<u32>(WIDE + 4 * k));
        store<u32>(WIDE + 4 * k, u32(t));
        t >>= 32;
      }
    }
  }
  copyScalar(to, WIDE);
  if (!isBelowN(to)) addComplement(to);
}

export function multiplyScalars(to: usize, a: usize, b: usize): void {
  multiplyWide(a, b);
  reduceWide(to);
}

/** a * b / 2^384, rounded. */
export function multiplyShifted(to: usize, a: usize, b: usize): void {
  multiplyWide(a, b);
  clearScalar(to);
  let t = u64(load<u32>(WIDE, 44) >> 31);
  for (let i: usize = 0; i < 4; i++) {
    t += u64(load<u32>(WIDE + 48 + 4 * i));
    store<u32>(to + 4 * i, u32(t));
    t >>= 32;
  }
  store<u32>(to, u32(t), 16);
}

const BASE: usize = memory.data(32);
/** The lowest limb of n - 2; the others are those of n. */
const LOWEST_OF_EXPONENT: u32 = 0xd036413f;

/** 1 / a (Fermat). `to` may be `a`. */
export function invertScalar(to: usize, a: usize): void {
  copyScalar(BASE, a);
  clearScalar(to);
  store<u32>(to, 1);
  for (let bit: i32 = 255; bit >= 0; bit--) {
    multiplyScalars(to, to, to);
    const limb = bit < 32 ? LOWEST_OF_EXPONENT : load<u32>(N + 4 * usize(bit >> 5));
    if ((limb >> (bit & 31)) & 1) multiplyScalars(to, to, BASE);
  }
}

const PRODUCT: usize = memory.data(32);

/** Inverts many consecutive scalars, none of them zero, as `invertAll` does for field elements. */
export function invertAllScalars(first: usize, count: u32, room: usize): void {
  if (count === 0) return;
  copyScalar(room, first);
  for (let i: usize = 1; i < count; i++)
    multiplyScalars(room + i * SCALAR, room + (i - 1) * SCALAR, first + i * SCALAR);
  invertScalar(PRODUCT, room + (count - 1) * SCALAR);
  for (let i: usize = count - 1; i > 0; i--) {
    const one = first + i * SCALAR;
    multiplyScalars(room + i * SCALAR, PRODUCT, room + (i - 1) * SCALAR);
    multiplyScalars(PRODUCT, PRODUCT, one);
    copyScalar(one, room + i * SCALAR);
  }
  copyScalar(first, PRODUCT);
}
