import { describe, expect, it } from "vitest";
import {
  type SalePrice,
  storedDepth,
  unitColumns,
  unitDepth,
  usdOf,
  worthOf,
  worthOfMovements,
  worthOfRaw,
  worthOfUnits,
} from "./worth.ts";

/** A pool of 1,000 coins against 2,000 USD. */
const POOL: SalePrice = { price_usd: 2, sells: { reserve: 1_000, payout_max_usd: 2_000 } };

describe("worth of an amount", () => {
  it("is what a constant product pays", () => {
    // 2,000 − 1,000 × 2,000 / (1,000 + 250) = 400, where price times amount is 500.
    expect(worthOf(POOL, 250)).toEqual({ value_usd: 400, spot_value_usd: 500, limit: "low_liquidity" });
    // 2,000 − 1,000 × 2,000 / 2,000.
    expect(worthOf(POOL, 1_000)).toEqual({ value_usd: 1_000, spot_value_usd: 2_000, limit: "low_liquidity" });
  });

  it("ignores an impact of up to 1 %", () => {
    // 10 of 1,010 coins are 0.990 %; 11 of 1,011 are 1.088 %.
    expect(worthOf(POOL, 10)).toEqual({ value_usd: 20, spot_value_usd: 20, limit: null });
    const above = worthOf(POOL, 11);
    expect(above.value_usd).toBeCloseTo((2 * 11 * 1_000) / 1_011, 10);
    expect(above).toMatchObject({ spot_value_usd: 22, limit: "low_liquidity" });
  });

  it("never exceeds the payout of the pools, whatever their virtual reserve is", () => {
    const narrow: SalePrice = { price_usd: 2, sells: { reserve: 1e12, payout_max_usd: 50 } };
    expect(worthOf(narrow, 25)).toEqual({ value_usd: 50, spot_value_usd: 50, limit: null });
    expect(worthOf(narrow, 1_000)).toEqual({ value_usd: 50, spot_value_usd: 2_000, limit: "low_liquidity" });
  });

  it("caps 1,000 coins at a pool of 5,100 USD against a millionth of a coin", () => {
    const invented: SalePrice = { price_usd: 5.1e9, sells: { reserve: 1e-6, payout_max_usd: 5_100 } };
    const { value_usd, spot_value_usd, limit } = worthOf(invented, 1_000);
    expect(value_usd).toBeLessThanOrEqual(5_100);
    // All but a billionth of the pool.
    expect(value_usd).toBeCloseTo(5_100, 4);
    expect([spot_value_usd, limit]).toEqual([5.1e12, "low_liquidity"]);
  });

  it("is 0 where no pool pays anything", () => {
    const nothing = { value_usd: 0, spot_value_usd: 14, limit: "not_sellable" };
    expect(worthOf({ price_usd: 2, sells: { reserve: 0, payout_max_usd: 2_000 } }, 7)).toEqual(nothing);
    expect(worthOf({ price_usd: 2, sells: { reserve: 1_000, payout_max_usd: 0 } }, 7)).toEqual(nothing);
  });

  it("has no limit for reference coins and operator's prices", () => {
    expect(worthOf({ price_usd: 2, sells: null }, 1e9)).toEqual({ value_usd: 2e9, spot_value_usd: 2e9, limit: null });
  });

  it("is 0 without a reason for nothing, also in an empty pool", () => {
    const nothing = { value_usd: 0, spot_value_usd: 0, limit: null };
    expect(worthOf(POOL, 0)).toEqual(nothing);
    expect(worthOf({ price_usd: 2, sells: { reserve: 0, payout_max_usd: 0 } }, 0)).toEqual(nothing);
    expect(worthOf({ price_usd: 0, sells: { reserve: 1, payout_max_usd: 1 } }, 5)).toEqual(nothing);
  });

  it("mirrors debts", () => {
    expect(worthOf(POOL, -250)).toEqual({ value_usd: -400, spot_value_usd: -500, limit: "low_liquidity" });
  });

  it("stays a number for any amount, price and depth", () => {
    const sizes = [0, 5e-324, 1e-30, 1, 1e30, 2 ** 256, 1e200, Number.MAX_VALUE];
    for (const amount of [...sizes, Number.POSITIVE_INFINITY]) {
      for (const price_usd of sizes) {
        for (const reserve of sizes) {
          for (const payout_max_usd of sizes) {
            const { value_usd, spot_value_usd } = worthOf({ price_usd, sells: { reserve, payout_max_usd } }, amount);
            expect(Number.isFinite(value_usd) && Number.isFinite(spot_value_usd)).toBe(true);
            expect(value_usd).toBeLessThanOrEqual(spot_value_usd);
            expect(value_usd).toBeGreaterThanOrEqual(0);
          }
        }
      }
    }
  });

  it("pays no more for two amounts together than for each alone", () => {
    const whole = worthOf(POOL, 600).value_usd;
    expect(whole).toBeLessThan(2 * worthOf(POOL, 300).value_usd);
    expect(whole).toBeGreaterThan(worthOf(POOL, 300).value_usd);
  });
});

describe("worth of base units", () => {
  it("is that of the whole coins", () => {
    expect(usdOf(250_000_000n, 6, POOL)).toBe(400);
    expect(worthOfRaw(250_000_000n, 6, POOL)).toEqual(worthOf(POOL, 250));
    const depth = unitDepth(POOL.sells, 6);
    expect(depth).toEqual({ reserve: 1_000_000_000, payout_max_usd: 2_000 });
    expect(worthOfUnits(250_000_000, 2 / 1e6, depth)).toBeCloseTo(400, 9);
  });

  it("is unknown without a price", () => {
    expect(usdOf(1n, 0, null)).toBeNull();
    expect(worthOfRaw(1n, 0, undefined)).toBeNull();
  });

  it("is not limited without a depth", () => {
    expect(unitDepth(null, 6)).toBeNull();
    expect(worthOfUnits(3, 2, null)).toBe(6);
  });
});

describe("worth of several movements of known number", () => {
  it("is that of as many movements of their mean size", () => {
    // 500 coins in 2 movements: 400 each. In 50 movements of 10 coins each, no pool notices them.
    expect(worthOfMovements(POOL, 500, 2)).toBe(800);
    expect(worthOfMovements(POOL, 500, 50)).toBe(1_000);
    expect(worthOfMovements(POOL, -500, 2)).toBe(-800);
  });

  it("is that of the amount for a single movement", () => {
    expect(worthOfMovements(POOL, 250, 1)).toBe(400);
    expect(worthOfMovements(POOL, 250, 0)).toBe(400);
  });
});

describe("depths in tables and queries", () => {
  it("are negative where a price is not limited", () => {
    expect(storedDepth(-1, -1)).toBeNull();
    expect(storedDepth(0, 0)).toEqual({ reserve: 0, payout_max_usd: 0 });
    expect(unitColumns({ price_usd: 5, sells: null }, 1)).toEqual({ unit: 0.5, reserve: -1, payout_usd: -1 });
    expect(unitColumns(POOL, 2)).toEqual({ unit: POOL.price_usd / 100, reserve: 100_000, payout_usd: 2_000 });
  });
});
