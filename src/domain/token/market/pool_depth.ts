import { squareRoot } from "../../../lib/square_root.ts";
import { sqrtPriceAtTick } from "./sqrt_price.ts";

/**
 * Trade sizes that move the price of a pool by a given part, in the integer arithmetic of the pools themselves. Pure.
 */

/** A trade, in base units. `amount_in` contains the fee. */
export interface Depth {
  readonly amount_in: bigint;
  readonly amount_out: bigint;
}

/** Part of its price that the sold token keeps: 98/100 is a fall of 2 %. */
export interface Ratio {
  readonly num: bigint;
  readonly den: bigint;
}

/** The token is sold until it has lost 2 % of its worth. */
export const DOWN_2_PERCENT: Ratio = { num: 98n, den: 100n };
/** The other token is sold for it until the token has gained 2 %. */
export const UP_2_PERCENT: Ratio = { num: 100n, den: 102n };

const MILLION = 1_000_000n;

/** Output of a constant-product pool (v2-periphery UniswapV2Library.getAmountOut, with any fee). */
export const constantProductOut = (amount_in: bigint, pool: Reserves): bigint => {
  const after_fee = amount_in * (MILLION - BigInt(pool.fee_ppm));
  return pool.reserve_in === 0n && amount_in === 0n
    ? 0n
    : (after_fee * pool.reserve_out) / (pool.reserve_in * MILLION + after_fee);
};

export interface Reserves {
  readonly reserve_in: bigint;
  readonly reserve_out: bigint;
  /** Millionths of the input. */
  readonly fee_ppm: number;
}

/** The largest sale to a constant-product pool after which the sold token keeps at least `keep` of its price. */
export const constantProductDepth = (pool: Reserves, keep: Ratio): Depth => {
  const { reserve_in, reserve_out } = pool;
  if (reserve_in === 0n || reserve_out === 0n) return { amount_in: 0n, amount_out: 0n };
  const keeps = (amount: bigint): boolean =>
    (reserve_out - constantProductOut(amount, pool)) * reserve_in * keep.den >=
    keep.num * reserve_out * (reserve_in + amount);
  // The price falls by more than the reserve grows: selling all of the reserve again is always too much.
  let most = 0n;
  let too_much = reserve_in;
  while (too_much - most > 1n) {
    const middle = (most + too_much) / 2n;
    if (keeps(middle)) most = middle;
    else too_much = middle;
  }
  return { amount_in: most, amount_out: constantProductOut(most, pool) };
};

/** Liquidity of one position, or of all events of one range together. */
export interface TickRange {
  readonly tick_lower: number;
  readonly tick_upper: number;
  /** Negative for removed liquidity. */
  readonly liquidity: bigint;
}

export interface ConcentratedPool {
  readonly sqrt_price_x96: bigint;
  readonly tick: number;
  readonly fee_ppm: number;
  readonly ranges: readonly TickRange[];
}

/** Net liquidity that begins (or ends) at each tick, without ticks where nothing changes. */
export const netByTick = (ranges: readonly TickRange[]): ReadonlyMap<number, bigint> => {
  const net = new Map<number, bigint>();
  const add = (tick: number, liquidity: bigint): void => {
    const sum = (net.get(tick) ?? 0n) + liquidity;
    if (sum === 0n) net.delete(tick);
    else net.set(tick, sum);
  };
  for (const { tick_lower, tick_upper, liquidity } of ranges) {
    add(tick_lower, liquidity);
    add(tick_upper, -liquidity);
  }
  return net;
};

/** Liquidity in range: of every position around the tick. */
export const liquidityAt = (tick: number, ranges: readonly TickRange[]): bigint =>
  ranges.reduce(
    (sum, { tick_lower, tick_upper, liquidity }) => (tick_lower <= tick && tick < tick_upper ? sum + liquidity : sum),
    0n,
  );

const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

interface PriceStep {
  readonly from: bigint;
  readonly to: bigint;
  readonly liquidity: bigint;
  readonly fee_ppm: bigint;
}

/** Token0 between two prices: L * 2^96 * (b - a) / b / a (v3-core SqrtPriceMath.getAmount0Delta). */
const amount0 = ({ from, to, liquidity }: PriceStep, is_up: boolean): bigint => {
  const [low, high] = from < to ? [from, to] : [to, from];
  const product = (liquidity << 96n) * (high - low);
  return is_up ? divideUp(divideUp(product, high), low) : product / high / low;
};

/** Token1 between two prices: L * (b - a) / 2^96 (v3-core SqrtPriceMath.getAmount1Delta). */
const amount1 = ({ from, to, liquidity }: PriceStep, is_up: boolean): bigint => {
  const [low, high] = from < to ? [from, to] : [to, from];
  const product = liquidity * (high - low);
  return is_up ? divideUp(product, 1n << 96n) : product >> 96n;
};

/** One step that ends at its price (v3-core SwapMath.computeSwapStep). */
const stepDepth = (step: PriceStep, zero_for_one: boolean): Depth => {
  const paid = zero_for_one ? amount0(step, true) : amount1(step, true);
  const fee = divideUp(paid * step.fee_ppm, MILLION - step.fee_ppm);
  return { amount_in: paid + fee, amount_out: zero_for_one ? amount1(step, false) : amount0(step, false) };
};

/** The price (square root, Q64.96) at which the sold token keeps `keep` of what it is worth now. */
export const sqrtTarget = (sqrt_price_x96: bigint, zero_for_one: boolean, { num, den }: Ratio): bigint => {
  const squared = sqrt_price_x96 * sqrt_price_x96;
  return squareRoot(zero_for_one ? (squared * num) / den : (squared * den) / num);
};

/** The sale that brings a concentrated pool to the price at which the sold token keeps `keep` of its worth. */
export const concentratedDepth = (pool: ConcentratedPool, zero_for_one: boolean, keep: Ratio): Depth => {
  const target = sqrtTarget(pool.sqrt_price_x96, zero_for_one, keep);
  const net = netByTick(pool.ranges);
  const ticks = [...net.keys()]
    .filter((tick) => (zero_for_one ? tick <= pool.tick : tick > pool.tick))
    .sort((a, b) => (zero_for_one ? b - a : a - b));
  const total = { amount_in: 0n, amount_out: 0n };
  let liquidity = liquidityAt(pool.tick, pool.ranges);
  let from = pool.sqrt_price_x96;
  const walk = (to: bigint): void => {
    const step = stepDepth({ from, to, liquidity, fee_ppm: BigInt(pool.fee_ppm) }, zero_for_one);
    total.amount_in += step.amount_in;
    total.amount_out += step.amount_out;
    from = to;
  };
  for (const tick of ticks) {
    const edge = sqrtPriceAtTick(tick);
    if (zero_for_one ? edge <= target : edge >= target) break;
    walk(edge);
    liquidity += (zero_for_one ? -1n : 1n) * (net.get(tick) ?? 0n);
  }
  walk(target);
  return total;
};
