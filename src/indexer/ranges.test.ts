import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketStart, countBlocks, mergeRanges, missingRanges, nextSegment } from "./ranges.ts";

test("ranges that touch or overlap become one", () => {
  expect(
    mergeRanges([
      { from: 5, to: 9 },
      { from: 0, to: 4 },
      { from: 8, to: 12 },
      { from: 20, to: 20 },
    ]),
  ).toEqual([
    { from: 0, to: 12 },
    { from: 20, to: 20 },
  ]);
});

test("missing ranges are what lies between the held ones", () => {
  expect(
    missingRanges({ from: 0, to: 100 }, [
      { from: 10, to: 19 },
      { from: 50, to: 100 },
    ]),
  ).toEqual([
    { from: 0, to: 9 },
    { from: 20, to: 49 },
  ]);
});

test("the next segment is the newest end of the newest gap", () => {
  expect(
    nextSegment(
      [
        { from: 0, to: 9 },
        { from: 20, to: 49 },
      ],
      10,
    ),
  ).toEqual({ from: 40, to: 49 });
  expect(nextSegment([{ from: 20, to: 24 }], 10)).toEqual({ from: 20, to: 24 });
  expect(nextSegment([], 10)).toBeNull();
});

test("held and missing blocks together are exactly the wanted ones", () => {
  const range = fc.tuple(fc.nat(300), fc.nat(40)).map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), range, (held, wanted) => {
      const merged = mergeRanges(held);
      const missing = missingRanges(wanted, merged);
      const inside = (block: number, ranges: readonly { from: number; to: number }[]) =>
        ranges.some(({ from, to }) => block >= from && block <= to);
      let count = 0;
      for (let block = wanted.from; block <= wanted.to; block += 1) {
        expect(inside(block, missing)).toBe(!inside(block, held));
        if (inside(block, missing)) count += 1;
      }
      expect(countBlocks(missing)).toBe(count);
    }),
  );
});

test("a bucket starts at a multiple of 32", () => {
  expect([0, 31, 32, 95].map(bucketStart)).toEqual([0, 0, 32, 64]);
});
