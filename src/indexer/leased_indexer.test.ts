import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { AssayError } from "../lib/errors.ts";
import { noIndexCounts } from "../lib/index_counts.ts";
import type { Lease, Leases } from "../lib/lease.ts";
import { silentLog } from "../lib/log.ts";
import type { IndexerStatus } from "../lib/status.ts";
import { isLost } from "./ending.ts";
import { LeasedIndexer } from "./leased_indexer.ts";
import type { NetworkIndexer } from "./run.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** Leases that every process gets, and that can be lost. */
const openLeases = () => {
  const given: AbortController[] = [];
  const leaseOf = (epoch: number): Lease => {
    const lost = new AbortController();
    given.push(lost);
    return {
      ...{ epoch, holder: `h${epoch}`, since_ms: 0, lost: lost.signal },
      confirm: async () => lost.signal.throwIfAborted(),
      release: async () => undefined,
    };
  };
  const leases: Leases = {
    ask_every_ms: 5,
    wish: () => ({ ask: async (known) => ({ kind: "held", lease: leaseOf(known + 1) }) }),
    holders: async () => ({}),
  };
  const lose = () => given.at(-1)?.abort(new AssayError({ code: "LEASE_LOST", message: "late", retryable: true }));
  return { leases, lose, given };
};

test("a lost lease is taken again, and at no moment the network counts as stopped", async () => {
  const { leases, lose, given } = openLeases();
  const said: string[] = [];
  const states = new Set<IndexerStatus["state"]>();
  const stop = new AbortController();
  /** Indexes until it is stopped, like a real one. */
  const open = (): NetworkIndexer => {
    let state: IndexerStatus["state"] = "following";
    const run: NetworkIndexer["run"] = async ({ signal }) => {
      while (!signal.aborted) await sleep(2);
      const is_lost = isLost(signal.reason);
      state = is_lost ? "starting" : "stopped";
      return is_lost ? "lost" : "stopped";
    };
    // The test uses no other member of an indexer.
    return { run, status: () => ({ state }) } as unknown as NetworkIndexer;
  };
  const log = { ...silentLog, warn: (_: object, text: string) => void said.push(text) };
  const parts = {
    network: "demo",
    engine: store.engine,
    leases,
    open,
    help: { run: async () => undefined, range: null },
    counts: noIndexCounts(),
  };
  const leased = new LeasedIndexer({ ...parts, log: log as typeof silentLog });
  const running = leased.run({ once: false, wait_ms: null, signal: stop.signal });
  for (let tenure = 1; tenure <= 3; tenure += 1) {
    while (given.length < tenure || leased.status().state !== "following") await sleep(1);
    if (tenure === 3) break;
    lose();
    while (given.length === tenure) {
      states.add(leased.status().state);
      await sleep(1);
    }
  }
  expect(states).not.toContain("stopped");
  expect(said).toEqual([
    "the lease was lost: this process requests it again, and indexing waits until then",
    "this process has the lease again, and indexing goes on",
    "the lease was lost: this process requests it again, and indexing waits until then",
    "this process has the lease again, and indexing goes on",
  ]);
  stop.abort();
  await running;
  expect(leased.status().state).toBe("stopped");
});
