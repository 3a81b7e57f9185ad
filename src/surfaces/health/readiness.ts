import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { type NetworkStatus, pricedPercent, type ReadStatus, type Status } from "../../lib/status.ts";

/** A status that takes longer than this counts as away. */
const STATUS_TIMEOUT_MS = 2_000;

const AWAY: Status = { accounts: false, facts: false, networks: {} };

/** The result of `work`, or `late` where that takes too long for a health check. */
export const withinTime = <T>(work: Promise<T>, late: T): Promise<T> =>
  Promise.race([work, sleep(STATUS_TIMEOUT_MS, late, { ref: false })]);

/** The status, or that everything is away where it cannot be read in time. */
export const readOrAway = async (read: ReadStatus, log: Log): Promise<Status> => {
  try {
    return await withinTime(read(), AWAY);
  } catch (error) {
    log.error({ error: messageOf(error) }, "status could not be read");
    return AWAY;
  }
};

/** Callers share a running `read`: it runs once at a time, however many call. */
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

const shown = (network: NetworkStatus, now_ms: number) => {
  const { head, indexed, indexed_at, lag_blocks, verified, gaps, state, trouble } = network;
  return {
    is_ready: indexed !== null,
    state,
    trouble,
    lag_seconds: indexed_at === null ? null : Math.max(0, Math.floor(now_ms / 1_000) - indexed_at),
    head,
    indexed,
    lag_blocks,
    verified,
    gaps: gaps.slice(0, GAPS_MAX),
    /** While many hours lack their prices; answers then warn of it (PRICES_PENDING). */
    priced_percent: pricedPercent(network),
  };
};

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
