import { setTimeout as sleep } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { NetworkStatus, ReadStatus, Status } from "../lib/status.ts";
import { VERIFIED } from "../lib/verified.ts";
import type { Shed } from "./admission.ts";
import type { Connections } from "./connections.ts";
import type { Gate } from "./gate.ts";
import type { Held } from "./held.ts";
import { type WatchStanding, watchGauges } from "./watch_gauges.ts";

/** A status that takes longer than this counts as away. */
const STATUS_TIMEOUT_MS = 2_000;

const AWAY: Status = { accounts: false, facts: false, networks: {} };

const readOrAway = async (read: ReadStatus, log: Log): Promise<Status> => {
  try {
    return await Promise.race([read(), sleep(STATUS_TIMEOUT_MS, AWAY, { ref: false })]);
  } catch (error) {
    log.error({ error: messageOf(error) }, "status could not be read");
    return AWAY;
  }
};

/** While `read` runs, whoever asks waits for the same: however many ask, it runs once at a time. */
export const shared = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
};

/** Gaps of one network that are shown: history that several processes fill may have very many. */
const GAPS_MAX = 20;

const shown = (
  { head, indexed, indexed_at, lag_blocks, verified, gaps, state, trouble }: NetworkStatus,
  now_ms: number,
) => ({
  is_ready: indexed !== null,
  state,
  trouble,
  lag_seconds: indexed_at === null ? null : Math.max(0, Math.floor(now_ms / 1_000) - indexed_at),
  head,
  indexed,
  lag_blocks,
  verified,
  gaps: gaps.slice(0, GAPS_MAX),
});

/**
 * `/readyz`: `ready` (200) when both stores answer and every network holds its first batch (a running backfill is ready). `degraded`
 * with 200: some networks hold none and are named in `not_ready`; the others answer. `degraded` with 503: a store does not answer.
 * `starting` (503): no network holds its first batch. A network that is switched off counts for nothing.
 */
export const readiness = async (
  read: ReadStatus,
  log: Log,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const { accounts, facts, networks } = await readOrAway(read, log);
  const wanted = Object.entries(networks).filter(([, { state }]) => state !== "absent");
  const waiting = wanted.flatMap(([id, { indexed }]) => (indexed === null ? [id] : []));
  const is_answering = accounts && facts && (waiting.length === 0 || waiting.length < wanted.length);
  const word =
    !accounts || !facts ? "degraded" : !is_answering ? "starting" : waiting.length > 0 ? "degraded" : "ready";
  const now_ms = Date.now();
  const checks = {
    accounts,
    facts,
    networks: Object.fromEntries(Object.entries(networks).map(([id, network]) => [id, shown(network, now_ms)])),
  };
  return { status: is_answering ? 200 : 503, body: { status: word, not_ready: waiting, checks } };
};

export interface Metrics {
  readonly content_type: string;
  /** `tool` is '' for every route that runs none. */
  request(facts: {
    readonly route: string;
    readonly status: number;
    readonly tool: string;
    readonly seconds: number;
  }): void;
  call(tool: string, ending: string, seconds: number): void;
  /** A request was turned away before anything was charged. */
  shed(why: Shed): void;
  text(): Promise<string>;
}

/** Gauges of the networks, and the function that brings them up to date. */
const networkGauges = (registry: Registry, read: ReadStatus, log: Log): (() => Promise<void>) => {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ["network"], registers: [registry] });
  const head = gauge("assay_network_head_block", "Newest block that the node has shown");
  const indexed = gauge("assay_network_indexed_block", "Newest block that answers include");
  const lag = gauge("assay_network_lag_blocks", "Blocks between the head and the newest indexed one");
  const verified = gauge(
    "assay_network_verified",
    "What was recomputed of every block that answers include: 0 none, 1 receipts, 2 full",
  );
  const disagreements = gauge(
    "assay_network_disagreements",
    "How often endpoints that must agree did not, since the process started",
  );
  const fills_from = gauge(
    "assay_network_fills_from_block",
    "First block of the range of history that this process fills; absent while it fills none",
  );
  const fills_to = gauge("assay_network_fills_to_block", "Last block of that range");
  return async () => {
    const { networks } = await readOrAway(read, log);
    for (const one of [head, indexed, lag, verified, disagreements, fills_from, fills_to]) one.reset();
    for (const [network, status] of Object.entries(networks)) {
      disagreements.set({ network }, status.disagreements);
      if (status.fills !== null) {
        fills_from.set({ network }, status.fills.from);
        fills_to.set({ network }, status.fills.to);
      }
      if (status.head !== null) head.set({ network }, status.head);
      if (status.indexed !== null) indexed.set({ network }, status.indexed);
      if (status.lag_blocks !== null) lag.set({ network }, status.lag_blocks);
      if (status.verified !== null) verified.set({ network }, VERIFIED.indexOf(status.verified));
    }
  };
};

