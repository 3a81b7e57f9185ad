import { expect, test } from "vitest";
import { amount, DAY_MS, percent, signedUsd, tickOf, timeTicks, usd } from "./numbers.ts";

test.each([
  [0, "$0"],
  [0.0843148, "$0.0843"],
  [84.4847, "$84.48"],
  [438.6, "$438.60"],
  [1_705.04, "$1,705"],
  [99_999.4, "$99,999"],
  [128_773, "$129K"],
  [999_600, "$1M"],
  [31_342_110, "$31.3M"],
  [1e30, "$1.00e30"],
  [-2_118.27, "\u2212$2,118"],
  [1e-9, "$1.00e-9"],
  [null, "unknown"],
])("%d dollars are %s", (value, text) => expect(usd(value)).toBe(text));

test("signs positive and negative numbers, and not zero", () => {
  expect([signedUsd(5), signedUsd(-5), signedUsd(0), signedUsd(null)]).toEqual(["+$5", "\u2212$5", "$0", "unknown"]);
});

test("amounts and percent are as short", () => {
  expect([amount(453_305.44), percent(73.74228), percent(-0.04), percent(null)]).toEqual([
    ...["453K", "73.7 %", "\u22120 %", "unknown"],
  ]);
  expect([tickOf(-1_500, "usd"), tickOf(20, "percent"), tickOf(0.085, "amount")]).toEqual([
    "\u2212$1.5K",
    "20 %",
    "0.085",
  ]);
});

test("ticks of time are whole days, months or years inside of the span, and never too many", () => {
  const from = Date.UTC(2026, 0, 3, 7);
  const texts = (span: number) => timeTicks(from, from + span, 6).map(({ text }) => text);
  expect(texts(5 * DAY_MS)).toEqual(["4 Jan", "5 Jan", "6 Jan", "7 Jan", "8 Jan"]);
  expect(texts(120 * DAY_MS)).toEqual(["Feb 2026", "Mar 2026", "Apr 2026", "May 2026"]);
  for (const span of [1, 3_600_000, DAY_MS, 30 * DAY_MS, 3_650 * DAY_MS, 2e14]) {
    expect(texts(span).length).toBeLessThanOrEqual(8);
    for (const { time } of timeTicks(from, from + span, 6)) expect(time).toBeLessThanOrEqual(from + span);
  }
});
