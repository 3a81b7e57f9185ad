import { Counter, Histogram, type Registry } from "prom-client";
import type { ShedReason } from "../limits/admission.ts";

/** How a call ended. */
export interface EndedCall {
  readonly tool: string;
  /**
   * `done` (and then `retracted` when its answer came too late), `refunded:<reason>`, `lease_lost`, `outcome_unknown`, or
   * the kind of a refusal.
   */
  readonly ending: string;
  readonly seconds: number;
  /** Credits that the charge took; 0 where nothing was charged, and for `retracted`. */
  readonly charged: number;
  /** Refunded credits. Those of a lost lease are refunded within a minute. */
  readonly refunded: number;
}

export interface AnsweredRequest {
  readonly route: string;
  readonly status: number;
  /** '' for a route that runs no tool. */
  readonly tool: string;
  readonly seconds: number;
}

export interface CallMetrics {
  request(facts: AnsweredRequest): void;
  call(ended: EndedCall): void;
  /** A request was rejected before anything was charged. */
  shed(why: ShedReason): void;
}

const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Requests, calls and credits. Labels are routes, tools and endings known to Assay, never text that a caller sent. */
export const callMetrics = (registry: Registry): CallMetrics => {
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, label: string) =>
    new Histogram({ name, help, labelNames: [label], buckets: BUCKETS, registers });
  const requests = counter("assay_http_requests_total", "Answered HTTP requests", ["route", "status", "tool"]);
  const latency = histogram(
    "assay_http_request_seconds",
    "Time from the first header of a request to the last byte of its answer",
    "route",
  );
  const calls = counter(
    "assay_calls_total",
    "Tool calls by how they ended: done (then retracted, when the answer came too late), refunded:<reason>, lease_lost, outcome_unknown, or the kind of a refusal",
    ["tool", "ending"],
  );
  const running = histogram("assay_call_seconds", "Time from the charge of a tool call to its settlement", "tool");
  const charged = counter("assay_credits_charged_total", "Credits that charges of tool calls took", ["tool"]);
  const refunded = counter("assay_credits_refunded_total", "Credits of tool calls that were refunded", ["tool"]);
  const shed = counter(
    "assay_shed_total",
    "Requests rejected before anything was charged: slots, share (of an account), memory, deadline",
    ["cause"],
  );
  return {
    request: ({ route, status, tool, seconds }) => {
      requests.inc({ route, status: String(status), tool });
      latency.observe({ route }, seconds);
    },
    call: (ended) => {
      const { tool } = ended;
      calls.inc({ tool, ending: ended.ending });
      running.observe({ tool }, ended.seconds);
      if (ended.charged > 0) charged.inc({ tool }, ended.charged);
      if (ended.refunded > 0) refunded.inc({ tool }, ended.refunded);
    },
    shed: (cause) => shed.inc({ cause }),
  };
};
