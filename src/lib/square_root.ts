/** Whole part of the square root (Newton). `value` >= 0. */
export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value;
  // Not below the root: half of the bits, rounded up.
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  let better = (root + value / root) / 2n;
  while (better < root) {
    root = better;
    better = (root + value / root) / 2n;
  }
  return root;
};
