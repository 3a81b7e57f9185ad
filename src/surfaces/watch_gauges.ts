import { Gauge, type Registry } from "prom-client";

/** What this process has done for watching, by network and by ending; and what the store holds of it. */
export interface WatchFigures {
  readonly events: Readonly<Record<string, number>>;
  readonly retracted_blocks: Readonly<Record<string, number>>;
  readonly lag_blocks: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<string, number>>;
}

export interface WatchStanding {
  readonly figures: WatchFigures;
  readonly read: () => Promise<{
    readonly waiting: number;
    readonly dead: number;
    readonly made: number;
    readonly paused: number;
  }>;
}

/** Registers the gauges. @returns what brings them up to date. */
export const watchGauges = (registry: Registry, watch: WatchStanding): (() => Promise<void>) => {
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name, help, labelNames: [label], registers: [registry] });
  const events = gauge("assay_watch_events", "Events that this process made of blocks so far", "network");
  const retracted = gauge("assay_watch_retracted_blocks", "Blocks whose events were taken back so far", "network");
  const lag = gauge("assay_watch_lag_blocks", "Indexed blocks that rules were not compared with yet", "network");
  const attempts = gauge("assay_watch_attempts", "Webhooks that were sent so far, by how that ended", "ending");
  const held = gauge("assay_watch_held", "Events: made and not shown yet, waiting to be sent, dead letters", "state");
  const paused = new Gauge({
    name: "assay_watch_paused_accounts",
    help: "Accounts whose rules are compared with no block: no credits, no price, or too much that waits",
    registers: [registry],
  });
  const set = (one: Gauge<string>, label: string, counts: Readonly<Record<string, number>>) => {
    for (const [name, count] of Object.entries(counts)) one.set({ [label]: name }, count);
  };
  return async () => {
    const { figures } = watch;
    set(events, "network", figures.events);
    set(retracted, "network", figures.retracted_blocks);
    set(lag, "network", figures.lag_blocks);
    set(attempts, "ending", figures.attempts);
    const { made, waiting, dead, paused: paused_accounts } = await watch.read();
    set(held, "state", { made, waiting, dead });
    paused.set(paused_accounts);
  };
};
