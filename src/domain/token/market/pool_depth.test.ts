import { describe, expect, test } from "vitest";
import { squareRoot } from "../../../lib/square_root.ts";
import {
  concentratedDepth,
  constantProductDepth,
  constantProductOut,
  DOWN_2_PERCENT,
  liquidityAt,
  netByTick,
  sqrtTarget,
  UP_2_PERCENT,
} from "./pool_depth.ts";
import { sqrtPriceAtTick, TICK_MAX } from "./sqrt_price.ts";

const Q96 = 1n << 96n;

describe("square roots", () => {
  test("are the largest integer whose square fits", () => {
    expect([0n, 1n, 2n, 3n, 4n, 15n, 16n, 17n].map(squareRoot)).toEqual([0n, 1n, 1n, 1n, 2n, 3n, 4n, 4n]);
    const big = 10n ** 60n + 12_345n;
    expect(squareRoot(big * big)).toBe(big);
    expect(squareRoot(big * big - 1n)).toBe(big - 1n);
  });

  test("at the outermost ticks are the constants of the contracts", () => {
    // v3-core TickMath.sol: MIN_SQRT_RATIO and MAX_SQRT_RATIO.
    expect(sqrtPriceAtTick(-TICK_MAX)).toBe(4_295_128_739n);
    expect(sqrtPriceAtTick(TICK_MAX)).toBe(1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n);
    expect(sqrtPriceAtTick(0)).toBe(Q96);
    expect(() => sqrtPriceAtTick(TICK_MAX + 1)).toThrow(RangeError);
  });
});

describe("a constant-product pool", () => {
  test("pays what v2-periphery computes", () => {
    // 1,000 in of 100,000 : 100,000 with 0.3 %: 997,000 * 100,000 / (100,000,000 + 997,000) = 987.158.
    const pool = { reserve_in: 100_000n, reserve_out: 100_000n, fee_ppm: 3_000 };
    expect(constantProductOut(1_000n, pool)).toBe(987n);
  });

  test("without a fee is as deep as the square root formula says", () => {
    // Price y/x with x*y = k: a fall to 0.98 takes x to x / sqrt(0.98) = 1.010152544..., y to y * 0.989949493...
    const pool = { reserve_in: 10n ** 18n, reserve_out: 10n ** 18n, fee_ppm: 0 };
    const depth = constantProductDepth(pool, DOWN_2_PERCENT);
    expect(Number(depth.amount_in) / 1e18).toBeCloseTo(0.010152544552210749, 14);
    expect(Number(depth.amount_out) / 1e18).toBeCloseTo(0.0100505063388335, 14);
  });

  test("keeps 98 % of the price after the depth and less after one unit more", () => {
    const pool = { reserve_in: 7_654_321_000_000n, reserve_out: 123_456_789n, fee_ppm: 3_000 };
    const { amount_in, amount_out } = constantProductDepth(pool, DOWN_2_PERCENT);
    const ratioAfter = (paid: bigint): number => {
      const left = pool.reserve_out - constantProductOut(paid, pool);
      return Number(left * pool.reserve_in * 10n ** 15n) / Number(pool.reserve_out * (pool.reserve_in + paid)) / 1e15;
    };
    expect(amount_out).toBe(constantProductOut(amount_in, pool));
    expect(ratioAfter(amount_in)).toBeGreaterThanOrEqual(0.98);
    // One more unit of the other token leaves: about 62,000 of this one.
    expect(ratioAfter(amount_in + 62_500n)).toBeLessThan(0.98);
  });

  test("that is empty has no depth", () => {
    const empty = { reserve_in: 0n, reserve_out: 5n, fee_ppm: 3_000 };
    expect(constantProductDepth(empty, UP_2_PERCENT)).toEqual({ amount_in: 0n, amount_out: 0n });
  });
});

