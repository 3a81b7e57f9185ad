import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/fake_clock.ts";
import type { RateUnit } from "./answer_counts.ts";
import { isPerSecondLimit } from "./refusal.ts";
import { RequestRate } from "./request_rate.ts";

/** Requests of so many calls each, for some seconds. */
interface Phase {
  readonly seconds: number;
  readonly calls: number;
}

interface NodeLimit {
  readonly most: number;
  readonly window_ms: number;
  readonly counts?: RateUnit;
}

/**
 * Sends requests without a pause, one at a time, 5 ms each, to a node that answers `most` requests (or calls) within any
 * `window_ms` and refuses all others. Counts in its unit.
 */
const requestsIn = async (phases: readonly Phase[], { most, window_ms, counts = "requests" }: NodeLimit) => {
  const clock = new FakeClock();
  const rate = new RequestRate({}, clock);
  let recent: { readonly at: number; readonly cost: number }[] = [];
  let ends = 0;
  const results: { answered: number; refused: number }[] = [];
  for (const { seconds, calls } of phases) {
    const result = { answered: 0, refused: 0 };
    results.push(result);
    ends += seconds * 1_000;
    while (clock.now() < ends) {
      const wait_ms = rate.waitMs();
      if (wait_ms > 0) {
        rate.noteWait();
        await clock.pass(wait_ms);
      }
      rate.take(calls);
      const sent_at = clock.now();
      recent = recent.filter(({ at }) => sent_at - at < window_ms);
      const cost = counts === "calls" ? calls : 1;
      const is_answered = recent.reduce((sum, one) => sum + one.cost, cost) <= most;
      if (is_answered) recent.push({ at: sent_at, cost });
      await clock.pass(5);
      if (is_answered) {
        result.answered += cost;
        rate.answered(calls);
      } else {
        result.refused += 1;
        rate.refused(sent_at, 0);
      }
    }
  }
  return { results, counts: rate.counts };
};

const requestsFor = async (seconds: number, limit: NodeLimit) => {
  const { results } = await requestsIn([{ seconds, calls: 1 }], limit);
  return results[0] ?? { answered: 0, refused: 0 };
};

describe("a limit that is not configured", () => {
  test.each([
    { most: 5, window_ms: 1_000 },
    { most: 50, window_ms: 1_000 },
    { most: 10, window_ms: 2_000 },
  ])("$most requests in $window_ms ms: uses nearly all of the limit, with few refusals", async (limit) => {
    const { answered, refused } = await requestsFor(60, limit);
    const allowed = (limit.most / limit.window_ms) * 1_000 * 60;
    expect(answered / allowed).toBeGreaterThan(0.75);
    expect(answered / allowed).toBeLessThanOrEqual(1.05);
    expect(refused).toBeLessThan(answered * 0.05);
  });

  test("60 requests a minute: most requests are answered although the second shows no limit", async () => {
    const { answered, refused } = await requestsFor(600, { most: 60, window_ms: 60_000 });
    expect(answered).toBeGreaterThan(300);
    expect(refused).toBeLessThan(answered * 0.15);
  });
});

describe("arrays of 50 calls, then of 3, then of 50 again", () => {
  const phases = [50, 3, 50].map((calls) => ({ seconds: 60, calls }));
  test.each<NodeLimit & { readonly counts: RateUnit }>([
    { counts: "calls", most: 500, window_ms: 1_000 },
    { counts: "requests", most: 20, window_ms: 1_000 },
  ])("a node that counts $counts: nearly all of its limit is used in each", async (limit) => {
    const { results, counts } = await requestsIn(phases, limit);
    expect(counts).toBe(limit.counts);
    for (const { answered, refused } of results) {
      expect(answered / (limit.most * 60)).toBeGreaterThan(0.7);
      expect(refused).toBeLessThan(40);
    }
  });
});

test("requests in flight that are refused together are one refusal", () => {
  const clock = new FakeClock();
  const rate = new RequestRate({ requests_per_second: 10 }, clock);
  for (let i = 0; i < 4; i += 1) rate.refused(0, 0);
  expect(rate.per_second).toBe(8);
  expect(rate.waitMs()).toBe(1_000);
});

