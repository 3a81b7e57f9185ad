import { Histogram, type Registry } from "prom-client";
import type { EndpointCounts } from "../../chains/node/endpoint_counters.ts";
import type { ReadMetrics, Sample } from "./counters.ts";

/** Requests sent to each node of each network. Reading the counts sends none. */
export type ReadEndpoints = () => Readonly<Record<string, readonly EndpointCounts[]>>;

/** Labels name a node as an operator may see it: host, and a number where two are alike; never its key or path. */
export const endpointMetrics = (metrics: ReadMetrics, registry: Registry, read: ReadEndpoints): void => {
  const every = <T>(of: (counts: EndpointCounts, labels: Record<string, string>) => readonly T[]): T[] =>
    Object.entries(read()).flatMap(([network, list]) =>
      list.flatMap((counts) => of(counts, { network, endpoint: counts.endpoint })),
    );
  const samples = (value: (counts: EndpointCounts) => number | null) => (): Sample[] =>
    every((counts, labels): Sample[] => {
      const found = value(counts);
      return found === null ? [] : [[labels, found]];
    });
  const labels = ["network", "endpoint"];
  const counter = (name: string, help: string, value: (counts: EndpointCounts) => number) =>
    metrics.counter({ name, help }, labels, samples(value));
  counter("assay_endpoint_requests_total", "HTTP requests sent to a node", ({ requests }) => requests);
  counter("assay_endpoint_calls_total", "Calls in these requests: a batch holds several", ({ calls }) => calls);
  const errors = {
    name: "assay_endpoint_errors_total",
    help: "Requests and calls of a node that failed: rate (too many requests), size (a request for too much at once), timeout, connection, http (a status that is no answer), bad_answer (not what the protocol says), rpc (an error object of one call)",
  };
  metrics.counter(errors, [...labels, "kind"], () =>
    every((counts, of) => Object.entries(counts.errors).map(([kind, count]): Sample => [{ ...of, kind }, count])),
  );
  counter(
    "assay_endpoint_rate_waits_total",
    "Requests that waited for the rate limit of a node before they were sent",
    ({ rate_waits }) => rate_waits,
  );
  counter(
    "assay_endpoint_rate_wait_seconds_total",
    "Time that requests waited for the rate limit of a node",
    ({ rate_wait_ms }) => rate_wait_ms / 1000,
  );
  metrics.gauge(
    {
      name: "assay_endpoint_rate_limit",
      help: "Most requests per second sent to a node (calls, if the limit counts them): configured or learned; absent without one",
    },
    labels,
    samples(({ pace }) => pace.requests_per_second),
  );
  metrics.gauge(
    { name: "assay_endpoint_concurrency", help: "Requests that may be under way to a node at one time" },
    labels,
    samples(({ pace }) => pace.concurrency),
  );
  metrics.gauge(
    { name: "assay_endpoint_batch_calls", help: "Calls that one request to a node may hold" },
    labels,
    samples(({ pace }) => pace.batch),
  );
  latencies(registry, () => every((counts, of) => [{ counts, of }]));
};

interface LabelledCounts {
  readonly counts: EndpointCounts;
  readonly of: Readonly<Record<string, string>>;
}

/** The buckets are counted as answers arrive; prom-client only formats them. */
const latencies = (registry: Registry, read: () => readonly LabelledCounts[]): void => {
  const name = "assay_endpoint_latency_seconds";
  const help = "Time from sending a request to a node until its whole answer has arrived";
  const metric = new Histogram({ name, help, labelNames: ["network", "endpoint"], registers: [] });
  const get = async () => ({
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    values: read().flatMap(({ counts: { latency }, of }) => [
      ...[...latency.buckets, { le_seconds: "+Inf", count: latency.count }].map(({ le_seconds, count }) => ({
        metricName: `${name}_bucket`,
        labels: { ...of, le: le_seconds },
        value: count,
      })),
      { metricName: `${name}_sum`, labels: of, value: latency.sum_seconds },
      { metricName: `${name}_count`, labels: of, value: latency.count },
    ]),
  });
  registry.registerMetric(Object.assign(metric, { get, getForPromString: get }));
};
