import type { EndpointCounts } from "../../chains/node/endpoint_counters.ts";
import { lagSeconds, type NetworkStatus } from "../../lib/status.ts";

/**
 * Why answers are behind the head. `none`: they include it. `problem`: the status says which. `elsewhere`: another process indexes. `rate_limit`,
 * `node_errors`: since the last sample, requests waited for the rate of a node, or failed. `history`: earlier blocks are read first. `reading`:
 * the newest blocks are being read.
 */
export const LAG_CAUSES = [
  "none",
  "problem",
  "elsewhere",
  "rate_limit",
  "node_errors",
  "history",
  "reading",
  "unknown",
] as const;
export type LagCause = (typeof LAG_CAUSES)[number];

/** Sums of one endpoint in a time. */
export interface EndpointSums
  extends Pick<EndpointCounts, "requests" | "calls" | "errors" | "rate_waits" | "rate_wait_ms"> {
  readonly answers: number;
  readonly answer_seconds: number;
}

/** An endpoint with its sums since an earlier moment. */
export interface RecentEndpoint extends Pick<EndpointCounts, "endpoint" | "pace"> {
  readonly sums: EndpointSums;
}

/** A network at one moment. */
export interface LagSample {
  readonly at_ms: number;
  readonly lag_seconds: number | null;
  readonly lag_blocks: number | null;
  readonly cause: LagCause;
}

interface KeptSample extends LagSample {
  readonly endpoints: ReadonlyMap<string, EndpointSums>;
}

/** A day of minutes. */
const SAMPLES_MAX = 1_440;
/** Requests of a minute waited for this long, together, or this part of them failed: that is the cause. */
const WAITED_MS_MIN = 15_000;
const FAILED_PERCENT_MIN = 10;

const sumsOf = ({ latency, requests, calls, errors, rate_waits, rate_wait_ms }: EndpointCounts): EndpointSums => ({
  ...{ requests, calls, errors, rate_waits, rate_wait_ms },
  answers: latency.count,
  answer_seconds: latency.sum_seconds,
});

const NO_SUMS: EndpointSums = {
  ...{ requests: 0, calls: 0, rate_waits: 0, rate_wait_ms: 0, answers: 0, answer_seconds: 0 },
  errors: { rate: 0, size: 0, timeout: 0, connection: 0, http: 0, bad_answer: 0, rpc: 0 },
};

/** A connection that was opened again counts from 0: then all of its sums are since the earlier moment. */
const sinceOf = (now: EndpointSums, before: EndpointSums): EndpointSums => {
  const earlier = now.requests < before.requests || now.answers < before.answers ? NO_SUMS : before;
  const kinds = Object.entries(now.errors) as [keyof EndpointSums["errors"], number][];
  return {
    requests: now.requests - earlier.requests,
    calls: now.calls - earlier.calls,
    // The kinds of `now`, each once.
    errors: Object.fromEntries(
      kinds.map(([kind, count]) => [kind, count - earlier.errors[kind]]),
    ) as EndpointSums["errors"],
    rate_waits: now.rate_waits - earlier.rate_waits,
    rate_wait_ms: now.rate_wait_ms - earlier.rate_wait_ms,
    answers: now.answers - earlier.answers,
    answer_seconds: now.answer_seconds - earlier.answer_seconds,
  };
};

/** Failed requests. A call that the node answers with an error (`rpc`), such as one that a contract reverts, is no failure of the node. */
export const failedOf = ({ errors: { rpc: _, ...errors } }: Pick<EndpointSums, "errors">): number =>
  Object.values(errors).reduce((sum, count) => sum + count, 0);

/** @param recent the endpoints since the last sample */
const causeOf = (status: NetworkStatus, recent: readonly EndpointSums[]): LagCause => {
  if (status.problem !== null) return "problem";
  if (status.head === null || status.lag_blocks === null) return "unknown";
  if (status.lag_blocks === 0) return "none";
  if (status.state === "waiting" || status.indexed_by !== null) return "elsewhere";
  const sum = (read: (sums: EndpointSums) => number) => recent.reduce((all, one) => all + read(one), 0);
  if (sum(({ rate_wait_ms }) => rate_wait_ms) >= WAITED_MS_MIN) return "rate_limit";
  const requests = sum((one) => one.requests);
  if (requests > 0 && sum(failedOf) * 100 >= requests * FAILED_PERCENT_MIN) return "node_errors";
  return status.state === "backfill" ? "history" : "reading";
};

/** The last day of the networks of this process, by minute. It counts nothing itself: the indexers and the nodes' connections do. */
export class NetworkHistory {
  readonly #kept = new Map<string, KeptSample[]>();

  /** The network as it is now. */
  now(network: string, status: NetworkStatus, at: Readings): LagSample {
    const { at_ms, endpoints } = at;
    const last = this.#kept.get(network)?.at(-1)?.endpoints;
    const recent = endpoints.map((one) => sinceOf(sumsOf(one), last?.get(one.endpoint) ?? NO_SUMS));
    return {
      at_ms,
      lag_seconds: lagSeconds(status, at_ms),
      lag_blocks: status.lag_blocks,
      cause: causeOf(status, recent),
    };
  }

  /** Keeps the network as it is now. */
  take(network: string, status: NetworkStatus, at: Readings): void {
    const samples = this.#kept.get(network) ?? [];
    const endpoints = new Map(at.endpoints.map((one) => [one.endpoint, sumsOf(one)]));
    samples.push({ ...this.now(network, status, at), endpoints });
    if (samples.length > SAMPLES_MAX) samples.shift();
    this.#kept.set(network, samples);
  }

  /** Samples since a moment, oldest first. */
  since(network: string, from_ms: number): readonly LagSample[] {
    return (this.#kept.get(network) ?? [])
      .filter(({ at_ms }) => at_ms >= from_ms)
      .map(({ endpoints: _, ...sample }) => sample);
  }

  /** Sums of the endpoints since the last sample before a moment, or since they were opened. */
  recent(network: string, from_ms: number, endpoints: readonly EndpointCounts[]): readonly RecentEndpoint[] {
    const earlier = (this.#kept.get(network) ?? []).findLast(({ at_ms }) => at_ms <= from_ms)?.endpoints;
    return endpoints.map((one) => ({
      ...{ endpoint: one.endpoint, pace: one.pace },
      sums: sinceOf(sumsOf(one), earlier?.get(one.endpoint) ?? NO_SUMS),
    }));
  }
}

/** Inputs of a sample. */
interface Readings {
  readonly at_ms: number;
  readonly endpoints: readonly EndpointCounts[];
}
