import { EndpointCounters } from "../src/chains/node/endpoint_counters.ts";
import { Slow } from "../src/chains/node/refusal.ts";
import { silentLog } from "../src/lib/log.ts";
import type { NetworkStatus, Status } from "../src/lib/status.ts";
import type { MetricsOptions } from "../src/surfaces/metrics/metrics.ts";
import type { NetworkFigures } from "../src/surfaces/metrics/network_metrics.ts";

/** 2026-11-27T12:00:00Z */
const METRICS_NOW_S = 1_795_780_800;

export const METRICS_NETWORK: NetworkStatus = {
  head: 120,
  indexed: 100,
  lag_blocks: 20,
  from_block: 50,
  verified: "receipts",
  gaps: [
    [10, 19],
    [30, 49],
  ],
  disagreements: 3,
  state: "backfill",
  blocks_per_second: 5,
  remaining_blocks: 50,
  indexed_by: null,
  fills: { from: 10, to: 19 },
  priced_share: null,
  indexed_at: METRICS_NOW_S - 90,
  problem: null,
  trouble: null,
};

const FIGURES: NetworkFigures = {
  counts: { blocks_indexed: 51, reorganisations: 2, lease_losses: 1 },
  gaps: { traces: { ranges: 2, blocks: 7 } },
};

export const metricsStatus = (networks: Status["networks"] = { demo: METRICS_NETWORK }): Status => ({
  accounts: true,
  facts: true,
  networks,
});

/** Two answers of 40 ms and 3 s, one request without an answer, 250 ms of waiting for a limit of 5 requests a second. */
const endpoint = (name: string) => {
  const counters = new EndpointCounters();
  counters.sent(20);
  counters.answered(0.04);
  counters.sent(5);
  counters.answered(3);
  counters.sent(1);
  counters.failed(new Slow("late"));
  counters.waited(250);
  return counters.counts(name, { requests_per_second: 5, counts: "requests", concurrency: 4, batch: 20 });
};

/** A process of which every metric has a value. */
export const metricsParts = (changed: Partial<MetricsOptions> = {}): MetricsOptions => ({
  status: async () => metricsStatus(),
  log: silentLog,
  version: "9.8.7",
  now_ms: () => METRICS_NOW_S * 1000,
  capacity: {
    slots: { slots: 8, used: 3 },
    memory: { bytes: 70 },
    connections: { open: 5, dropped: 2 },
    book: { hits: 90, misses: 10, bytes: 4_000 },
    kept: { movements: { hits: 7, misses: 3, bytes: 520 }, books: { hits: 1, misses: 2, bytes: 0 } },
    watch: {
      figures: {
        events: { demo: 4 },
        retracted_blocks: { demo: 1 },
        lag_blocks: { demo: 2 },
        attempts: { delivered: 3 },
      },
      read: async () => ({ waiting: 6, dead: 1, made: 2, paused: 1 }),
    },
  },
  networks: async () => ({ demo: FIGURES }),
  endpoints: () => ({ demo: [endpoint("https://node.example/…"), endpoint("https://node.example/… #2")] }),
  stores: {
    disk: async () => ({ free_bytes: 25, size_bytes: 100 }),
    lists: async () => [{ list: "ofac", kind: "sanctions", imported_at_ms: (METRICS_NOW_S - 3_600) * 1000 }],
  },
  ...changed,
});
