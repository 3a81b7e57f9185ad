import { expect, test } from "vitest";
import { chartExample } from "../../test/chart_examples.ts";
import { faultsOf } from "../../test/drawn_charts.ts";
import { chartOf, PICTURED_TOOLS } from "./index.ts";

test.each(PICTURED_TOOLS)("the example of %s has a picture without fault, at any width", (tool) => {
  for (const width of [320, 720, 1_600]) {
    const chart = chartOf(tool, chartExample(tool), { width });
    expect(chart === null ? ["no picture"] : faultsOf(chart)).toEqual([]);
  }
});
