import fc from "fast-check";
import { expect, test } from "vitest";
import { chartExample } from "../../test/chart_examples.ts";
import { faultsOf } from "../../test/drawn_charts.ts";
import { chartOf, PICTURED_TOOLS } from "./index.ts";

// Answers of the right shape and absurd values: an answer may come from a file, another version, or a hostile service.
const HOSTILE = "<script>alert(1)</script>\u202E\u0000\uD800&\"'".concat("x".repeat(10_000));

const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1e-30, 1e30, 1e120, 1e308, -1e308, Number.MAX_VALUE, Number.MIN_VALUE, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anyText = fc.oneof(fc.constant(HOSTILE), fc.string({ unit: "binary", maxLength: 40 }), fc.constant("2026-02-30"));
const anyValue = fc.oneof(anyNumber, anyText, fc.boolean(), fc.constantFrom(null, undefined, [], {}, [null], [[]]));

/** The example with some of its values put out by others: drawn from a list of values, one after another. */
const changed = (value: unknown, next: () => { is_kept: boolean; value: unknown; times: number }): unknown => {
  const { is_kept, value: other, times } = next();
  if (value !== null && typeof value === "object") {
    if (!is_kept && times === 0) return other;
    if (Array.isArray(value)) {
      const rows = value.map((row) => changed(row, next));
      return times > 3 ? rows.slice(0, 1) : times === 3 ? [...rows, ...rows, ...rows] : rows;
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member, next)]));
  }
  if (is_kept) return value;
  // Of the same kind most of the time: a number stays one.
  if (typeof value === "number" && times > 0) return typeof other === "number" ? other : -value;
  return other;
};

const changes = fc.array(fc.record({ is_kept: fc.boolean(), value: anyValue, times: fc.integer({ min: 0, max: 5 }) }), {
  minLength: 5,
  maxLength: 60,
});

test.each(PICTURED_TOOLS)("draws a complete picture for any answer of %s", (tool) => {
  const example = chartExample(tool);
  fc.assert(
    fc.property(changes, fc.integer({ min: 0, max: 3_000 }), (list, width) => {
      let at = 0;
      const next = () => {
        at += 1;
        return list[at % list.length] ?? { is_kept: true, value: null, times: 1 };
      };
      const chart = chartOf(tool, changed(example, next), { width });
      if (chart !== null) expect(faultsOf(chart)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test.each(PICTURED_TOOLS)("of an answer of %s without anything there is a picture that says so, or none", (tool) => {
  for (const answer of [{}, { data: [] }, null, "text", [], { status: "no_data" }]) {
    const chart = chartOf(tool, answer);
    if (chart !== null) expect(faultsOf(chart)).toEqual([]);
  }
  expect(chartOf(tool, { status: "no_data" })).toBeNull();
  expect(chartOf(tool, { ...chartExample(tool), status: "error" })).toBeNull();
});

test("a tool without a picture has none, and neither has a name of an object's own members", () => {
  for (const tool of ["get_wallet_stats", "constructor", "__proto__", ""]) expect(chartOf(tool, {})).toBeNull();
});

test("the same answer is the same picture", () => {
  for (const tool of PICTURED_TOOLS)
    expect(JSON.stringify(chartOf(tool, chartExample(tool)))).toBe(JSON.stringify(chartOf(tool, chartExample(tool))));
});

/** The list of an answer with very many rows. */
const LISTS: Readonly<Record<string, string>> = {
  get_wallet_pnl: "data",
  get_wallet_token_holdings: "holdings",
  get_wallet_portfolio_breakdown: "top_holdings",
  get_wallet_transactions: "data",
  get_wallet_counterparties: "data",
  get_wallet_counterparties_analysis: "by_category",
  get_token_holders_traders: "holders",
  get_wallet_risk_overview: "categories",
  is_address_blacklisted_by_stablecoin: "results",
  get_wallet_stablecoin_compliance: "checks",
  get_wallet_deployed_contracts: "data",
  analyze_transaction: "internal_calls",
};

test.each(Object.entries(LISTS))("ten thousand rows of %s are a picture of bounded size", (tool, list) => {
  const example = chartExample(tool) as Record<string, readonly object[]>; // of these answers the list is one of objects
  const rows = example[list] ?? [];
  const many = Array.from({ length: 10_000 }, (_, i) => ({
    ...rows[i % rows.length],
    symbol: `S${i}`,
    stablecoin: `S${i}`,
  }));
  const chart = chartOf(tool, { ...example, [list]: many });
  expect(chart).not.toBeNull();
  if (chart === null) return;
  expect(faultsOf(chart)).toEqual([]);
  expect(JSON.stringify(chart).length).toBeLessThan(200_000);
});
