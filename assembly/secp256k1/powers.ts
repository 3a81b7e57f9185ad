/**
 * Inverse and square root in the field of secp256k1, as powers whose exponents have long runs of ones (p - 2, (p + 1) /
 * 4).
 */
import { copy, ELEMENT, isZero, multiply, square, subtract } from "./field";

const POWERS: usize = memory.data(480);
const X2: usize = POWERS;
const X3: usize = POWERS + ELEMENT;
const X6: usize = POWERS + 2 * ELEMENT;
const X9: usize = POWERS + 3 * ELEMENT;
const X11: usize = POWERS + 4 * ELEMENT;
const X22: usize = POWERS + 5 * ELEMENT;
const X44: usize = POWERS + 6 * ELEMENT;
const X88: usize = POWERS + 7 * ELEMENT;
const X176: usize = POWERS + 8 * ELEMENT;
const X220: usize = POWERS + 9 * ELEMENT;
const X223: usize = POWERS + 10 * ELEMENT;
const NOW: usize = POWERS + 11 * ELEMENT;

/** Squares a `times` times, then multiplies by b. */
function climb(to: usize, a: usize, times: i32, b: usize): void {
  square(to, a);
  for (let i = 1; i < times; i++) square(to, to);
  multiply(to, to, b);
}

/** Raises a to the exponents of n ones; each name states n. */
function raise(a: usize): void {
  climb(X2, a, 1, a);
  climb(X3, X2, 1, a);
  climb(X6, X3, 3, X3);
  climb(X9, X6, 3, X3);
  climb(X11, X9, 2, X2);
  climb(X22, X11, 11, X11);
  climb(X44, X22, 22, X22);
  climb(X88, X44, 44, X44);
  climb(X176, X88, 88, X88);
  climb(X220, X176, 44, X44);
  climb(X223, X220, 3, X3);
}

/** 1 / a; 0 for 0. `to` may be `a`. */
export function invert(to: usize, a: usize): void {
  raise(a);
  climb(NOW, X223, 23, X22);
  climb(NOW, NOW, 5, a);
  climb(NOW, NOW, 3, X2);
  climb(to, NOW, 2, a);
}

/** A square root of a; false if a has none. `to` is not `a`. */
export function root(to: usize, a: usize): bool {
  raise(a);
  climb(NOW, X223, 23, X22);
  climb(NOW, NOW, 6, X2);
  square(NOW, NOW);
  square(to, NOW);
  square(NOW, to);
  subtract(NOW, NOW, a, 2);
  return isZero(NOW);
}

const PRODUCT: usize = memory.data(40);

/**
 * Inverts many elements, none of them zero, at the cost of one inverse and three products each (Montgomery). `first` is
 * the first, each `stride` after the one before; `room` holds as many elements.
 */
export function invertAll(first: usize, stride: usize, count: u32, room: usize): void {
  if (count === 0) return;
  copy(room, first);
  for (let i: usize = 1; i < count; i++) multiply(room + i * ELEMENT, room + (i - 1) * ELEMENT, first + i * stride);
  invert(PRODUCT, room + (count - 1) * ELEMENT);
  for (let i: usize = count - 1; i > 0; i--) {
    const one = first + i * stride;
    multiply(room + i * ELEMENT, PRODUCT, room + (i - 1) * ELEMENT);
    multiply(PRODUCT, PRODUCT, one);
    copy(one, room + i * ELEMENT);
  }
  copy(first, PRODUCT);
}
