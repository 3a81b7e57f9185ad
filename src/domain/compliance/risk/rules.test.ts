import { expect, test } from "vitest";
import type { SourcedRule } from "../../../lib/risk_rule.ts";
import { firedRules, type MeasuredRisk } from "./rules.ts";

const rule = (more: Partial<SourcedRule>): SourcedRule => ({
  ...{ id: "r", source: "portal", category: "mixer", exposure: "any", direction: "any", usd: null, percent: null },
  ...more,
});
/** 300 directly and 100 indirectly of 1,000 received, 50 indirectly of 200 paid. */
const risk: MeasuredRisk = {
  categories: [
    { category: "mixer", direct_in_usd: 300, indirect_in_usd: 100, direct_out_usd: 0, indirect_out_usd: 50 },
  ],
  totals: { in: 1_000, out: 200 },
};
const fires = (more: Partial<SourcedRule>): boolean => firedRules([rule(more)], risk).length > 0;

test("a rule measures its exposure in its direction", () => {
  const measured = (more: Partial<SourcedRule>) =>
    firedRules([rule({ usd: 1, ...more })], risk).map(({ usd, percent }) => [usd, percent]);
  expect(measured({ exposure: "direct", direction: "in" })).toEqual([[300, 30]]);
  expect(measured({ exposure: "indirect", direction: "in" })).toEqual([[100, 10]]);
  expect(measured({ exposure: "indirect", direction: "out" })).toEqual([[50, 25]]);
  // 450 of 1,200.
  expect(measured({})).toEqual([[450, 37.5]]);
});

test("a limit is reached at its value, and of two limits both have to be", () => {
  expect([fires({ usd: 450 }), fires({ usd: 450.01 })]).toEqual([true, false]);
  expect([fires({ percent: 37.5 }), fires({ percent: 37.6 })]).toEqual([true, false]);
  expect([fires({ usd: 450, percent: 38 }), fires({ usd: 451, percent: 37 })]).toEqual([false, false]);
});

test("a category without this exposure reaches no limit, not even zero", () => {
  expect(fires({ exposure: "direct", direction: "out", usd: 0 })).toBe(false);
  expect(fires({ category: "sanctioned", usd: 0 })).toBe(false);
});

test("a fired rule states its limits", () => {
  expect(firedRules([rule({ id: "mixers", direction: "out", percent: 20 })], risk)).toEqual([
    {
      ...{ id: "mixers", source: "portal", category: "mixer", exposure: "any", direction: "out" },
      ...{ usd: 50, percent: 25, limit_usd: null, limit_percent: 20 },
    },
  ]);
});

test("rules of the file and of the portal both fire, also under one id", () => {
  const both = [rule({ source: "file", usd: 1 }), rule({ usd: 1_000 }), rule({ percent: 1 })];
  expect(firedRules(both, risk).map(({ id, source }) => [id, source])).toEqual([
    ["r", "file"],
    ["r", "portal"],
  ]);
});
