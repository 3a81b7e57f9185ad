import { describe, expect, test } from "vitest";
import { DAY_S } from "../../lib/time.ts";
import { stepsIn } from "./steps.ts";

const at = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000;
const days = (from: string, until: string, length: "day" | "week" | "month") =>
  stepsIn({ from: at(from), until: at(until) }, length).map((step) =>
    [step.from, step.until].map((time) => new Date(time * 1000).toISOString().slice(0, 10)),
  );

describe("steps join from the first second of a window to its last", () => {
  test("days", () => {
    expect(days("2024-02-28", "2024-03-02", "day")).toEqual([
      ["2024-02-28", "2024-02-29"],
      ["2024-02-29", "2024-03-01"],
      ["2024-03-01", "2024-03-02"],
    ]);
  });

  test("weeks begin on a Monday, the first and last one in part", () => {
    // 2026-09-02 is a Wednesday; Mondays are the 7th and the 14th.
    expect(days("2026-09-02", "2026-09-15", "week")).toEqual([
      ["2026-09-02", "2026-09-07"],
      ["2026-09-07", "2026-09-14"],
      ["2026-09-14", "2026-09-15"],
    ]);
  });

  test("months, over the end of a year", () => {
    expect(days("2025-11-30", "2026-02-01", "month")).toEqual([
      ["2025-11-30", "2025-12-01"],
      ["2025-12-01", "2026-01-01"],
      ["2026-01-01", "2026-02-01"],
    ]);
  });

  test("of the first days of 1970, which began on a Thursday", () => {
    expect(stepsIn({ from: 0, until: 6 * DAY_S }, "week")).toEqual([
      { from: 0, until: 4 * DAY_S },
      { from: 4 * DAY_S, until: 6 * DAY_S },
    ]);
  });

  test("that end within a day", () => {
    expect(stepsIn({ from: 0, until: DAY_S + 5 }, "day").at(-1)).toEqual({ from: DAY_S, until: DAY_S + 5 });
  });
});
