/**
 * Elements of the field of secp256k1 (SEC 2, 2.4.1), below p = 2^256 - 2^32 - 977: nine limbs of 29 bits, the lowest
 * first, 32 bits each in memory. The limbs of an element are below m * (2^29 + 2^21), the highest below m * 2^24. m is
 * 1 unless a function states otherwise for what it takes or leaves. Products of m * m up to 6 do not overflow 64 bits.
 */

export const ELEMENT: usize = 40;
export const LIMBS: usize = 9;
export const LIMB: u64 = 0x1fffffff;
export const TOP_LIMB: u64 = 0xffffff;
/** 2^261 is 2^37 + 31264, and 2^256 is 2^32 + 977. */
const FOLD: u64 = 31264;
const OVER: u64 = 977;
const P0: u64 = 0x1ffffc2f;
const P1: u64 = 0x1ffffff7;

/** Takes two factors with m1 * m2 <= 6. */
export function multiply(to: usize, a: usize, b: usize): void {
  const a0 = u64(load<u32>(a)),
    a1 = u64(load<u32>(a, 4)),
    a2 = u64(load<u32>(a, 8)),
    a3 = u64(load<u32>(a, 12)),
    a4 = u64(load<u32>(a, 16)),
    a5 = u64(load<u32>(a, 20)),
    a6 = u64(load<u32>(a, 24)),
    a7 = u64(load<u32>(a, 28)),
    a8 = u64(load<u32>(a, 32));
  const b0 = u64(load<u32>(b)),
    b1 = u64(load<u32>(b, 4)),
    b2 = u64(load<u32>(b, 8)),
    b3 = u64(load<u32>(b, 12)),
    b4 = u64(load<u32>(b, 16)),
    b5 = u64(load<u32>(b, 20)),
    b6 = u64(load<u32>(b, 24)),
    b7 = u64(load<u32>(b, 28)),
    b8 = u64(load<u32>(b, 32));
  let t = a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1;
  const h0 = t & LIMB;
  t = a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + (t >> 29);
  const h1 = t & LIMB;
  t = a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + (t >> 29);
  const h2 = t & LIMB;
  t = a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + (t >> 29);
  const h3 = t & LIMB;
  t = a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + (t >> 29);
  const h4 = t & LIMB;
  t = a6 * b8 + a7 * b7 + a8 * b6 + (t >> 29);
  const h5 = t & LIMB;
  t = a7 * b8 + a8 * b7 + (t >> 29);
  const h6 = t & LIMB;
  t = a8 * b8 + (t >> 29);
  const h7 = t & LIMB;
  const h8 = t >> 29;
  t = a0 * b0 + h0 * FOLD;
  const r0 = t & LIMB;
  t = a0 * b1 + a1 * b0 + (h1 * FOLD + (h0 << 8)) + (t >> 29);
  const r1 = t & LIMB;
  t = a0 * b2 + a1 * b1 + a2 * b0 + (h2 * FOLD + (h1 << 8)) + (t >> 29);
  const r2 = t & LIMB;
  t = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + (h3 * FOLD + (h2 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 12);
  t = a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + (h4 * FOLD + (h3 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 16);
  t = a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + (h5 * FOLD + (h4 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 20);
  t = a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + (h6 * FOLD + (h5 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 24);
  t =
    a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + (h7 * FOLD + (h6 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 28);
  t =
    a0 * b8 +
    a1 * b7 +
    a2 * b6 +
    a3 * b5 +
    a4 * b4 +
    a5 * b3 +
    a6 * b2 +
    a7 * b1 +
    a8 * b0 +
    (h8 * FOLD + (h7 << 8)) +
    (t >> 29);
  store<u32>(to, u32(t & TOP_LIMB), 32);
  finish(to, r0, r1, r2, ((t & LIMB) >> 24) + (((t >> 29) + (h8 << 8)) << 5));
}

/** Takes an element with m <= 2. */
export function square(to: usize, a: usize): void {
  const a0 = u64(load<u32>(a)),
    a1 = u64(load<u32>(a, 4)),
    a2 = u64(load<u32>(a, 8)),
    a3 = u64(load<u32>(a, 12)),
    a4 = u64(load<u32>(a, 16)),
    a5 = u64(load<u32>(a, 20)),
    a6 = u64(load<u32>(a, 24)),
    a7 = u64(load<u32>(a, 28)),
    a8 = u64(load<u32>(a, 32));
  const d0 = a0 << 1,
    d1 = a1 << 1,
    d2 = a2 << 1,
    d3 = a3 << 1,
    d4 = a4 << 1,
    d5 = a5 << 1,
    d6 = a6 << 1,
    d7 = a7 << 1;
  let t = d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5;
  const h0 = t & LIMB;
  t = d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5 + (t >> 29);
  const h1 = t & LIMB;
  t = d3 * a8 + d4 * a7 + d5 * a6 + (t >> 29);
  const h2 = t & LIMB;
  t = d4 * a8 + d5 * a7 + a6 * a6 + (t >> 29);
  const h3 = t & LIMB;
  t = d5 * a8 + d6 * a7 + (t >> 29);
  const h4 = t & LIMB;
  t = d6 * a8 + a7 * a7 + (t >> 29);
  const h5 = t & LIMB;
  t = d7 * a8 + (t >> 29);
  const h6 = t & LIMB;
  t = a8 * a8 + (t >> 29);
  const h7 = t & LIMB;
  const h8 = t >> 29;
  t = a0 * a0 + h0 * FOLD;
  const r0 = t & LIMB;
  t = d0 * a1 + (h1 * FOLD + (h0 << 8)) + (t >> 29);
  const r1 = t & LIMB;
  t = d0 * a2 + a1 * a1 + (h2 * FOLD + (h1 << 8)) + (t >> 29);
  const r2 = t & LIMB;
  t = d0 * a3 + d1 * a2 + (h3 * FOLD + (h2 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 12);
  t = d0 * a4 + d1 * a3 + a2 * a2 + (h4 * FOLD + (h3 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 16);
  t = d0 * a5 + d1 * a4 + d2 * a3 + (h5 * FOLD + (h4 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 20);
  t = d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + (h6 * FOLD + (h5 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 24);
  t = d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + (h7 * FOLD + (h6 << 8)) + (t >> 29);
  store<u32>(to, u32(t & LIMB), 28);
  t = d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + (h8 * FOLD + (h7 << 8)) + (t >> 29);
  store<u32>(to, u32(t & TOP_LIMB), 32);
  finish(to, r0, r1, r2, ((t & LIMB) >> 24) + (((t >> 29) + (h8 << 8)) << 5));
}

/** Adds the part above 2^256 to the three lowest limbs. */
function finish(to: usize, r0: u64, r1: u64, r2: u64, over: u64): void {
  const low = r0 + over * OVER;
  store<u32>(to, u32(low & LIMB));
  const next = r1 + (over << 3) + (low >> 29);
  store<u32>(to, u32(next & LIMB), 4);
  store<u32>(to, u32(r2 + (next >> 29)), 8);
}

/** a - b, where m of b is below `above`; both may have m up to 7. */
export function subtract(to: usize, a: usize, b: usize, above: u64): void {
  const middle = above * LIMB;
  let t = u64(load<u32>(a)) + above * P0 - u64(load<u32>(b));
  const r0 = t & LIMB;
  t = (t >> 29) + u64(load<u32>(a, 4)) + above * P1 - u64(load<u32>(b, 4));
  const r1 = t & LIMB;
  t = (t >> 29) + u64(load<u32>(a, 8)) + middle - u64(load<u32>(b, 8));
  const r2 = t & LIMB;
  t = (t >> 29) + u64(load<u32>(a, 12)) + middle - u64(load<u32>(b, 12));
  store<u32>(to, u32(t & LIMB), 12);
  t = (t >> 29) + u64(load<u32>(a, 16)) + middle - u64(load<u32>(b, 16));
  store<u32>(to, u32(t & LIMB), 16);
  t = (t >> 29) + u64(load<u32>(a, 20)) + middle - u64(load<u32>(b, 20));
  store<u32>(to, u32(t & LIMB), 20);
  t = (t >> 29) + u64(load<u32>(a, 24)) + middle - u64(load<u32>(b, 24));
  store<u32>(to, u32(t & LIMB), 24);
  t = (t >> 29) + u64(load<u32>(a, 28)) + middle - u64(load<u32>(b, 28));
  store<u32>(to, u32(t & LIMB), 28);
  t = (t >> 29) + u64(load<u32>(a, 32)) + above * TOP_LIMB - u64(load<u32>(b, 32));
  store<u32>(to, u32(t & TOP_LIMB), 32);
  finish(to, r0, r1, r2, t >> 24);
}

/** a - b, where m of b is 1; leaves m of a + 2. */
export function subtractLoosely(to: usize, a: usize, b: usize): void {
  store<u32>(to, load<u32>(a) + 2 * u32(P0) - load<u32>(b));
  store<u32>(to, load<u32>(a, 4) + 2 * u32(P1) - load<u32>(b, 4), 4);
  store<u32>(to, load<u32>(a, 8) + 2 * u32(LIMB) - load<u32>(b, 8), 8);
  store<u32>(to, load<u32>(a, 12) + 2 * u32(LIMB) - load<u32>(b, 12), 12);
  store<u32>(to, load<u32>(a, 16) + 2 * u32(LIMB) - load<u32>(b, 16), 16);
  store<u32>(to, load<u32>(a, 20) + 2 * u32(LIMB) - load<u32>(b, 20), 20);
  store<u32>(to, load<u32>(a, 24) + 2 * u32(LIMB) - load<u32>(b, 24), 24);
  store<u32>(to, load<u32>(a, 28) + 2 * u32(LIMB) - load<u32>(b, 28), 28);
  store<u32>(to, load<u32>(a, 32) + 2 * u32(TOP_LIMB) - load<u32>(b, 32), 32);
}

/** a + times * b; leaves m of a + times * m of b. */
export function addTimes(to: usize, a: usize, b: usize, times: u32): void {
  store<u32>(to, load<u32>(a) + times * load<u32>(b));
  store<u32>(to, load<u32>(a, 4) + times * load<u32>(b, 4), 4);
  store<u32>(to, load<u32>(a, 8) + times * load<u32>(b, 8), 8);
  store<u32>(to, load<u32>(a, 12) + times * load<u32>(b, 12), 12);
  store<u32>(to, load<u32>(a, 16) + times * load<u32>(b, 16), 16);
  store<u32>(to, load<u32>(a, 20) + times * load<u32>(b, 20), 20);
  store<u32>(to, load<u32>(a, 24) + times * load<u32>(b, 24), 24);
  store<u32>(to, load<u32>(a, 28) + times * load<u32>(b, 28), 28);
  store<u32>(to, load<u32>(a, 32) + times * load<u32>(b, 32), 32);
}

/** Half of three times an element; leaves m = 2. */
export function threeHalves(to: usize, a: usize): void {
  // p makes an odd number even.
  const odd = u64(load<u32>(a)) & 1;
  let low = 3 * u64(load<u32>(a)) + odd * P0;
  let next = 3 * u64(load<u32>(a, 4)) + odd * P1;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)));
  low = next;
  next = 3 * u64(load<u32>(a, 8)) + odd * LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 4);
  low = next;
  next = 3 * u64(load<u32>(a, 12)) + odd * LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 8);
  low = next;
  next = 3 * u64(load<u32>(a, 16)) + odd * LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 12);
  low = next;
  next = 3 * u64(load<u32>(a, 20)) + odd * LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 16);
  low = next;
  next = 3 * u64(load<u32>(a, 24)) + odd * LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 20);
  low = next;
  next = 3 * u64(load<u32>(a, 28)) + odd * LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 24);
  low = next;
  next = 3 * u64(load<u32>(a, 32)) + odd * TOP_LIMB;
  store<u32>(to, u32((low >> 1) + ((next & 1) << 28)), 28);
  store<u32>(to, u32(next >> 1), 32);
}

