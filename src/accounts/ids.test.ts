import { expect, test } from "vitest";
import { idsOf, pooledBytes } from "./ids.ts";

const ascends = (ids: readonly string[]) =>
  expect(ids.filter((id, index) => index > 0 && id <= (ids[index - 1] ?? ""))).toEqual([]);
const moments = (...list: readonly number[]): (() => number) => {
  const left = [...list];
  return () => (left.length > 1 ? (left.shift() as number) : (left[0] as number));
};

test("makes ascending ids within one millisecond", () => {
  const newId = idsOf(() => 1_700_000_000_000, pooledBytes());
  const ids = Array.from({ length: 5_000 }, () => newId("event"));
  ascends(ids);
  expect(ids[0]).toMatch(/^event_018bcfe56800[0-9a-f]{16}$/);
});

test("makes no id older than the last one after the clock went back", () => {
  const newId = idsOf(moments(2_000, 1_000, 1_500, 2_000, 2_001), pooledBytes());
  const ids = Array.from({ length: 5 }, () => newId("event"));
  ascends(ids);
  expect(ids.map((id) => id.slice(6, 18))).toEqual([...Array(4).fill("0000000007d0"), "0000000007d1"]);
});

test("borrows from the next millisecond once the ids of one are used up", () => {
  const full = (count: number) => new Uint8Array(count).fill(255);
  const newId = idsOf(() => 1_000, full);
  const ids = Array.from({ length: 4 }, () => newId("x"));
  ascends(ids);
  expect(ids[0]).toBe("x_0000000003e8ffffffffffffffff");
  expect(ids[1]).toBe("x_0000000003e9ffffffffffffffff");
});

test("starts an id with its time in twelve digits", () => {
  expect(
    idsOf(
      () => 255,
      () => new Uint8Array(8),
    )("key"),
  ).toBe("key_0000000000ff0000000000000000");
});
