import { expect, test } from "vitest";
import { elements, texts } from "../../../test/drawn_charts.ts";
import { chartOf } from "../index.ts";

const row = (token_symbol: string, realized_usd: number | null, unrealized_usd: number | null, total_usd?: number) => ({
  token_symbol,
  pnl: { realized_usd, unrealized_usd, ...(total_usd === undefined ? {} : { total_usd }) },
});

const draw = (rows: readonly object[], summary: object = {}) => {
  const chart = chartOf("get_wallet_pnl", { type: "pnl_detailed", data: rows, summary }, { width: 400 });
  if (chart === null) throw new Error("expected a picture");
  return chart;
};

test("bars go from zero to what each token made, and the line ends at the sum of all", () => {
  const chart = draw([row("B", -50, 0, -50), row("A", 100, 0, 100), row("C", 30, -10, 20)]);
  // Sums: 100, 120, 70. Values from -50 to 120 over the pixels from 12 + 96 + 62 to 400 - 12 - 62:
  // 170 + 156 / 170 * (v + 50), so that 0 is at 215.88.
  const x = (value: number) => 170 + (156 / 170) * (value + 50);
  const bars = elements(chart, "rect").filter(({ attrs }) => attrs.height === 16 && attrs.width !== 12);
  expect(bars.map(({ attrs }) => [attrs.x, attrs.width, attrs.class])).toEqual([
    [215.88, 91.76, "ac-fill-up"],
    [215.88, 18.35, "ac-fill-up"],
    [170, 45.88, "ac-fill-down"],
  ]);
  const dots = elements(chart, "circle").map(({ attrs }) => attrs.cx);
  expect(dots).toEqual([100, 120, 70].map((value) => Math.round(x(value) * 100) / 100));
  expect(texts(chart)).toContain("+$100");
  expect(texts(chart)).toContain("\u2212$50");
});

test("what is not known is a hatched bar with that word, and no zero", () => {
  const chart = draw([row("A", 100, 0, 100), row("X", 5, null)]);
  expect(elements(chart, "rect").filter(({ attrs }) => attrs.fill === "url(#chart-get_wallet_pnl-hatch)")).toHaveLength(
    2,
  );
  // Beside the bar, and in the legend.
  expect(texts(chart).filter((text) => text === "unknown")).toHaveLength(2);
  // Of the axis, and of no bar.
  expect(texts(chart).filter((text) => text === "$0")).toHaveLength(1);
});

test("of very many tokens the last ones are one bar that says how many they are", () => {
  const chart = draw(Array.from({ length: 10_000 }, (_, i) => row(`T${i}`, 10_000 - i, 0, 10_000 - i)));
  // 13 bars, and 9,987 others: 1 + 2 + ... + 9,987 = 9,987 * 9,988 / 2 = 49,875,078.
  expect(texts(chart)).toContain("9,987 others");
  expect(texts(chart)).toContain("+$49.9M");
});

test("tokens of other pages are a bar of their own, so that the line ends at the whole", () => {
  const chart = draw([row("A", 100, 0, 100)], { total_tokens: 3, total_pnl_usd: 40 });
  expect(texts(chart)).toContain("2 more");
  // 40 - 100
  expect(texts(chart)).toContain("\u2212$60");
});

test("shows holdings without a known cost beside profit and loss", () => {
  const summary = { total_pnl_usd: 100, uncosted_value_usd: 106_785.5 };
  expect(texts(draw([row("A", 100, 0, 100)], summary)).join(" ")).toContain("$107K held at unknown cost");
  expect(texts(draw([row("A", 100, 0, 100)], { total_pnl_usd: 100, uncosted_value_usd: 0 })).join(" ")).not.toContain(
    "unknown cost",
  );
});

test("a wallet without tokens has a picture that says so", () => {
  expect(texts(draw([]))).toContain("The wallet has no token with a profit or a loss.");
});
