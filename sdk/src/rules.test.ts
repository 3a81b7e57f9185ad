import { expect, test } from "vitest";
import { pause_ms, retryAfter_ms } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each([
  [null, null],
  ["0", 0],
  [" 7 ", 7_000],
  ["-1", null],
  ["1e3", null],
  ["soon", null],
  ["Fri, 20 Nov 2026 12:00:05 GMT", 5_000],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
])("Retry-After %j is %j milliseconds", (value, ms) => {
  expect(retryAfter_ms(value, NOW)).toBe(ms);
});

test("pauses double from a quarter of a second to eight, half of each at random", () => {
  expect([1, 2, 3, 6, 7, 40].map((attempt) => [pause_ms(attempt, 0), pause_ms(attempt, 1)])).toEqual([
    [125, 250],
    [250, 500],
    [500, 1_000],
    [4_000, 8_000],
    [4_000, 8_000],
    [4_000, 8_000],
  ]);
});
