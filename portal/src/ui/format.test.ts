import { describe, expect, test } from "vitest";
import { amountText, countText, creditsText, percentText, timeText, usdText, wordsOf } from "./format.ts";

describe("numbers as people read them", () => {
  test("amounts have eight significant digits", () => {
    expect([52.4477110888853, 453305.446940075, 0, -1, 1234567890123].map(amountText)).toEqual([
      "52.447711",
      "453,305.45",
      "0",
      "−1",
      "1,234,567,900,000",
    ]);
    expect([4.47e-17, 1e30].map(amountText)).toEqual(["4.470 e-17", "1.000 e+30"]);
  });

  test("dollars have cents up to a million, and a price below one dollar has five digits", () => {
    expect([174626.342823, -100.644063442, 70.5, 13255756.9518, 0.084314841095, 0].map(usdText)).toEqual([
      "$174,626.34",
      "−$100.64",
      "$70.50",
      "$13,255,757",
      "$0.084315",
      "$0.00",
    ]);
  });

  test("a percentage that is not zero is never shown as zero", () => {
    expect([73.7422857736, 4.47e-17, -0.001, 0, 90].map(percentText)).toEqual([
      "73.74 %",
      "< 0.01 %",
      "> −0.01 %",
      "0 %",
      "90 %",
    ]);
  });

  test("counts, credits, times and names of fields", () => {
    expect([countText(13255), countText(1.5), creditsText(1), creditsText(25)]).toEqual([
      "13,255",
      "1.5",
      "1 credit",
      "25 credits",
    ]);
    expect([timeText("2026-09-14T17:00:12Z"), timeText("2026-09-14"), wordsOf("total_pnl_usd")]).toEqual([
      "2026-09-14 17:00",
      "2026-09-14",
      "Total pnl usd",
    ]);
  });
});
