import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, Span as OtelSpan, Tracer } from "@opentelemetry/api";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Settings } from "../config/settings.ts";
import { AssayError } from "../lib/errors.ts";
import { type Log, maskUrl } from "../lib/log.ts";
import type { RequestSpan, RequestTracer, SpanFacts, TraceSpan, TraceStep } from "../lib/trace.ts";

/** Maximum number of spans that wait for the collector; more are dropped. */
const QUEUE_MAX = 4_096;
const BATCH_MAX = 512;
const BATCH_EVERY_MS = 2_000;
/** How long one delivery may take. */
const EXPORT_TIMEOUT_MS = 3_000;
/** How long the end of the process waits for the last spans. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Maximum number of steps per request, so that a tool with many queries does not create an unreadable trace. */
const STEPS_MAX = 500;
/** Minimum interval between log lines about an unreachable collector. */
const COMPLAIN_EVERY_MS = 60_000;

export interface OpenTracing {
  readonly tracing: RequestTracer;
  /** Delivers the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

export interface TracingOptions {
  readonly settings: Settings["telemetry"];
  readonly log: Log;
  /** Numbers in [0, 1) that decide which requests are recorded. */
  readonly random: () => number;
}

/**
 * Traces to the collector of the settings; null without one, and then no package of OpenTelemetry is loaded. A
 * collector that fails or hangs costs only spans and a log line (docs/design/operations.md).
 */
export const openTracing = async ({ settings, log, random }: TracingOptions): Promise<OpenTracing | null> => {
  const { otlp_url, sample_ratio, service_name } = settings;
  if (otlp_url === null) return null;
  const [api, sdk, resources, otlp] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url: tracesUrl(otlp_url), timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ "service.name": service_name }),
    // This process decides which requests are recorded, not the flags and ids of a caller.
    sampler: new sdk.AlwaysOnSampler(),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: complaining(exporter, otlp_url, log),
        maxQueueSize: QUEUE_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: BATCH_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const isRecorded = () => random() < sample_ratio;
  const tracing = new RequestTracing(api, provider.getTracer("assay"), isRecorded);
  return { tracing, close: () => closeSoon(() => provider.shutdown()) };
};

/**
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter: the signal's path is appended to the collector's address.
 */
const tracesUrl = (otlp_url: string): string => {
  const url = new URL(otlp_url);
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
};

const closeSoon = async (shutdown: () => Promise<void>): Promise<void> => {
  const given_up = new AbortController();
  const patience = sleep(CLOSE_TIMEOUT_MS, undefined, { signal: given_up.signal });
  // A failed delivery was already logged, and the end of the process waits for no collector.
  await Promise.race([Promise.allSettled([shutdown()]), patience]);
  given_up.abort();
  await Promise.allSettled([patience]);
};

/** Wraps `exporter` so that a failure becomes a log line with the collector's address, without its answer. */
const complaining = (exporter: SpanExporter, otlp_url: string, log: Log): SpanExporter => {
  let quiet_until = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && performance.now() >= quiet_until) {
          quiet_until = performance.now() + COMPLAIN_EVERY_MS;
          log.warn({ collector: maskUrl(otlp_url), spans: spans.length }, "traces could not be delivered");
        }
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
};

type Api = typeof import("@opentelemetry/api");

/** The parent span of steps, and the number of steps of its request. */
interface ActiveSpan {
  readonly span: OtelSpan;
  readonly request: { readonly span: OtelSpan; steps: number };
}

const SILENT_SPAN: TraceSpan = { note: () => undefined };

class RequestTracing implements RequestTracer {
  readonly #api: Api;
  readonly #tracer: Tracer;
  readonly #isRecorded: () => boolean;
  readonly #places = new AsyncLocalStorage<ActiveSpan>();

  constructor(api: Api, tracer: Tracer, isRecorded: () => boolean) {
    this.#api = api;
    this.#tracer = tracer;
    this.#isRecorded = isRecorded;
  }

  request(name: string, traceparent: string | undefined): RequestSpan | null {
    if (!this.#isRecorded()) return null;
    const kind = this.#api.SpanKind.SERVER;
    const span = this.#tracer.startSpan(name, { kind }, this.#callersContext(traceparent));
    return {
      note: (facts) => void span.setAttributes(facts),
      within: (work) => this.#places.run({ span, request: { span, steps: 0 } }, work),
      end: () => span.end(),
    };
  }

  async step<T>({ name, kind, facts }: TraceStep, work: (span: TraceSpan) => Promise<T>): Promise<T> {
    const place = this.#places.getStore();
    if (place === undefined || !this.#counts(place)) return work(SILENT_SPAN);
    const { SpanKind, ROOT_CONTEXT, trace } = this.#api;
    const options = { kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: facts };
    const span = this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, place.span));
    const note = (more: SpanFacts) => void span.setAttributes(more);
    try {
      return await this.#places.run({ span, request: place.request }, () => work({ note }));
    } catch (error) {
      note({ "error.type": error instanceof AssayError ? error.code : "internal" });
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  /** False when the request has reached the limit of steps. */
  #counts({ request }: ActiveSpan): boolean {
    request.steps += 1;
    if (request.steps <= STEPS_MAX) return true;
    request.span.setAttribute("assay.steps_left_out", request.steps - STEPS_MAX);
    return false;
  }

  /** W3C Trace Context, version 00 and the same prefix of later versions. Any other header begins a new trace. */
  #callersContext(traceparent: string | undefined): Context {
    const { ROOT_CONTEXT, TraceFlags, trace } = this.#api;
    const [, version, traceId = "", spanId = "", more] =
      /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(traceparent ?? "") ?? [];
    const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    const is_known = version !== "ff" && (version !== "00" || more === undefined);
    return is_known && this.#api.isSpanContextValid(context)
      ? trace.setSpanContext(ROOT_CONTEXT, context)
      : ROOT_CONTEXT;
  }
}
