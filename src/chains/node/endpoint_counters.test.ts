import { expect, test } from "vitest";
import { BadAnswer } from "./answer.ts";
import { EndpointCounters } from "./endpoint_counters.ts";
import { NodeRefusal, RpcError, Slow } from "./refusal.ts";

const PACE = { requests_per_second: null, counts: "calls" as const, concurrency: 4, batch: 20 };

test("counts each error under its kind", () => {
  const counters = new EndpointCounters();
  counters.failed(new NodeRefusal("rate", "slower"));
  counters.failed(new NodeRefusal("size", "less"));
  counters.failed(new NodeRefusal("size", "less"));
  counters.failed(new Slow("no answer within 5 ms"));
  counters.failed(new BadAnswer("the answer is not JSON"));
  counters.failed(new BadAnswer("HTTP 502", null, 502));
  counters.failed(new RpcError(-32000, "header not found", null));
  counters.failed(new Error("connect ECONNREFUSED"));
  expect(counters.counts("a", PACE).errors).toEqual({
    rate: 1,
    size: 2,
    timeout: 1,
    bad_answer: 1,
    http: 1,
    rpc: 1,
    connection: 1,
  });
});

test("a latency bucket counts all answers up to its bound, and the count includes answers beyond the last bound", () => {
  const counters = new EndpointCounters();
  for (const seconds of [0.005, 0.04, 0.04, 31]) counters.answered(seconds);
  const { latency } = counters.counts("a", PACE);
  const at = (bound: number) => latency.buckets.find(({ le_seconds }) => le_seconds === bound)?.count;
  expect([at(0.005), at(0.025), at(0.05), at(30), latency.count]).toEqual([1, 1, 3, 3, 4]);
  expect(latency.sum_seconds).toBeCloseTo(31.085, 9);
});

test("a copy keeps its numbers while the counters go on", () => {
  const counters = new EndpointCounters();
  counters.sent(3);
  counters.waited(250);
  const before = counters.counts("a", PACE);
  counters.sent(1);
  counters.waited(1);
  counters.failed(new Slow("late"));
  expect(before).toMatchObject({ endpoint: "a", requests: 1, calls: 3, rate_waits: 1, rate_wait_ms: 250, pace: PACE });
  expect(before.errors.timeout).toBe(0);
  expect(counters.counts("a", PACE)).toMatchObject({ requests: 2, calls: 4, rate_waits: 2, rate_wait_ms: 251 });
});