test("keeps a stated pause, however long it is, and doubles an unstated one up to a minute", async () => {
  const clock = new FakeClock();
  const told = new RequestRate({}, clock);
  told.refused(0, 3_600_000);
  expect(told.pauseMs()).toBe(3_600_000);
  const rate = new RequestRate({}, clock);
  const pauses: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    rate.refused(clock.now(), 0);
    pauses.push(rate.pauseMs());
    await clock.pass(rate.pauseMs());
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test("an unstated pause is short if the limit applies per second", async () => {
  const clock = new FakeClock();
  const rate = new RequestRate({}, clock);
  expect(isPerSecondLimit("50/second request limit reached")).toBe(true);
  expect(isPerSecondLimit("100 requests per minute")).toBe(false);
  const pauses: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    rate.refused(clock.now(), 0, true);
    pauses.push(rate.pauseMs());
    await clock.pass(rate.pauseMs());
  }
  expect(pauses).toEqual([1_000, 2_000, 2_000, 2_000]);
});

test("a configured rate is never exceeded, and lowered if the node refuses it", async () => {
  const clock = new FakeClock();
  const rate = new RequestRate({ requests_per_second: 4 }, clock);
  let sent = 0;
  while (clock.now() < 10_000) {
    const wait_ms = rate.waitMs();
    if (wait_ms > 0) rate.noteWait();
    await clock.pass(wait_ms);
    rate.take();
    rate.answered();
    sent += 1;
  }
  // One at once, and four in each second.
  expect(sent).toBe(41);
  rate.refused(clock.now(), 0);
  expect(rate.per_second).toBeCloseTo(3.2, 9);
});

test("the burst and the refill of a day are no more than its requests", async () => {
  const clock = new FakeClock();
  const rate = new RequestRate({ requests_per_day: 240 }, clock);
  let sent = 0;
  while (clock.now() < 86_400_000) {
    if (rate.waitMs() > 0) await clock.pass(60_000);
    else {
      rate.take();
      sent += 1;
    }
  }
  expect(sent).toBeLessThanOrEqual(240);
  expect(sent).toBeGreaterThan(235);
});

test("a rate that was too low grows while it delays requests, and only then", async () => {
  const clock = new FakeClock();
  const rate = new RequestRate({}, clock);
  for (let i = 0; i < 4; i += 1) rate.answered();
  rate.refused(0, 0);
  const learned = 4 * 0.9;
  expect(rate.per_second).toBeCloseTo(learned, 9);
  for (let i = 0; i < 100; i += 1) {
    await clock.pass(5_000);
    rate.answered();
  }
  expect(rate.per_second).toBeCloseTo(learned, 9);
  for (let i = 0; i < 12; i += 1) {
    rate.noteWait();
    await clock.pass(5_000);
    rate.answered();
  }
  // 5 %, 10 %, 20 %, 40 %, 80 %, then doubled.
  expect(rate.per_second).toBeCloseTo(learned * 1.05 * 1.1 * 1.2 * 1.4 * 1.8 * 2 ** 7, 6);
});

/**
 * Seconds until `count` requests are answered, one at a time, by a node that refuses the first ones that match
 * `isRefused`.
 */
const secondsFor = async (count: number, isRefused: (n: number) => boolean): Promise<number> => {
  const clock = new FakeClock();
  const rate = new RequestRate({}, clock);
  let answered = 0;
  for (let n = 0; answered < count; n += 1) {
    const wait_ms = rate.waitMs();
    if (wait_ms > 0) rate.noteWait();
    await clock.pass(wait_ms);
    rate.take();
    const sent_at = clock.now();
    await clock.pass(5);
    if (isRefused(n)) rate.refused(sent_at, 1_000);
    else {
      answered += 1;
      rate.answered();
    }
  }
  return clock.now() / 1_000;
};

test("a node that refuses only its first requests soon gets the full rate", async () => {
  expect(await secondsFor(100, (n) => n < 4)).toBeLessThan(12);
  // One refusal among many answers: barely slower than the second of pause that it requests.
  expect(await secondsFor(2_000, (n) => n === 1_000)).toBeLessThan(25);
  // After two answers, which do not show the limit.
  expect(await secondsFor(100, (n) => n === 2)).toBeLessThan(10);
});

test("after a long refusal a node that answers again soon gets the rate of before", async () => {
  const clock = new FakeClock();
  const rate = new RequestRate({}, clock);
  for (let i = 0; i < 6; i += 1) {
    rate.refused(clock.now(), 0);
    await clock.pass(rate.pauseMs());
  }
  const began = clock.now();
  const sent_at: number[] = [];
  let longest_ms = 0;
  while (sent_at.length < 20) {
    const wait_ms = rate.waitMs();
    longest_ms = Math.max(longest_ms, wait_ms);
    if (wait_ms > 0) {
      await clock.pass(rate.noteWait());
      continue;
    }
    rate.take();
    rate.answered();
    sent_at.push(clock.now() - began);
  }
  // The stated wait follows from the current rate, so that other endpoints are used meanwhile.
  expect(longest_ms).toBeGreaterThan(20_000);
  // The first answer shows one request in 32 seconds; doubled each second, that is one a second after five.
  expect(sent_at[1]).toBeLessThanOrEqual(7_000);
  expect(sent_at.at(-1)).toBeLessThanOrEqual(12_000);
});
