import { expect, test } from "vitest";
import { chartExample } from "../../../test/chart_examples.ts";
import { elements, texts } from "../../../test/drawn_charts.ts";
import { chartOf, type SvgNode } from "../index.ts";

const draw = (call: string): SvgNode => {
  const chart = chartOf(call, chartExample(call));
  if (chart === null) throw new Error(`no picture of ${call}`);
  return chart;
};

const lines = (chart: SvgNode): number => elements(chart, "polyline").length;

test("the worth of a wallet has its last value, the change, and the unknown steps", () => {
  const chart = draw("series_net_worth");
  // 250 on the last day, 150 more than 100 a week before; the first step has no value.
  expect(texts(chart)).toContain("$250 on 23 Aug 2026, +$150 since 16 Aug 2026; 1 of 3 steps unknown");
  expect(texts(chart)).toContain("not known");
  // The total, and the part in positions: each is one run of two points.
  expect(lines(chart)).toBe(2);
  expect(elements(chart, "circle").length).toBe(4);
});

test("an unknown step interrupts its line, and other lines continue", () => {
  const chart = draw("series_pnl");
  expect(texts(chart)).toContain("$20 on 23 Aug 2026, +$27.50 since 9 Aug 2026; 1 of 3 steps unknown");
  // The total has two runs of one point each, the realized part one run of three points.
  expect(lines(chart)).toBe(3);
  expect(elements(chart, "circle").length).toBe(5);
});
