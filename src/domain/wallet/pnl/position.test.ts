import { expect, test } from "vitest";
import { acquire, emptyPosition, remove, restore } from "./position.ts";

test("the costed part of removed units is rounded down and the rest is uncosted", () => {
  const position = emptyPosition();
  acquire(position, 2n, { cost_usd: 10, time: 0 });
  acquire(position, 1n, { cost_usd: null, time: 0 });
  // 2 of 3 units: 4/3 costed -> 1, and 1 uncosted; the cost follows the exact 2/3.
  const removed = remove(position, 2n);
  expect(removed).toMatchObject({ costed: 1n, uncosted: 1n, missing: 0n });
  expect(removed.cost_usd).toBeCloseTo(20 / 3, 12);
  expect(removed.costed_ratio).toBeCloseTo(2 / 3, 12);
  expect(position).toMatchObject({ costed: 1n, uncosted: 0n });
});

test("the last unit takes the whole remaining cost", () => {
  const position = emptyPosition();
  acquire(position, 3n, { cost_usd: 0.1, time: 0 });
  const parts = [remove(position, 1n), remove(position, 1n), remove(position, 1n)];
  expect(position).toMatchObject({ costed: 0n, cost_usd: 0 });
  expect(parts.reduce((total, part) => total + part.cost_usd, 0)).toBeCloseTo(0.1, 15);
});

test("an empty position returns nothing and reports the missing quantity", () => {
  expect(remove(emptyPosition(), 7n)).toMatchObject({ costed: 0n, uncosted: 0n, costed_ratio: 0, missing: 7n });
});

test("the time of acquisition is the mean by quantity", () => {
  const position = emptyPosition();
  acquire(position, 1n, { cost_usd: 1, time: 100 });
  acquire(position, 3n, { cost_usd: 1, time: 200 });
  expect(position.since).toBe(175); // (100 + 3 * 200) / 4
  restore(position, { costed: 4n, uncosted: 0n, cost_usd: 2, since: 75, has_unpriced_cost: false });
  expect(position.since).toBe(125); // (4 * 175 + 4 * 75) / 8
});
