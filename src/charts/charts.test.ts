import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultsOf } from "../../test/drawn_charts.ts";
import { chartOf, PICTURED_TOOLS } from "./index.ts";

const exampleOf = (tool: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/examples", `${tool}.json`), "utf8"));

test.each(PICTURED_TOOLS)("the example of %s has a picture without fault, at any width", (tool) => {
  for (const width of [320, 720, 1_600]) {
    const chart = chartOf(tool, exampleOf(tool), { width });
    expect(chart === null ? ["no picture"] : faultsOf(chart)).toEqual([]);
  }
});
