import { by, plain, type ReadMetrics } from "./counters.ts";

/** Watching by this process, by network and by ending, and the watch events in the store. */
export interface WatchFigures {
  readonly events: Readonly<Record<string, number>>;
  readonly retracted_blocks: Readonly<Record<string, number>>;
  readonly lag_blocks: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<string, number>>;
}

export interface WatchGauges {
  readonly figures: WatchFigures;
  readonly read: () => Promise<{
    readonly waiting: number;
    readonly dead: number;
    readonly made: number;
    readonly paused: number;
  }>;
}

/** @returns a function that reads the store before the metrics are written. */
export const watchMetrics = (metrics: ReadMetrics, { figures, read }: WatchGauges): (() => Promise<void>) => {
  let held: Readonly<Record<string, number>> = {};
  let paused: number | null = null;
  const counter = (name: string, help: string, count: readonly [string, () => Readonly<Record<string, number>>]) =>
    metrics.counter({ name, help }, [count[0]], () => by(count[0], count[1]()));
  counter("assay_watch_events_total", "Watch events that this process made of blocks", [
    "network",
    () => figures.events,
  ]);
  counter("assay_watch_retracted_blocks_total", "Blocks whose watch events were retracted", [
    "network",
    () => figures.retracted_blocks,
  ]);
  counter("assay_watch_attempts_total", "Webhook requests by how they ended", ["ending", () => figures.attempts]);
  const lag = { name: "assay_watch_lag_blocks", help: "Indexed blocks that watch rules were not compared with yet" };
  metrics.gauge(lag, ["network"], () => by("network", figures.lag_blocks));
  const states = {
    name: "assay_watch_held",
    help: "Watch events of all accounts: made and not shown yet, waiting to be sent, dead letters",
  };
  metrics.gauge(states, ["state"], () => by("state", held));
  const paused_accounts = {
    name: "assay_watch_paused_accounts",
    help: "Accounts whose rules are compared with no block: no credits, no price, or too much that waits",
  };
  metrics.gauge(paused_accounts, [], () => (paused === null ? [] : plain(paused)));
  return async () => {
    [held, paused] = [{}, null];
    const now = await read();
    held = { made: now.made, waiting: now.waiting, dead: now.dead };
    paused = now.paused;
  };
};
