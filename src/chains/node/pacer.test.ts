import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fake_clock.ts";
import { Pacer, type Turn } from "./pacer.ts";

const signal = new AbortController().signal;
const LIMITS = { concurrency_max: 16, batch_max: 100 };
const paceOf = ({ pace }: Pacer) => [pace.concurrency, pace.batch];

test("a request that was too large halves the batch, one that was too slow halves the requests in flight", () => {
  const pacer = new Pacer(LIMITS);
  expect(paceOf(pacer)).toEqual([4, 20]);
  pacer.tooLarge(20);
  expect(paceOf(pacer)).toEqual([4, 10]);
  pacer.tooBusy();
  pacer.tooBusy();
  pacer.tooBusy();
  expect(paceOf(pacer)).toEqual([1, 10]);
  for (let i = 0; i < 10; i += 1) pacer.tooLarge(pacer.batch);
  expect(pacer.batch).toBe(1);
});

test("a request that came too soon leaves the batch unchanged: smaller ones would need more requests", async () => {
  const clock = new FakeClock();
  const pacer = new Pacer(LIMITS, clock);
  const turn = await pacer.acquire(signal);
  pacer.tooOften(turn, 0);
  pacer.release();
  expect(paceOf(pacer)).toEqual([4, 20]);
  expect(pacer.pace.requests_per_second).toBeCloseTo(0.9, 9);
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
  pacer.tooLarge(25);
  expect(pacer.batch).toBe(12);
  expect(succeed(15)).toBe(12);
  expect(succeed(1)).toBe(15);
  expect(succeed(16 * 40)).toBe(100);
});

test("an array longer than the endpoint allows is never tried again", () => {
  const pacer = new Pacer(LIMITS);
  pacer.takesAtMost(3);
  for (let i = 0; i < 10_000; i += 1) pacer.succeeded();
  expect(pacer.batch).toBe(3);
});

test("no more requests than allowed are in flight, and a waiter that gives up takes no slot", async () => {
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

test("of requests that wait for the rate, those of callers go first, and every fourth is a background request", async () => {
  const clock = new FakeClock();
  const pacer = new Pacer({ ...LIMITS, requests_per_second: 1 }, clock);
  const order: string[] = [];
  const ask = async (name: string, is_background: boolean): Promise<void> => {
    await pacer.acquire(signal, is_background);
    order.push(name);
    pacer.release();
  };
  const all = [
    ...["b1", "b2", "b3"].map((name) => ask(name, true)),
    ...["u1", "u2", "u3", "u4"].map((name) => ask(name, false)),
  ];
  await clock.pass(10_000);
  await Promise.all(all);
  // The first one found a token; then three for callers, one background request, and the rest.
  expect(order).toEqual(["b1", "u1", "u2", "u3", "b2", "u4", "b3"]);
});

test("a request reports how long the rate delayed it, and one that goes at once reports nothing", async () => {
  const clock = new FakeClock();
  const pacer = new Pacer({ ...LIMITS, requests_per_second: 2 }, clock);
  const turns: Turn[] = [];
  const all = [1, 2, 3].map(async () => {
    turns.push(await pacer.acquire(signal));
    pacer.release();
  });
  await clock.pass(5_000);
  await Promise.all(all);
  expect(turns.map(({ rate_wait_ms }) => rate_wait_ms)).toEqual([null, 500, 1_000]);
});

test("a waiter that gives up while the rate delays it leaves no timer", async () => {
  const clock = new FakeClock();
  const pacer = new Pacer({ ...LIMITS, requests_per_day: 1 }, clock);
  await pacer.acquire(signal);
  const caller = new AbortController();
  const waiting = pacer.acquire(caller.signal);
  expect(clock.timers).toBe(1);
  caller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(clock.timers).toBe(0);
});

test("an endpoint that refuses again and again without an answer between has failed, until it answers", async () => {
  const clock = new FakeClock();
  const pacer = new Pacer(LIMITS, clock);
  const refuse = async (): Promise<void> => {
    const waiting = pacer.acquire(signal);
    await clock.pass(120_000);
    pacer.tooOften(await waiting, 0);
    pacer.release();
  };
  for (let i = 0; i < 5; i += 1) await refuse();
  expect(pacer.refuses_all).toBe(false);
  await refuse();
  expect(pacer.refuses_all).toBe(true);
  const waiting = pacer.acquire(signal);
  await clock.pass(120_000);
  await waiting;
  pacer.succeeded();
  pacer.release();
  expect(pacer.refuses_all).toBe(false);
});
