import fc from "fast-check";
import { expect, test } from "vitest";
import { NanoSum, nanoUsd } from "./nano_usd.ts";

test("sums exactly, in any order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 1e18, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true }))),
      (pairs) => {
        const nanos = pairs.map(([amount, unit]) => nanoUsd(amount * unit));
        const sumOf = (values: readonly number[]): bigint => {
          const sum = new NanoSum();
          for (const value of values) sum.add(value);
          return sum.nano;
        };
        const expected = nanos.reduce((sum, nano) => sum + BigInt(nano), 0n);
        expect(sumOf(nanos)).toBe(expected);
        expect(sumOf([...nanos].reverse())).toBe(expected);
        const sums = new NanoSum();
        for (let from = 0; from < nanos.length; from += 3) {
          const part = new NanoSum();
          for (const nano of nanos.slice(from, from + 3)) part.add(nano);
          sums.addSum(part);
        }
        expect(sums.nano).toBe(expected);
        const doubled = sums.plus(sums);
        expect(BigInt(doubled)).toBe(2n * expected);
        expect(typeof doubled).toBe(2n * expected < 2n ** 53n ? "number" : "bigint");
      },
    ),
  );
});

test("sums ten cents three times to thirty cents, and stays finite for absurd amounts", () => {
  const sum = new NanoSum();
  for (let i = 0; i < 3; i += 1) sum.add(nanoUsd(0.1));
  expect(sum.usd).toBe(0.3);
  expect(nanoUsd(1e300)).toBe(nanoUsd(1e30));
});
