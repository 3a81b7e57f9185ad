import fc from "fast-check";
import { expect, test } from "vitest";
import { openSlidingLog } from "./limits.ts";

/** Ascending times in milliseconds, many of them at or near the minute. */
const arrivals = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 1, 29_999, 30_000, 59_999, 60_000, 60_001)), {
    maxLength: 300,
  })
  .map((gaps) => {
    let at = 0;
    return gaps.map((gap) => {
      at += gap;
      return at;
    });
  });

test("admits at most the limit in any 60 seconds, and rejects no request needlessly, for random arrivals", () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 120 }), (times, limit) => {
      let now = 0;
      const limits = openSlidingLog(() => now);
      const admitted: number[] = [];
      for (const at of times) {
        now = at;
        const recent = admitted.filter((earlier) => earlier > at - 60_000).length;
        const entered = limits.admit("k", limit);
        expect(entered).toBe(recent < limit);
        if (entered) admitted.push(at);
      }
    }),
  );
});

test("admits every request of a caller that paces at the limit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 1e9 }), (limit, start) => {
      let now = start;
      const limits = openSlidingLog(() => now);
      for (let call = 0; call < limit * 3; call += 1) {
        now = start + Math.ceil((call * 60_000) / limit);
        expect(limits.admit("k", limit)).toBe(true);
      }
    }),
  );
});

test("keeps rejected requests out of the window, which opens 60 s after the first admitted one, however many requests arrive", () => {
  let now = 0;
  const limits = openSlidingLog(() => now);
  for (let call = 0; call < 10; call += 1) expect(limits.admit("k", 10)).toBe(true);
  for (now = 1; now < 60_000; now += 100) expect(limits.admit("k", 10)).toBe(false);
  now = 60_000;
  expect(limits.admit("k", 10)).toBe(true);
});

test("has a separate window per subject", () => {
  const limits = openSlidingLog(() => 0);
  expect(limits.admit("api k", 1)).toBe(true);
  expect(limits.admit("mcp k", 1)).toBe(true);
  expect(limits.admit("api k", 1)).toBe(false);
});

test("counts admitted requests under a lowered limit, and admits the difference under a raised one", () => {
  const limits = openSlidingLog(() => 0);
  for (let call = 0; call < 5; call += 1) limits.admit("k", 5);
  expect(limits.admit("k", 2)).toBe(false);
  expect(limits.admit("k", 6)).toBe(true);
  expect(limits.admit("k", 6)).toBe(false);
});

test("evicts the windows of idle callers", () => {
  let now = 0;
  const limits = openSlidingLog(() => now);
  for (let subject = 0; subject < 5_000; subject += 1) limits.admit(`k${subject}`, 10);
  expect(limits.size).toBe(5_000);
  now = 60_000;
  for (let call = 0; call < 5_000; call += 1) limits.admit("busy", 10);
  expect(limits.size).toBe(1);
});
