import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bucketStart,
  clipRanges,
  countBlocks,
  type IndexRange,
  mergeRanges,
  missingRanges,
  nextPromotion,
  nextSegment,
  piecesToOffer,
} from "./ranges.ts";

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

test("missing ranges are the blocks between the held ones", () => {
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

test("the next segment is the newest whole piece of the newest gap, and a cut one if the gap ends inside a piece", () => {
  const gaps = [
    { from: 0, to: 9 },
    { from: 20, to: 49 },
  ];
  expect(nextSegment(gaps, 64)).toEqual({ from: 48, to: 49 });
  // 48 = 3 * 16: a piece of 32 cannot end there. 20 cuts the one of 32 that ends with block 31.
  expect(nextSegment([{ from: 20, to: 47 }], 64)).toEqual({ from: 32, to: 47 });
  expect(nextSegment([{ from: 20, to: 31 }], 64)).toEqual({ from: 20, to: 31 });
  expect(nextSegment([{ from: 0, to: 127 }], 100)).toEqual({ from: 64, to: 127 });
  expect(nextSegment([{ from: 0, to: 127 }], 128)).toEqual({ from: 0, to: 127 });
  expect(nextSegment([], 64)).toBeNull();
});

test("pieces of two writers, of any sizes and from any tops, are equal or nested", () => {
  const cut = (wanted: IndexRange, sizes: readonly number[]): IndexRange[] => {
    const pieces: IndexRange[] = [];
    for (let to = wanted.to; to >= wanted.from; ) {
      const piece = nextSegment([{ from: wanted.from, to }], sizes[pieces.length % sizes.length] ?? 16);
      if (piece === null) break;
      pieces.push(piece);
      to = piece.from - 1;
    }
    return pieces;
  };
  const sizes = fc.array(fc.integer({ min: 16, max: 5_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.nat(2_000), fc.nat(9_000), fc.nat(600), sizes, sizes, (from, length, later, one, other) => {
      const a = cut({ from, to: from + length }, one);
      const b = cut({ from, to: from + length + later }, other);
      expect(countBlocks(a)).toBe(length + 1);
      for (const piece of a) expect(countBlocks([piece])).toBeLessThanOrEqual(Math.max(...one));
      // The newest piece is cut at the wanted end of its time; extended to its full length, it is one of the grid too.
      const ends = (piece: IndexRange): IndexRange =>
        piece.to === from + length ? { ...piece, to: piece.to | 15 } : piece;
      for (const piece of a.map(ends)) {
        for (const wide of b.filter(({ from: first, to }) => first <= piece.to && to >= piece.from)) {
          const is_inside = wide.from >= piece.from && wide.to <= piece.to;
          expect(is_inside || (piece.from >= wide.from && piece.to <= wide.to)).toBe(true);
        }
      }
    }),
  );
});

test("final blocks move in the largest pieces of the grid, never beyond the final block, and in whole buckets", () => {
  expect(nextPromotion({ from: 0, to: 95 }, 4_096)).toEqual({ from: 0, to: 63 });
  expect(nextPromotion({ from: 64, to: 95 }, 4_096)).toEqual({ from: 64, to: 95 });
  expect(nextPromotion({ from: 0, to: 8_191 }, 4_096)).toEqual({ from: 0, to: 4_095 });
  // 32 is no multiple of 64.
  expect(nextPromotion({ from: 32, to: 8_191 }, 4_096)).toEqual({ from: 32, to: 63 });
  expect(nextPromotion({ from: 0, to: 95 }, 16)).toEqual({ from: 0, to: 31 });
  // The first block of a network need not be on the grid.
  expect(nextPromotion({ from: 100, to: 191 }, 4_096)).toEqual({ from: 100, to: 127 });
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

test("missing blocks are offered in pieces of 256 blocks of the grid, cut at their end or at an earlier offer", () => {
  // 30 to 799 less 256 to 511: 30 to 255 is the rest of a piece, 512 to 767 a whole one, 768 to 799 a begun one.
  expect(piecesToOffer([{ from: 30, to: 799 }], [{ from: 256, to: 511 }])).toEqual([
    { from: 30, to: 255 },
    { from: 512, to: 767 },
    { from: 768, to: 799 },
  ]);
  expect(piecesToOffer([{ from: 0, to: 63 }], [{ from: 0, to: 100 }])).toEqual([]);
});

test("a long history is offered in pieces of up to 4,096 blocks, the longest segment", () => {
  // An eighth of 4,096 blocks is 512; of a million it would be more than the most.
  expect(piecesToOffer([{ from: 0, to: 4_095 }], []).map(({ to }) => to)).toEqual(
    Array.from({ length: 8 }, (_, i) => 512 * (i + 1) - 1),
  );
  const pieces = piecesToOffer([{ from: 5, to: 1_000_000 }], []);
  expect([pieces[0], pieces[1]]).toEqual([
    { from: 5, to: 4_095 },
    { from: 4_096, to: 8_191 },
  ]);
  expect(countBlocks(pieces)).toBe(999_996);
});

test("ranges are clipped to another one", () => {
  const ranges = [
    { from: 0, to: 10 },
    { from: 20, to: 30 },
    { from: 40, to: 50 },
  ];
  expect(clipRanges(ranges, { from: 5, to: 25 })).toEqual([
    { from: 5, to: 10 },
    { from: 20, to: 25 },
  ]);
});