describe("a concentrated pool", () => {
  const L = 10n ** 18n;
  const full = { tick_lower: -887_220, tick_upper: 887_220, liquidity: L };

  test("of one wide position is a constant-product pool", () => {
    // At price 1: x = y = L. Without a fee both need 1/sqrt(0.98) - 1 of L.
    const pool = { sqrt_price_x96: Q96, tick: 0, fee_ppm: 0, ranges: [full] };
    const depth = concentratedDepth(pool, true, DOWN_2_PERCENT);
    expect(Number(depth.amount_in) / 1e18).toBeCloseTo(0.010152544552210749, 14);
    expect(Number(depth.amount_out) / 1e18).toBeCloseTo(0.0100505063388335, 14);
    // In the other direction the price is the same: token1 sold, 98 % of its worth.
    const other = concentratedDepth(pool, false, DOWN_2_PERCENT);
    expect(Number(other.amount_in) / 1e18).toBeCloseTo(0.010152544552210749, 14);
  });

  test("takes its fee on what is paid in", () => {
    const free = concentratedDepth({ sqrt_price_x96: Q96, tick: 0, fee_ppm: 0, ranges: [full] }, true, UP_2_PERCENT);
    const paid = concentratedDepth(
      { sqrt_price_x96: Q96, tick: 0, fee_ppm: 10_000, ranges: [full] },
      true,
      UP_2_PERCENT,
    );
    // A fee of 1 % of the whole: in = net / 0.99.
    expect(Number(paid.amount_in) / Number(free.amount_in)).toBeCloseTo(1 / 0.99, 12);
    expect(paid.amount_out).toBe(free.amount_out);
  });

  test("crosses into thinner and thicker liquidity", () => {
    // Down from tick 0: 3 L until tick -60, 1 L below it. ln(0.98)/ln(1.0001) = -202.04 ticks.
    const ranges = [full, { tick_lower: -60, tick_upper: 60, liquidity: 2n * L }];
    const depth = concentratedDepth({ sqrt_price_x96: Q96, tick: 0, fee_ppm: 0, ranges }, true, DOWN_2_PERCENT);
    // Token1 out = L * (difference of square roots): 3 (1 - 1.0001^-30) + (1.0001^-30 - sqrt(0.98)).
    const edge = 1.0001 ** -30;
    expect(Number(depth.amount_out) / 1e18).toBeCloseTo(3 * (1 - edge) + (edge - Math.sqrt(0.98)), 12);
    // Token0 in = L * (difference of inverse square roots).
    expect(Number(depth.amount_in) / 1e18).toBeCloseTo(3 * (1 / edge - 1) + (1 / Math.sqrt(0.98) - 1 / edge), 12);
  });

  test("has no more depth than liquidity reaches", () => {
    const ranges = [{ tick_lower: -60, tick_upper: 60, liquidity: L }];
    const depth = concentratedDepth({ sqrt_price_x96: Q96, tick: 0, fee_ppm: 0, ranges }, true, DOWN_2_PERCENT);
    expect(Number(depth.amount_out) / 1e18).toBeCloseTo(1 - 1.0001 ** -30, 14);
  });

  test("ignores liquidity that was removed again", () => {
    const ranges = [full, { ...full, liquidity: -L }];
    expect(netByTick(ranges).size).toBe(0);
    expect(liquidityAt(0, ranges)).toBe(0n);
    const empty = concentratedDepth({ sqrt_price_x96: Q96, tick: 0, fee_ppm: 3_000, ranges }, false, UP_2_PERCENT);
    expect(empty).toEqual({ amount_in: 0n, amount_out: 0n });
  });

  test("counts a position from its lower tick to just below its upper one", () => {
    const ranges = [{ tick_lower: 0, tick_upper: 60, liquidity: L }];
    expect([-1, 0, 59, 60].map((tick) => liquidityAt(tick, ranges))).toEqual([0n, L, L, 0n]);
  });

  test("targets the price at which the sold token keeps 98 %", () => {
    expect(Number(sqrtTarget(Q96, true, DOWN_2_PERCENT)) / 2 ** 96).toBeCloseTo(Math.sqrt(0.98), 14);
    expect(Number(sqrtTarget(Q96, false, DOWN_2_PERCENT)) / 2 ** 96).toBeCloseTo(1 / Math.sqrt(0.98), 14);
  });
});