export function copy(to: usize, from: usize): void {
  for (let i: usize = 0; i < ELEMENT; i += 8) store<u64>(to + i, load<u64>(from + i));
}

/** Whether an element with m = 1 is zero. */
export function isZero(a: usize): bool {
  const low = u64(load<u32>(a)) & LIMB;
  if (low !== 0 && low !== P0) return false;
  copy(PROBE, a);
  normalize(PROBE);
  let any: u32 = 0;
  for (let i: usize = 0; i < LIMBS; i++) any |= load<u32>(PROBE + 4 * i);
  return any === 0;
}
const PROBE: usize = memory.data(40);

/** Reduces an element with m = 1 to its unique form below p. */
export function normalize(a: usize): void {
  carry(a, 0);
  carry(a, 0);
  if (!isAtLeastP(a)) return;
  carry(a, 1);
}

/** Subtracts `times` p and folds the part above 2^256 back; leaves canonical limbs. */
function carry(a: usize, times: u64): void {
  const over = times > 0 ? times : u64(load<u32>(a, 32)) >> 24;
  if (times === 0) store<u32>(a, load<u32>(a, 32) & u32(TOP_LIMB), 32);
  let t = over * OVER;
  for (let i: usize = 0; i < LIMBS; i++) {
    t += u64(load<u32>(a + 4 * i)) + (i === 1 ? over << 3 : 0);
    store<u32>(a + 4 * i, u32(t & LIMB));
    t >>= 29;
  }
  if (times > 0) store<u32>(a, load<u32>(a, 32) & u32(TOP_LIMB), 32);
}

function isAtLeastP(a: usize): bool {
  if (u64(load<u32>(a, 32)) !== TOP_LIMB) return false;
  for (let i: usize = 2; i < LIMBS - 1; i++) if (u64(load<u32>(a + 4 * i)) !== LIMB) return false;
  const next = u64(load<u32>(a, 4));
  return next > P1 || (next === P1 && u64(load<u32>(a)) >= P0);
}
