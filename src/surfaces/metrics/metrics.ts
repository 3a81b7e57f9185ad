import { collectDefaultMetrics, Registry } from "prom-client";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { ReadStatus } from "../../lib/status.ts";
import { readOrAway, shared, withinTime } from "../health/readiness.ts";
import { type CallMetrics, callMetrics } from "./call_metrics.ts";
import { type Capacity, capacityMetrics } from "./capacity_metrics.ts";
import { by, ReadMetrics } from "./counters.ts";
import { endpointMetrics, type ReadEndpoints } from "./endpoint_metrics.ts";
import { type NetworkFigures, type NetworkSample, networkMetrics } from "./network_metrics.ts";
import { type StoreFigures, storeMetrics } from "./store_metrics.ts";
import { watchMetrics } from "./watch_metrics.ts";

export interface MetricsOptions {
  readonly status: ReadStatus;
  readonly log: Log;
  readonly capacity: Capacity;
  /** The program's version. */
  readonly version: string;
  /** Unix milliseconds. */
  readonly now_ms: () => number;
  /** Figures of each network beyond its status. */
  readonly networks?: () => Promise<Readonly<Record<string, NetworkFigures>>>;
  /** Requests sent to each node, by network. */
  readonly endpoints?: ReadEndpoints;
  readonly stores?: StoreFigures;
}

export interface Metrics extends CallMetrics {
  readonly content_type: string;
  text(): Promise<string>;
}

/** Gauges with the names of counters. prom-client exports the same numbers by type under other names. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

/** Prometheus text of one process. Labels are routes, tools, networks and nodes known to Assay, never text that a caller sent. */
export const openMetrics = (parts: MetricsOptions): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const metrics = new ReadMetrics(registry);
  const calls = callMetrics(registry);
  const refresh = [statusMetrics(metrics, parts), ...processMetrics(metrics, parts)];
  endpointMetrics(metrics, registry, parts.endpoints ?? (() => ({})));
  const build = { name: "assay_build_info", help: "Always 1; its labels are the versions of the program and of Node" };
  const versions = { version: parts.version, node: process.versions.node };
  metrics.gauge(build, Object.keys(versions), () => [[versions, 1]]);
  return {
    ...calls,
    content_type: registry.contentType,
    text: shared(async () => {
      await Promise.all(refresh.map((read) => read()));
      return registry.metrics();
    }),
  };
};

const NO_FIGURES: Readonly<Record<string, NetworkFigures>> = {};

/** Networks and the two stores, by the status of the process. */
const statusMetrics = (metrics: ReadMetrics, parts: MetricsOptions): (() => Promise<void>) => {
  let shown: readonly NetworkSample[] = [];
  let up: Readonly<Record<string, number>> = {};
  networkMetrics(metrics, () => shown, parts.now_ms);
  const store_up = { name: "assay_store_up", help: "1 while the store answers, else 0" };
  metrics.gauge(store_up, ["store"], () => by("store", up));
  const { networks = async () => NO_FIGURES } = parts;
  return async () => {
    const [status, figures] = await Promise.all([
      readOrAway(parts.status, parts.log),
      withinTime(networks(), NO_FIGURES).catch((error: unknown) => {
        parts.log.warn({ error: messageOf(error) }, "the figures of the networks could not be read for the metrics");
        return NO_FIGURES;
      }),
    ]);
    up = { accounts: Number(status.accounts), facts: Number(status.facts) };
    shown = Object.entries(status.networks).map(([network, one]) => ({
      network,
      status: one,
      figures: figures[network] ?? null,
    }));
  };
};

/** Metrics of requests, watching, lists and the disk. */
const processMetrics = (metrics: ReadMetrics, parts: MetricsOptions): readonly (() => Promise<void>)[] => {
  const { capacity, stores, log, now_ms } = parts;
  capacityMetrics(metrics, capacity);
  const reads = [
    ...(capacity.watch == null ? [] : [watchMetrics(metrics, capacity.watch)]),
    ...(stores === undefined ? [] : [storeMetrics(metrics, stores, now_ms)]),
  ];
  return reads.map((read) => async () => {
    try {
      await withinTime(read(), undefined);
    } catch (error) {
      log.warn({ error: messageOf(error) }, "a part of the metrics could not be read");
    }
  });
};
