import { expect, test } from "vitest";
import { digestOf } from "./digest.ts";
import { Votes } from "./votes.ts";

test("two of three decide, and the third is outvoted whenever it answers", () => {
  const votes = new Votes<string, number>(2);
  expect(votes.add("liar", "x", 1)).toBeNull();
  expect(votes.add("one", "y", 2)).toBeNull();
  expect(votes.opinions).toBe(2);
  expect(votes.add("two", "y", 3)).toEqual({ result: 2, outvoted: ["liar"] });
});

test("equal values have one digest in any order of members, and different ones differ", () => {
  const bytes = (...list: readonly number[]) => Uint8Array.from(list);
  expect(digestOf({ a: 1n, b: [bytes(1), null], c: undefined })).toBe(digestOf({ b: [Buffer.from([1]), null], a: 1n }));
  const different = [
    [],
    [[]],
    {},
    null,
    0,
    0n,
    "0",
    "",
    false,
    [bytes(1, 2)],
    [bytes(1), bytes(2)],
    ["1", "2"],
    ["12"],
    { a: "b" },
    { ab: "" },
    { a: { b: 1 } },
    { a: {}, b: 1 },
  ];
  expect(new Set(different.map(digestOf)).size).toBe(different.length);
});
