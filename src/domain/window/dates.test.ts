import { expect, test } from "vitest";
import { checkDates, dateWindow, rangeOver } from "./dates.ts";

const NOW = Date.parse("2026-03-31T15:00:00Z") / 1000;
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;

test("without dates the window is ninety days that end with the block's day", () => {
  // 31 March - 89 days: 30 days of March, 28 of February, 31 of January back to 1 January = 89.
  expect(dateWindow({}, NOW)).toEqual({
    from: day("2026-01-01"),
    until: day("2026-04-01"),
    from_date: "2026-01-01",
    to_date: "2026-03-31",
    warnings: [],
  });
});

test("both ends are inclusive days", () => {
  const window = dateWindow({ from_date: day("2026-02-01"), to_date: day("2026-02-01") }, NOW);
  expect([window.from, window.until]).toEqual([day("2026-02-01"), day("2026-02-02")]);
});

test("a future end becomes the block's day and says so", () => {
  const window = dateWindow({ to_date: day("2026-04-01") }, NOW);
  expect(window).toMatchObject({
    to_date: "2026-03-31",
    from_date: "2026-01-01",
    warnings: [{ code: "DATE_CLAMPED" }],
  });
});

test("a window that ends before it begins is refused", () => {
  expect(checkDates({ from_date: "2026-02-02", to_date: "2026-02-01" }, "2026-03-31")).toContain("to_date");
  expect(checkDates({ from_date: "2026-04-01" }, "2026-03-31")).toContain("today");
  expect(checkDates({ from_date: "2026-02-01", to_date: "2026-02-01" }, "2026-03-31")).toBeNull();
  expect(checkDates({}, "2026-03-31")).toBeNull();
});

test("a window entirely after the newest block is unknown, which is not the same as empty", () => {
  const noon = Date.UTC(2026, 0, 10, 12) / 1000;
  expect(() => dateWindow({ from_date: day("2026-01-11") }, noon)).toThrow("nothing of that window is known yet");
  expect(dateWindow({ from_date: day("2026-01-10"), to_date: day("2026-01-12") }, noon)).toMatchObject({
    to_date: "2026-01-10",
  });
});

test("without a first day a window has the tool's default length", () => {
  // 31 March - 29 days = 2 March.
  expect(dateWindow({}, NOW, 29)).toMatchObject({ from_date: "2026-03-02", to_date: "2026-03-31" });
});

test("the range of several windows spans them; without any it is the requested range", () => {
  const windows = [dateWindow({}, NOW), dateWindow({}, NOW - 86_400)];
  expect(rangeOver(windows, {})).toEqual({ from: "2025-12-31", to: "2026-03-31" });
  expect(rangeOver([], { from_date: day("2026-01-05") })).toEqual({ from: "2026-01-05", to: "" });
});