/** What requests take of this process. */
export interface Room {
  readonly gate: Pick<Gate, "slots" | "used">;
  readonly held: Pick<Held, "bytes">;
  readonly connections: Pick<Connections, "open" | "dropped">;
  readonly book: BookFigures;
  /** What is remembered of wallets and of the newest blocks, by what it is. */
  readonly kept: Readonly<Record<string, BookFigures>>;
  /** Null where nothing is watched. */
  readonly watch?: WatchStanding | null;
}

/** What a memory was good for. */
export interface BookFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export const NO_BOOK: BookFigures = { hits: 0, misses: 0, bytes: 0 };

/** What is remembered of wallets: movements, what their transactions were, books of profit and loss. */
const keptGauges = (registry: Registry, kept: Room["kept"]): void => {
  const gauge = (name: string, help: string, read: (figures: BookFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["of"],
      registers: [registry],
      collect() {
        for (const [of, figures] of Object.entries(kept)) this.set({ of }, read(figures));
      },
    });
  gauge(
    "assay_kept_hits",
    "Times that something of a wallet, or an answer at the newest blocks, stood in memory",
    ({ hits }) => hits,
  );
  gauge("assay_kept_misses", "Times that it had to be read from the beginning", ({ misses }) => misses);
  gauge("assay_kept_bytes", "Memory that it takes, about", ({ bytes }) => bytes);
};

const roomGauges = (registry: Registry, { gate, held, connections, book, kept }: Room): void => {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge(
    "assay_slots",
    "Calls that may run at one time; fewer than configured while the event loop is late",
    () => gate.slots,
  );
  gauge("assay_slots_used", "Calls that run now", () => gate.used);
  gauge(
    "assay_waiting_bytes",
    "Bodies that are arriving and answers that clients have not taken yet",
    () => held.bytes,
  );
  gauge("assay_connections", "Open connections", () => connections.open);
  gauge("assay_book_hits", "Standing facts that were wanted so far and stood in memory", () => book.hits);
  gauge("assay_book_misses", "Standing facts that were wanted so far and had to be read", () => book.misses);
  gauge("assay_book_bytes", "Memory that standing facts take", () => book.bytes);
  gauge("assay_connections_dropped", "Connections closed for newer ones so far", () => connections.dropped);
  keptGauges(registry, kept);
};

/** Prometheus text of one process. Labels are routes, tools and networks of ours: never what a caller sent. */
export const openMetrics = (read: ReadStatus, log: Log, room: Room): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const refresh = networkGauges(registry, read, log);
  const refreshWatch = room.watch == null ? null : watchGauges(registry, room.watch);
  const buckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
  const registers = [registry];
  const requests = new Counter({
    name: "assay_http_requests_total",
    help: "Answered requests",
    labelNames: ["route", "status", "tool"],
    registers,
  });
  const latency = new Histogram({
    name: "assay_http_request_seconds",
    help: "From the first header to the last byte of the answer",
    labelNames: ["route"],
    buckets,
    registers,
  });
  const calls = new Counter({
    name: "assay_calls_total",
    help: "Tool calls by how they ended: done (then retracted, when the answer came too late), refunded:<reason>, lease_lost, outcome_unknown, or the kind of a refusal",
    labelNames: ["tool", "ending"],
    registers,
  });
  roomGauges(registry, room);
  const shed = new Counter({
    name: "assay_shed_total",
    help: "Requests turned away before anything was charged: slots, share (of an account), memory, deadline",
    labelNames: ["cause"],
    registers,
  });
  const running = new Histogram({
    name: "assay_call_seconds",
    help: "From charge to settlement",
    labelNames: ["tool"],
    buckets,
    registers,
  });
  return {
    content_type: registry.contentType,
    request: ({ route, status, tool, seconds }) => {
      requests.inc({ route, status: String(status), tool });
      latency.observe({ route }, seconds);
    },
    call: (tool, ending, seconds) => {
      calls.inc({ tool, ending });
      running.observe({ tool }, seconds);
    },
    shed: (cause) => shed.inc({ cause }),
    text: shared(async () => {
      await refresh();
      await refreshWatch?.().catch((error: unknown) =>
        log.warn({ error: messageOf(error) }, "watching could not be counted"),
      );
      return registry.metrics();
    }),
  };
};
