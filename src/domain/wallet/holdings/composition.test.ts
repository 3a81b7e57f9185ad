import { describe, expect, test } from "vitest";
import { compositionOf, dollars, type HoldingCategory, majorOf, type PricedHolding } from "./composition.ts";

const holding = (
  asset: string,
  usd_value: number,
  category: HoldingCategory = "other",
  network = "demo",
): PricedHolding => ({
  asset,
  usd_value,
  category,
  network,
});

const labelOf = (...values: readonly number[]) =>
  compositionOf(
    values.map((value, i) => holding(`asset${i}`, value)),
    0,
  ).diversification;

describe("composition", () => {
  test("native and wrapped native count as one asset in every figure", () => {
    // 500 + 100 of 1000 are one asset: shares 0.6, 0.3, 0.1; HHI = 0.36 + 0.09 + 0.01 = 0.46; 1/0.46 = 2.173913…
    const found = compositionOf(
      [
        holding("demo:", 500, "native"),
        holding("demo:", 100, "native"),
        holding("demo:usdc", 300, "stablecoin", "other-net"),
        holding("demo:x", 100),
      ],
      2,
    );
    expect(found.hhi).toBeCloseTo(0.46, 12);
    expect(found.effective_assets).toBeCloseTo(2.173913, 6);
    expect(found).toMatchObject({ diversification: "concentrated", unpriced_count: 2 });
    expect([found.top1_percent, found.top5_percent, found.stablecoin_percent, found.native_percent]).toEqual([
      60, 100, 30, 60,
    ]);
    expect(found.by_network).toEqual([
      { network: "demo", usd_value: 700, share_percent: 70, holdings: 3 },
      { network: "other-net", usd_value: 300, share_percent: 30, holdings: 1 },
    ]);
    expect(found.by_category.map(({ category }) => category)).toEqual(["native", "stablecoin", "other"]);
    expect(found.note).toBe(
      "Largest asset 60.0 % of priced value; 2.2 effective assets (HHI 0.46); stablecoins 30.0 %. 2 holdings have no price and are left out.",
    );
  });

  test("each label begins exactly at its bound", () => {
    expect(labelOf(99, 1)).toBe("single_asset"); // share 0.99
    expect(labelOf(98.9, 1.1)).toBe("highly_concentrated");
    expect(labelOf(1, 1)).toBe("highly_concentrated"); // HHI 0.5
    expect(labelOf(1, 1, 1, 1)).toBe("concentrated"); // HHI 0.25
    expect(labelOf(1, 1, 1, 1, 1)).toBe("moderately_diversified"); // 0.2
    expect(labelOf(...Array.from({ length: 16 }, () => 1))).toBe("diversified"); // 1/16 = 0.0625
  });

  test("reports an unknown diversification without a priced holding", () => {
    const found = compositionOf([], 1);
    expect(found).toMatchObject({ diversification: "unknown", hhi: null, stablecoin_percent: null, by_category: [] });
    expect(found.note).toBe("No holding with a known value. 1 holding has no price and is left out.");
  });
});

describe("major holdings", () => {
  test("are those of at least five percent of the value", () => {
    // Total 1000: 50 is exactly 5 %, 49 is not.
    const rows = [901, 50, 49].map((usd_value) => ({ usd_value }));
    expect(majorOf([...rows, { usd_value: null }])).toEqual(rows.slice(0, 2));
  });

  test("are the largest one when none reaches five percent, and none when nothing is priced", () => {
    const even = Array.from({ length: 30 }, () => ({ usd_value: 1 }));
    expect(majorOf(even)).toHaveLength(1);
    expect(majorOf([{ usd_value: null }])).toEqual([]);
  });

  test("are at most ten", () => {
    expect(majorOf(Array.from({ length: 15 }, () => ({ usd_value: 1 })))).toHaveLength(10);
  });
});

test("dollars are written with commas and two decimals", () => {
  expect(dollars(1234.56)).toBe("$1,234.56");
  expect(dollars(0)).toBe("$0.00");
  expect(dollars(1234567.891)).toBe("$1,234,567.89");
  expect(dollars(-3.5)).toBe("-$3.50");
  expect(dollars(-0.001)).toBe("$0.00");
  expect(dollars(2e21)).toBe("$2,000,000,000,000,000,000,000.00");
});
