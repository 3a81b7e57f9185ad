/** Background work of an open accounts store: it picks up changes by other processes and refunds orphaned charges. */
import type { Log } from "../lib/log.ts";
import type { Authenticator } from "./authenticate.ts";
import type { Database, Instance } from "./database.ts";
import type { Ledger } from "./ledger.ts";
import type { ToolPrices } from "./prices.ts";
import { startTimer } from "./timer.ts";
import type { Witness } from "./witness.ts";

/** Interval of checks whether another process changed keys, plans or prices. */
const LISTEN_EVERY_MS = 250;

interface ChangeTargets {
  readonly database: Database;
  readonly authenticator: Authenticator;
  readonly prices: ToolPrices;
  readonly witness: Witness;
}

/** Picks up other processes' changes to keys, accounts, plans and prices, and writes the times of last use. */
export const listener = ({ database, authenticator, prices, witness }: ChangeTargets) => {
  let revision: number | null = null;
  return async () => {
    const latest = await database.revision();
    if (latest !== revision) {
      authenticator.purge();
      await prices.current(database);
      await witness.answer();
      // Last: a failed step is retried with the next round.
      revision = latest;
    }
    await authenticator.flush();
  };
};

interface BackgroundTasks {
  readonly listen: () => Promise<void>;
  readonly sweep: () => Promise<void>;
  readonly sweep_every_ms: number;
}

/** Background work, from its start until it is stopped. */
export const startable = ({ listen, sweep, sweep_every_ms }: BackgroundTasks, log: Log) => {
  const listening = startTimer(listen, LISTEN_EVERY_MS, log);
  const sweeping = startTimer(sweep, sweep_every_ms, log);
  return {
    start() {
      listening.start();
      sweeping.start();
    },
    async stop() {
      await listening.stop();
      await sweeping.stop();
    },
  };
};

/** Refunds charges whose process has ended. @returns how many charges. */
export const sweepAll = async (ledger: Ledger, instance: Instance): Promise<number> => {
  let refunded = await ledger.sweepExpired();
  await instance.eachGone(async (name) => {
    refunded += await ledger.sweepOwner(name);
  });
  return refunded;
};
