import { expect, test } from "vitest";
import { segmentRowsFor } from "./segment_rows.ts";

test.each([
  [8 * 2 ** 30, 1, 300_000],
  [8 * 2 ** 30 - 1, 1, 75_000],
  [24 * 2 ** 30, 3, 300_000],
  [24 * 2 ** 30, 4, 75_000],
  [2 ** 30, 0, 75_000],
])("%d bytes for %d networks: segments of %d rows", (bytes, networks, rows) => {
  expect(segmentRowsFor(bytes, networks)).toBe(rows);
});
