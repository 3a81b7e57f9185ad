import { describe, expect, test } from "vitest";
import type { EndpointCounts } from "../../chains/node/endpoint_counters.ts";
import type { NetworkStatus } from "../../lib/status.ts";
import { NetworkHistory } from "./network_history.ts";

const MINUTE = 60_000;
/** Of the newest indexed block, unix seconds. */
const BLOCK_TIME = 1_767_225_600;
const START = BLOCK_TIME * 1_000;

const FOLLOWING: NetworkStatus = {
  ...{ head: 100, indexed: 98, lag_blocks: 2, indexed_at: BLOCK_TIME, from_block: 0, verified: "full", gaps: [] },
  ...{ disagreements: 0, state: "following", blocks_per_second: null, remaining_blocks: null, problem: null },
  ...{ trouble: null, indexed_by: null, fills: null, priced_share: null },
};

const NO_ERRORS = { rate: 0, size: 0, timeout: 0, connection: 0, http: 0, bad_answer: 0, rpc: 0 };

const node = (counts: Partial<EndpointCounts> = {}): EndpointCounts => ({
  ...{ endpoint: "node.example", requests: 0, calls: 0, errors: NO_ERRORS, rate_waits: 0, rate_wait_ms: 0 },
  latency: { buckets: [], sum_seconds: 0, count: 0 },
  pace: { requests_per_second: 10, counts: "requests", concurrency: 4, batch: 20 },
  ...counts,
});

const causeOf = (status: Partial<NetworkStatus>, now: Partial<EndpointCounts> = {}) => {
  const history = new NetworkHistory();
  history.take("demo", FOLLOWING, { at_ms: START, endpoints: [node({ requests: 1_000, rate_wait_ms: 90_000 })] });
  return history.now("demo", { ...FOLLOWING, ...status }, { at_ms: START + MINUTE, endpoints: [node(now)] }).cause;
};

describe("the cause of a lag", () => {
  const SAME = { requests: 1_000, rate_wait_ms: 90_000 };

  test("is the problem of the status, before anything else", () => {
    expect(causeOf({ problem: "the node is away", head: null, lag_blocks: null }, SAME)).toBe("problem");
    expect(causeOf({ head: null, lag_blocks: null }, SAME)).toBe("unknown");
  });

  test("names no lag while answers include the head", () => {
    expect(causeOf({ lag_blocks: 0, indexed_at: BLOCK_TIME - 86_400 }, SAME)).toBe("none");
  });

  test("is another process that indexes", () => {
    const indexed_by = { host: "other", pid: 7, since_ms: 0 };
    expect(causeOf({ state: "waiting", indexed_by }, SAME)).toBe("elsewhere");
  });

  test("is the rate only by waits since the last sample: 15 s in a minute", () => {
    expect(causeOf({}, { requests: 1_000, rate_wait_ms: 90_000 + 14_999 })).toBe("reading");
    expect(causeOf({}, { requests: 1_000, rate_wait_ms: 90_000 + 15_000 })).toBe("rate_limit");
  });

  test("is the node from one failure in ten requests on", () => {
    const failed = (timeout: number) => ({ ...SAME, requests: 1_020, errors: { ...NO_ERRORS, timeout } });
    expect(causeOf({}, failed(1))).toBe("reading");
    expect(causeOf({}, failed(2))).toBe("node_errors");
  });

  test("is history while earlier blocks are read, else the newest blocks", () => {
    expect(causeOf({ state: "backfill" }, SAME)).toBe("history");
    expect(causeOf({}, SAME)).toBe("reading");
  });
});

test("keeps a day of minutes, oldest first, with the age of the newest block", () => {
  const history = new NetworkHistory();
  for (let minute = 0; minute < 1_500; minute += 1)
    history.take("demo", FOLLOWING, { at_ms: START + minute * MINUTE, endpoints: [] });
  const all = history.since("demo", 0);
  expect(all).toHaveLength(1_440);
  expect(all[0]).toEqual({ at_ms: START + 60 * MINUTE, lag_seconds: 3_600, lag_blocks: 2, cause: "reading" });
  expect(history.since("demo", START + 1_498 * MINUTE).map(({ lag_seconds }) => lag_seconds)).toEqual([89_880, 89_940]);
  expect(history.since("other", 0)).toEqual([]);
});

test("sums of an endpoint are those since the sample before the time, or since it was opened", () => {
  const history = new NetworkHistory();
  const at = (minute: number, counts: Partial<EndpointCounts>) =>
    history.take("demo", FOLLOWING, { at_ms: START + minute * MINUTE, endpoints: [node(counts)] });
  at(0, { requests: 10, calls: 30 });
  at(10, { requests: 25, calls: 60, rate_waits: 2, rate_wait_ms: 500 });
  const present = node({
    ...{ requests: 40, calls: 90, rate_waits: 5, rate_wait_ms: 2_500, errors: { ...NO_ERRORS, rate: 3 } },
    latency: { buckets: [], sum_seconds: 18, count: 36 },
  });
  const [of_window] = history.recent("demo", START + 12 * MINUTE, [present]);
  expect(of_window?.sums).toMatchObject({ requests: 15, calls: 30, rate_waits: 3, rate_wait_ms: 2_000 });
  expect(of_window?.sums.errors.rate).toBe(3);
  const [whole] = history.recent("demo", START - MINUTE, [present]);
  expect(whole?.sums).toMatchObject({ requests: 40, calls: 90, answers: 36, answer_seconds: 18 });
  const [fresh] = history.recent("demo", START + 12 * MINUTE, [{ ...present, endpoint: "new.example" }]);
  expect(fresh?.sums.requests).toBe(40);
});

test("a connection that was opened again counts from its own start, and calls that fail by their contract are no failures", () => {
  const history = new NetworkHistory();
  history.take("demo", FOLLOWING, { at_ms: START, endpoints: [node({ requests: 40_000, calls: 90_000 })] });
  const [again] = history.recent("demo", START + MINUTE, [node({ requests: 12, calls: 20 })]);
  expect(again?.sums).toMatchObject({ requests: 12, calls: 20 });
  const reverted = { requests: 40_100, calls: 92_000, errors: { ...NO_ERRORS, rpc: 300 } };
  expect(history.now("demo", FOLLOWING, { at_ms: START + MINUTE, endpoints: [node(reverted)] }).cause).toBe("reading");
});
