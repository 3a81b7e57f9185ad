import { expect, test } from "vitest";
import { Pacer } from "./pacer.ts";

const signal = new AbortController().signal;
const LIMITS = { concurrency_max: 16, batch_max: 100 };

test("a request that was too large halves the batch, one that came too fast halves the requests in flight", () => {
  const pacer = new Pacer(LIMITS);
  expect([pacer.concurrency, pacer.batch]).toEqual([4, 20]);
  pacer.refused("size", 20);
  expect([pacer.concurrency, pacer.batch]).toEqual([4, 10]);
  pacer.refused("rate", 10);
  pacer.refused("rate", 10);
  expect([pacer.concurrency, pacer.batch]).toEqual([1, 10]);
  // One at a time and still too fast: providers count calls, so the batch shrinks too.
  pacer.refused("rate", 10);
  expect([pacer.concurrency, pacer.batch]).toEqual([1, 5]);
  for (let i = 0; i < 10; i += 1) pacer.refused("size", pacer.batch);
  expect(pacer.batch).toBe(1);
});

test("successes grow the batch to its limit, and after a refusal it takes twice as many of them", () => {
  const pacer = new Pacer(LIMITS);
  const succeed = (times: number): number => {
    for (let i = 0; i < times; i += 1) pacer.succeeded();
    return pacer.batch;
  };
  // Eight successes add a quarter: 20 -> 25.
  expect(succeed(7)).toBe(20);
  expect(succeed(1)).toBe(25);
  pacer.refused("size", 25);
  expect(pacer.batch).toBe(12);
  expect(succeed(15)).toBe(12);
  expect(succeed(1)).toBe(15);
  expect(succeed(16 * 40)).toBe(100);
});

test("never more requests than allowed are in flight, and a waiter that gives up takes no place", async () => {
  const pacer = new Pacer({ concurrency_max: 1, batch_max: 1 });
  await pacer.acquire(signal);
  const caller = new AbortController();
  const impatient = pacer.acquire(caller.signal);
  let second_runs = false;
  const second = pacer.acquire(signal).then(() => {
    second_runs = true;
  });
  caller.abort(new Error("enough"));
  await expect(impatient).rejects.toThrow("enough");
  expect(second_runs).toBe(false);
  pacer.release();
  await second;
  expect(pacer.load).toBe(1);
});
