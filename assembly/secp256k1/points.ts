/**
 * Points of secp256k1: y^2 = x^3 + 7. Affine points are x, y. Sums are x / z^2, y / z^3 (Jacobian), with z = 0 for the
 * point at infinity (hyperelliptic.org/EFD, shortw-jacobian-0; as in libsecp256k1, group_impl.h).
 */
import { addTimes, copy, ELEMENT, isZero, multiply, square, subtract, subtractLoosely, threeHalves } from "./field";

export const AFFINE: usize = 2 * ELEMENT;
export const POINT: usize = 3 * ELEMENT;
export const Y: usize = ELEMENT;
export const Z: usize = 2 * ELEMENT;

const ROOM: usize = memory.data(320);
const S: usize = ROOM;
const L: usize = ROOM + ELEMENT;
const T: usize = ROOM + 2 * ELEMENT;
const H: usize = ROOM + 3 * ELEMENT;
const R: usize = ROOM + 4 * ELEMENT;
const HH: usize = ROOM + 5 * ELEMENT;
const HHH: usize = ROOM + 6 * ELEMENT;
const V: usize = ROOM + 7 * ELEMENT;

/** Whether a sum is the point at infinity: its z is 0. */
export function isInfinity(point: usize): bool {
  let any: u64 = 0;
  for (let i: usize = 0; i < ELEMENT; i += 8) any |= load<u64>(point + Z + i);
  return any === 0;
}

export function clear(point: usize): void {
  memory.fill(point, 0, POINT);
}

export function lift(point: usize, affine: usize): void {
  memory.copy(point, affine, AFFINE);
  memory.fill(point + Z, 0, ELEMENT);
  store<u32>(point + Z, 1);
}

/** Doubles a point that is not at infinity. No point of this curve has y = 0. */
export function double(point: usize): void {
  multiply(point + Z, point + Z, point + Y);
  square(S, point + Y);
  square(L, point);
  threeHalves(L, L);
  multiply(T, point, S);
  square(point, L);
  addTimes(V, T, T, 1);
  subtract(point, point, V, 3);
  subtractLoosely(T, T, point);
  multiply(T, T, L);
  square(S, S);
  subtract(point + Y, T, S, 2);
}

/** Adds an affine point. */
export function add(point: usize, x: usize, y: usize): void {
  if (isInfinity(point)) {
    copy(point, x);
    copy(point + Y, y);
    store<u32>(point + Z, 1);
    return;
  }
  square(S, point + Z);
  multiply(H, x, S);
  subtract(H, H, point, 2);
  multiply(S, S, point + Z);
  multiply(R, y, S);
  subtract(R, R, point + Y, 2);
  if (isZero(H)) {
    if (isZero(R)) double(point);
    else clear(point);
    return;
  }
  finishAdding(point);
}

/** Adds another sum. */
export function addSum(point: usize, other: usize): void {
  if (isInfinity(other)) return;
  if (isInfinity(point)) {
    memory.copy(point, other, POINT);
    return;
  }
  square(S, other + Z);
  multiply(L, point, S);
  multiply(S, S, other + Z);
  multiply(point + Y, point + Y, S);
  square(S, point + Z);
  multiply(H, other, S);
  subtract(H, H, L, 2);
  multiply(S, S, point + Z);
  multiply(R, other + Y, S);
  subtract(R, R, point + Y, 2);
  multiply(point + Z, point + Z, other + Z);
  copy(point, L);
  if (isZero(H)) {
    if (isZero(R)) double(point);
    else clear(point);
    return;
  }
  finishAdding(point);
}

/** Finishes a sum whose first point has the z of both: H and R are the differences of the x and of the y. */
function finishAdding(point: usize): void {
  multiply(point + Z, point + Z, H);
  square(HH, H);
  multiply(HHH, HH, H);
  multiply(V, point, HH);
  square(point, R);
  addTimes(T, HHH, V, 2);
  subtract(point, point, T, 4);
  subtractLoosely(V, V, point);
  multiply(V, V, R);
  multiply(T, point + Y, HHH);
  subtract(point + Y, V, T, 2);
}

/** Writes the affine a + b to `to`, where `inverse` is 1 / (xb - xa). */
export function addAffine(to: usize, a: usize, b: usize, inverse: usize): void {
  subtract(R, b + Y, a + Y, 2);
  multiply(R, R, inverse);
  square(S, R);
  addTimes(T, a, b, 1);
  subtract(S, S, T, 3);
  subtractLoosely(T, a, S);
  multiply(T, T, R);
  subtract(to + Y, T, a + Y, 2);
  copy(to, S);
}

/** Writes the affine 2 * a to `to`, where `inverse` is 1 / ya. */
export function doubleAffine(to: usize, a: usize, inverse: usize): void {
  square(L, a);
  threeHalves(L, L);
  multiply(R, L, inverse);
  square(S, R);
  addTimes(T, a, a, 1);
  subtract(S, S, T, 3);
  subtractLoosely(T, a, S);
  multiply(T, T, R);
  subtract(to + Y, T, a + Y, 2);
  copy(to, S);
}

/** Affine x and y of a sum, where `inverse` is 1 / z. */
export function toAffine(to: usize, point: usize, inverse: usize): void {
  square(S, inverse);
  multiply(to, point, S);
  multiply(S, S, inverse);
  multiply(to + Y, point + Y, S);
}
