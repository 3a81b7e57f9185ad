import { expect, test } from "vitest";
import { RowCache } from "./row_cache.ts";
import { weightOf } from "./weight.ts";

// A key of 10 letters takes 96 + 24 + 10 bytes; a row {a: text of 100} 8 for its place, 24, 8 and 124: 294 with the key.
const key = (n: number): string => `key ${String(n).padStart(6, "0")}`;
const row = { a: "x".repeat(100) };
const KEPT = 294;

test("returns the rows that were put in, and none of another stamp", () => {
  const shelf = new RowCache(1_000_000);
  shelf.put(key(1), "one", [row]);
  expect(shelf.bytes).toBe(KEPT);
  expect(shelf.take(key(1), "one")).toEqual([row]);
  expect(shelf.take(key(1), "two")).toBeNull();
  expect(shelf.take(key(2), "one")).toBeNull();
  shelf.put(key(1), "two", []);
  expect(shelf.bytes).toBe(KEPT - 8 - weightOf(row));
  expect(shelf.take(key(1), "two")).toEqual([]);
  expect([shelf.hits, shelf.misses]).toEqual([2, 2]);
});

test("evicts the least recently used rows beyond its bytes", () => {
  const shelf = new RowCache(20 * KEPT);
  for (let n = 0; n < 20; n += 1) shelf.put(key(n), "s", [row]);
  expect(shelf.bytes).toBe(20 * KEPT);
  expect(shelf.take(key(0), "s")).not.toBeNull();
  shelf.put(key(20), "s", [row]);
  shelf.put(key(21), "s", [row]);
  expect(shelf.bytes).toBe(20 * KEPT);
  expect([0, 1, 2, 3, 20, 21].map((n) => shelf.take(key(n), "s") !== null)).toEqual([
    true,
    false,
    false,
    true,
    true,
    true,
  ]);
});

test("caches no answer above a sixteenth of its bytes, and nothing without bytes", () => {
  const shelf = new RowCache(16 * KEPT);
  shelf.put(key(1), "s", [row]);
  shelf.put(key(2), "s", [row, row]);
  expect([shelf.take(key(1), "s"), shelf.take(key(2), "s")]).toEqual([[row], null]);
  // The larger answer takes the place of the smaller one all the same: that one is of before.
  shelf.put(key(1), "t", [row, row]);
  expect([shelf.take(key(1), "s"), shelf.bytes]).toEqual([null, 0]);
  const none = new RowCache(0);
  none.put(key(1), "s", []);
  expect([none.take(key(1), "s"), none.bytes]).toEqual([null, 0]);
});
