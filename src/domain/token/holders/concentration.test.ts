import fc from "fast-check";
import { expect, test } from "vitest";
import { concentrationOf, type HolderType } from "./concentration.ts";

const holder = (amount: bigint, type: HolderType = "eoa") => ({ amount, type });

test("pools leave the adjusted numerator and stay in its base, burn leaves both", () => {
  // Supply 1,000, 200 of it burnt: base 800. Pool 400, then 240, 80, 80.
  const found = concentrationOf(
    [holder(400n, "lp_pool"), holder(240n), holder(200n, "burn"), holder(80n), holder(80n, "contract")],
    800n,
  );
  expect(found?.all).toMatchObject({ top1_percent: 50, top10_percent: 100 });
  // (240 + 80 + 80) / 800.
  expect(found?.adjusted).toMatchObject({ top1_percent: 30, top10_percent: 50 });
  // 0.5^2 + 0.3^2 + 0.1^2 + 0.1^2 = 0.36.
  expect(found?.hhi).toBeCloseTo(0.36, 12);
  // Ascending 80, 80, 240, 400: 2 (80 + 160 + 720 + 1600) / (4 * 800) - 5/4 = 1.6 - 1.25.
  expect(found?.gini).toBeCloseTo(0.35, 12);
  expect(found).toMatchObject({ flag: "medium", holders_ranked: 4 });
});

test("the flag uses the adjusted share of the ten largest", () => {
  const flagOf = (amount: bigint) => concentrationOf([holder(amount)], 100n)?.flag;
  expect(flagOf(51n)).toBe("high");
  expect(flagOf(50n)).toBe("medium");
  expect(flagOf(31n)).toBe("medium");
  expect(flagOf(30n)).toBeNull();
  expect(concentrationOf([holder(90n, "exchange"), holder(10n)], 100n)?.flag).toBeNull();
});

test("equal holders have no inequality", () => {
  expect(concentrationOf([holder(5n), holder(5n), holder(5n)], 15n)?.gini).toBeCloseTo(0, 12);
});

test("a token without a supply has no concentration", () => {
  expect(concentrationOf([holder(5n)], 0n)).toBeNull();
  expect(concentrationOf([holder(5n, "burn")], 10n)).toBeNull();
});

test("Gini and HHI stay between 0 and 1, and a larger group of holders never holds less", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), { minLength: 1, maxLength: 120 }), (list) => {
      const amounts = list.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
      const base = amounts.reduce((sum, amount) => sum + amount, 0n);
      const found = concentrationOf(
        amounts.map((amount) => holder(amount)),
        base,
      );
      expect(found?.gini).toBeGreaterThan(-1e-9);
      expect(found?.gini).toBeLessThan(1);
      expect(found?.hhi).toBeLessThanOrEqual(1 + 1e-9);
      const { top1_percent = 0, top10_percent = 0, top50_percent = 0, top100_percent = 0 } = found?.all ?? {};
      expect(top1_percent <= top10_percent && top10_percent <= top50_percent).toBe(true);
      expect(top50_percent <= top100_percent && top100_percent <= 100 + 1e-9).toBe(true);
    }),
  );
});
