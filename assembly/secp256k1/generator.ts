/** Odd multiples of the generator, computed once. */
import { copy, ELEMENT } from "./field";
import { AFFINE, add, double, lift, POINT, toAffine, Y, Z } from "./points";
import { invertAll } from "./powers";

/** Digits of this width have this many odd values, signs left out. */
export const GENERATOR_WIDTH: i32 = 12;
const COUNT: u32 = 1024;

const G: usize = memory.data<u32>([
  0x16f81798, 0x0f940ad8, 0x138a3656, 0x17f9b65b, 0x10b07029, 0x114ae743, 0x0eb15681, 0x0fdf3b97, 0x0079be66, 0,
  0x1b10d4b8, 0x023e847f, 0x01550667, 0x0f68914d, 0x108a8fd1, 0x1dfe0708, 0x11957693, 0x0ee4d478, 0x00483ada, 0,
]);
const SUMS: usize = memory.data(122880);
const INVERSES: usize = memory.data(40960);
const TABLE: usize = memory.data(81920);
const TWICE: usize = memory.data(120);
let is_made: bool = false;

/** Address of the affine points (2 * i + 1) * G, by i. */
export function generatorTable(): usize {
  if (!is_made) make();
  is_made = true;
  return TABLE;
}

function make(): void {
  lift(TWICE, G);
  double(TWICE);
  copy(INVERSES, TWICE + Z);
  invertAll(INVERSES, ELEMENT, 1, SUMS);
  toAffine(TWICE, TWICE, INVERSES);
  lift(SUMS, G);
  for (let i: usize = 1; i < COUNT; i++) {
    memory.copy(SUMS + i * POINT, SUMS + (i - 1) * POINT, POINT);
    add(SUMS + i * POINT, TWICE, TWICE + Y);
  }
  invertAll(SUMS + Z, POINT, COUNT, INVERSES);
  for (let i: usize = 0; i < COUNT; i++) toAffine(TABLE + i * AFFINE, SUMS + i * POINT, SUMS + i * POINT + Z);
}
