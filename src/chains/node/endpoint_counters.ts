/** Requests to one endpoint and their outcomes since the process opened it. */
import { BadAnswer } from "./answer.ts";
import type { RateUnit } from "./answer_counts.ts";
import { NodeRefusal, RpcError, Slow } from "./refusal.ts";

/**
 * `rate`: too many requests; `size`: too much in one request; `timeout`: no answer in time; `connection`: no
 * connection, or a broken one; `http`: an error status without an answer; `bad_answer`: an answer that violates the
 * protocol; `rpc`: the error object of one call.
 */
const ERROR_KINDS = ["rate", "size", "timeout", "connection", "http", "bad_answer", "rpc"] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** Upper bounds of the latency histogram, seconds. */
const LATENCY_BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** A histogram as in Prometheus: each bucket includes the smaller ones. */
export interface LatencyHistogram {
  /** One per bound, in order: answers that took no longer. */
  readonly buckets: readonly { readonly le_seconds: number; readonly count: number }[];
  readonly sum_seconds: number;
  readonly count: number;
}

/** Current pace of an endpoint. */
export interface Pace {
  /** Null while no limit is set or learned. */
  readonly requests_per_second: number | null;
  /** Unit of that limit. */
  readonly counts: RateUnit;
  readonly concurrency: number;
  /** Calls per request. */
  readonly batch: number;
}

/** A copy of the counters of one endpoint. */
export interface EndpointCounts {
  /** The endpoint's name without secrets; unique within its network. */
  readonly endpoint: string;
  /** HTTP requests sent. */
  readonly requests: number;
  /** Calls in these requests. */
  readonly calls: number;
  readonly errors: Readonly<Record<ErrorKind, number>>;
  /** Of requests that were answered, whatever the answer was. */
  readonly latency: LatencyHistogram;
  /** Requests that waited for the rate limit before they were sent, and their total wait. */
  readonly rate_waits: number;
  readonly rate_wait_ms: number;
  readonly pace: Pace;
}

export class EndpointCounters {
  #requests = 0;
  #calls = 0;
  readonly #errors: Record<ErrorKind, number> = {
    rate: 0,
    size: 0,
    timeout: 0,
    connection: 0,
    http: 0,
    bad_answer: 0,
    rpc: 0,
  };
  /** Answers by the first bound that they keep; the last entry is beyond all bounds. */
  readonly #by_bound = new Array<number>(LATENCY_BOUNDS_SECONDS.length + 1).fill(0);
  #sum_seconds = 0;
  #rate_waits = 0;
  #rate_wait_ms = 0;

  sent(calls: number): void {
    this.#requests += 1;
    this.#calls += calls;
  }

  answered(seconds: number): void {
    const place = LATENCY_BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
    const at = place === -1 ? LATENCY_BOUNDS_SECONDS.length : place;
    this.#by_bound[at] = (this.#by_bound[at] ?? 0) + 1;
    this.#sum_seconds += seconds;
  }

  failed(error: unknown): void {
    this.#errors[kindOf(error)] += 1;
  }

  waited(milliseconds: number): void {
    this.#rate_waits += 1;
    this.#rate_wait_ms += milliseconds;
  }

  /** A copy, which later requests do not change. */
  counts(endpoint: string, pace: Pace): EndpointCounts {
    let count = 0;
    const cumulative = this.#by_bound.map((own) => {
      count += own;
      return count;
    });
    return {
      endpoint,
      requests: this.#requests,
      calls: this.#calls,
      errors: { ...this.#errors },
      latency: {
        buckets: LATENCY_BOUNDS_SECONDS.map((le_seconds, i) => ({ le_seconds, count: cumulative[i] ?? 0 })),
        sum_seconds: this.#sum_seconds,
        count,
      },
      rate_waits: this.#rate_waits,
      rate_wait_ms: this.#rate_wait_ms,
      pace,
    };
  }
}

const kindOf = (error: unknown): ErrorKind => {
  if (error instanceof NodeRefusal) return error.reason;
  if (error instanceof Slow) return "timeout";
  if (error instanceof BadAnswer) return error.status === null ? "bad_answer" : "http";
  return error instanceof RpcError ? "rpc" : "connection";
};
