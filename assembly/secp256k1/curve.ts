/** Points as bytes and signatures name them. */
import { readElement } from "./element_bytes";
import { addTimes, isZero, multiply, normalize, square, subtract } from "./field";
import { Y } from "./points";
import { root } from "./powers";
import { isZeroScalar, readScalar } from "./scalar";

/** lambda * (x, y) is (BETA * x, y). */
export const BETA: usize = memory.data<u32>([
  0x119501ee, 0x09cb6143, 0x1d626570, 0x0092ea25, 0x034e99cf, 0x03cf561a, 0x1c41b991, 0x056caf80, 0x007ae96a, 0,
]);
const SEVEN: usize = memory.data<u32>([7, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const NOTHING: usize = memory.data(40);
const X: usize = memory.data(40);
const SQUARE: usize = memory.data(40);
const NUMBER: usize = memory.data(32);

const R_AT: usize = 32;
const S_AT: usize = 64;
const ODD_AT: usize = 96;

/** x^3 + 7. */
function squareOfY(to: usize, x: usize): void {
  square(to, x);
  multiply(to, to, x);
  addTimes(to, to, SEVEN, 1);
  subtract(to, to, NOTHING, 2);
}

export function isOnCurve(point: usize): bool {
  squareOfY(X, point);
  square(SQUARE, point + Y);
  subtract(X, X, SQUARE, 2);
  return isZero(X);
}

/**
 * Reads a signature as ../transactions.ts writes it: the signed hash, r, s (32 bytes each), 1 if y of R is odd and 0 if
 * even. Writes the affine point R and the scalar s. Returns false if no key can have made it.
 */
export function readSignature(point: usize, s: usize, at: usize): bool {
  if (load<u32>(at, ODD_AT) > 1) return false;
  if (!readScalar(NUMBER, at + R_AT) || isZeroScalar(NUMBER)) return false;
  if (!readScalar(s, at + S_AT) || isZeroScalar(s)) return false;
  readElement(point, at + R_AT);
  squareOfY(X, point);
  if (!root(point + Y, X)) return false;
  normalize(point + Y);
  if ((load<u32>(point + Y) & 1) !== load<u32>(at, ODD_AT)) subtract(point + Y, NOTHING, point + Y, 2);
  return true;
}
