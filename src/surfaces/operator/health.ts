import * as z from "zod";
import { AssayError } from "../../lib/errors.ts";
import type { ReadStatus } from "../../lib/status.ts";
import type { ReadEndpoints } from "../metrics/endpoint_metrics.ts";
import { definer } from "../operations/operation.ts";
import { failedOf, LAG_CAUSES, type LagSample, type NetworkHistory, type RecentEndpoint } from "./network_history.ts";

/** Data of a process about its networks and their nodes. */
export interface HealthTerms {
  readonly history: NetworkHistory;
  readonly endpoints: ReadEndpoints;
}

interface HealthContext {
  readonly state: { readonly status: ReadStatus; readonly now_ms: () => number; readonly health: HealthTerms };
}

const define = definer<HealthContext>();

const count = z.int().min(0);
const minutes = z.int().min(1).max(1_440).default(60).meta({ description: "Minutes back from now." });

export const lagFields = {
  lag_seconds: z.int().min(0).nullable().meta({
    description: "Age of the newest block that answers include; it also grows while the chain makes no block.",
  }),
  lag_cause: z.enum(LAG_CAUSES).meta({
    description:
      "Why answers are behind the head. `none`: they include it. `problem`: see `problem`. `elsewhere`: another process indexes. `rate_limit`, `node_errors`: in the last minute requests waited for the rate limit of a node, or failed. `history`: earlier blocks are read first. `reading`: the newest blocks are being read.",
  }),
};

export const lagOutput = ({ lag_seconds, cause }: LagSample) => ({
  lag_seconds: lag_seconds === null ? null : Math.floor(lag_seconds),
  lag_cause: cause,
});

const sample = z.strictObject({
  at: z.string().meta({ format: "date-time" }),
  lag_blocks: count.nullable(),
  ...lagFields,
});

/** Most samples of a network in one answer. */
const SAMPLES_MAX = 180;

/** An unknown lag is worse than any known one: it may be large. A problem at the same lag is worse than none. */
const badness = ({ lag_blocks, cause }: LagSample): number =>
  lag_blocks === null ? Number.POSITIVE_INFINITY : lag_blocks + (cause === "none" ? 0 : 0.5);

/** Of several samples in a row, the worst one. */
const thinned = (samples: readonly LagSample[]): readonly LagSample[] => {
  const step = Math.ceil(samples.length / SAMPLES_MAX);
  if (step < 2) return samples;
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, i) =>
    samples.slice(i * step, (i + 1) * step).reduce((worst, one) => (badness(one) > badness(worst) ? one : worst)),
  );
};

const isoMs = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

const endpoint = z.strictObject({
  network: z.string(),
  endpoint: z
    .string()
    .meta({ description: "Host of the node, and a number where two are alike; never its key or path." }),
  requests: count,
  calls: count.meta({ description: "Calls in the requests: a batch holds several." }),
  failed: count.meta({ description: "Requests that failed, all kinds but `rpc` together." }),
  errors: z.record(z.string(), count).meta({
    description:
      "By kind, only kinds that occurred: rate, size, timeout, connection, http, bad_answer; rpc are calls that the node answered with an error.",
  }),
  mean_seconds: z.number().nullable().meta({ description: "Mean time of an answer; null without one." }),
  rate_waits: count.meta({ description: "Requests that waited for the rate limit of the node." }),
  rate_wait_seconds: z.number(),
  rate_limit: z.number().nullable().meta({
    description: "Most requests per second, configured or learned; null without a limit.",
  }),
  rate_counts: z.enum(["requests", "calls"]).meta({ description: "Unit of the rate limit." }),
  concurrency: count,
  batch: count.meta({ description: "Calls that one request may hold." }),
});

const endpointOutput = (network: string, { endpoint: name, pace, sums }: RecentEndpoint): z.input<typeof endpoint> => ({
  ...{ network, endpoint: name, requests: sums.requests, calls: sums.calls, failed: failedOf(sums) },
  errors: Object.fromEntries(Object.entries(sums.errors).filter(([, failures]) => failures > 0)),
  mean_seconds: sums.answers === 0 ? null : sums.answer_seconds / sums.answers,
  rate_waits: sums.rate_waits,
  rate_wait_seconds: sums.rate_wait_ms / 1_000,
  ...{ rate_limit: pace.requests_per_second, rate_counts: pace.counts },
  ...{ concurrency: pace.concurrency, batch: pace.batch },
});

export const healthOperations = {
  show_network_history: define({
    method: "GET",
    path: "/operator/networks/{network}/history",
    summary:
      "Lag of a network by minute, at most a day back and no further than the start of the process. Of longer times, only the worst minutes: those whose lag is unknown, then those with the largest.",
    input: z.strictObject({ network: z.string().min(1).max(100).meta({ description: "The network's id." }), minutes }),
    output: z.strictObject({ network: z.string(), samples: z.array(sample) }),
    async run({ state }, { network, minutes: back }) {
      const { networks } = await state.status();
      if (!Object.hasOwn(networks, network)) throw unknownNetwork(network);
      const samples = state.health.history.since(network, state.now_ms() - back * 60_000);
      return {
        network,
        samples: thinned(samples).map((one) => ({
          at: isoMs(one.at_ms),
          lag_blocks: one.lag_blocks,
          ...lagOutput(one),
        })),
      };
    },
  }),
  list_endpoints: define({
    method: "GET",
    path: "/operator/endpoints",
    summary:
      "Requests to each node in the last minutes, or since the process started if that is later: failures, times, waits and rates. `/metrics` has the same counters since the start.",
    input: z.strictObject({ minutes }),
    output: z.strictObject({ endpoints: z.array(endpoint) }),
    async run({ state }, { minutes: back }) {
      const from = state.now_ms() - back * 60_000;
      const endpoints = Object.entries(state.health.endpoints()).flatMap(([network, list]) =>
        state.health.history.recent(network, from, list).map((one) => endpointOutput(network, one)),
      );
      return { endpoints };
    },
  }),
} as const;

const unknownNetwork = (network: string): AssayError => {
  const message = `No network '${network}' is configured.`;
  return new AssayError({ code: "UNKNOWN_NETWORK", message, public: message });
};
