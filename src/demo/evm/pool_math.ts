/** Constant-product arithmetic in integers, as the pools compute it. */

/** Whole part of the square root (Newton). */
export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value;
  let root = value;
  let better = (root + 1n) / 2n;
  while (better < root) {
    root = better;
    better = (root + value / root) / 2n;
  }
  return root;
};

/** Output of a Uniswap v2 pool for `amount_in` after its fee of 0.3 % (v2-periphery UniswapV2Library.getAmountOut). */
export const v2AmountOut = (amount_in: bigint, reserve_in: bigint, reserve_out: bigint): bigint => {
  const after_fee = amount_in * 997n;
  return (after_fee * reserve_out) / (reserve_in * 1_000n + after_fee);
};

/** Q64.96 square root of the price `amount1` per `amount0` (v3-core). */
export const sqrtPriceX96 = (amount0: bigint, amount1: bigint): bigint => squareRoot((amount1 << 192n) / amount0);
