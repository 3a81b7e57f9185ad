import { expect, test } from "vitest";
import { DAY_S } from "../lib/time.ts";
import { windowsOf } from "./day_pass.ts";

const days = (...numbers: readonly number[]) =>
  windowsOf({ since: 0, until: 20_000 * DAY_S }, numbers).map(({ since, last }) => [since / DAY_S, (last + 1) / DAY_S]);

test("windows hold every day with blocks once, and years without any cost none", () => {
  expect(days()).toEqual([]);
  expect(days(0, 17_000, 17_001, 17_029, 17_030, 17_090)).toEqual([
    [0, 30],
    [17_000, 17_030],
    [17_030, 17_060],
    [17_090, 17_120],
  ]);
});

test("the last window ends with the span", () => {
  expect(days(19_990, 19_999)).toEqual([[19_990, 20_000]]);
});
