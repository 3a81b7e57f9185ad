import { expect, test } from "vitest";
import { windowOf } from "./window.ts";

// 2026-03-10T12:00:00Z
const NOON = Date.UTC(2026, 2, 10, 12) / 1000;

test("without dates the window is 90 days that end with the block", () => {
  // 10 days of March + 28 of February + 31 of January = 69; the other 21 are 11 to 31 December.
  expect(windowOf({}, NOON)).toEqual({
    from: Date.UTC(2025, 11, 11) / 1000,
    to: NOON,
    date_range: { from: "2025-12-11", to: "2026-03-10" },
    warnings: [],
  });
});

test("both dates are included whole", () => {
  const { from, to } = windowOf({ from_date: "2026-01-31", to_date: "2026-02-01" }, NOON);
  expect(from).toBe(Date.UTC(2026, 0, 31) / 1000);
  expect(to).toBe(Date.UTC(2026, 1, 2) / 1000 - 1);
});

test("a date in the future becomes the day of the block, with a warning", () => {
  const window = windowOf({ to_date: "2030-01-01", from_date: "2026-03-01" }, NOON);
  expect(window.to).toBe(NOON);
  expect(window.date_range).toEqual({ from: "2026-03-01", to: "2026-03-10" });
  expect(window.warnings.map(({ code }) => code)).toEqual(["TO_DATE_CLAMPED"]);
});
