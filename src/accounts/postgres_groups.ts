/** Transactions of one process that arrive together become one on the server, with one commit (docs/decisions/0029). */
import type pg from "pg";
import type { Queries, Scope } from "./database.ts";
import { isLost } from "./postgres_errors.ts";
import { lockNumber } from "./postgres_queries.ts";
import {
  type Attempt,
  BEGIN,
  type Begun,
  beginNow,
  persist,
  type Transaction,
  tryOnce,
} from "./postgres_transaction.ts";

/** Most transactions that share one commit; each has a lock in the server's memory. */
const GROUP_MAX = 64;
/** Most of one lock: they run one after another while others wait for it. */
const CHAIN_MAX = 16;
/** Groups under way at a time. While they are, the next one gathers. */
const GROUPS_MAX = 2;
/** How long a group waits for any lock. Who has to wait longer waits alone, so that nobody waits for a stranger. */
const GROUP_WAIT_MS = 250;

export interface Groups {
  add<T>(scope: Scope, body: (within: Queries) => Promise<T>): Promise<T>;
  /** Resolves when everything that was added has ended. */
  end(): Promise<void>;
}

interface Job extends Transaction<unknown> {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Jobs of one lock, in the order in which they came. */
type Chain = readonly [Job, ...Job[]];

export const openGroups = (pool: pg.Pool): Groups => {
  const waiting: Job[] = [];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  let [groups, is_called] = [0, false];

  const track = (work: Promise<void>): void => {
    const ended = work.finally(() => running.delete(ended));
    running.add(ended);
  };

  /** The lock of a chain is free again. */
  const leave = ([{ scope }]: Chain): boolean => held.delete(scope.lock);

  const startChain = (chain: Chain, spoilt: Spoilt | null): void => {
    held.add(chain[0].scope.lock);
    const work = runChain(pool, chain, spoilt).finally(() => {
      leave(chain);
      startAll();
    });
    track(work);
  };

  const startGroup = async (chains: readonly Chain[]): Promise<void> => {
    groups += 1;
    for (const [{ scope }] of chains) held.add(scope.lock);
    const { until } = beginNow();
    const attempt = await tryGroup(pool, chains);
    groups -= 1;
    if (attempt.kind !== "done") for (const chain of chains) startChain(chain, { attempt, until });
    else {
      for (const chain of chains) leave(chain);
      for (const [job, value] of attempt.value) job.resolve(value);
    }
    startAll();
  };

  const startAll = (): void => {
    is_called = false;
    const { alone, together, left } = divide(waiting, held, groups < GROUPS_MAX ? GROUP_MAX : 0);
    waiting.splice(0, waiting.length, ...left);
    for (const job of alone) startChain([job], null);
    const [first, second] = together;
    if (first !== undefined && second === undefined) startChain([first], null);
    if (second !== undefined) track(startGroup(chainsOf(together)));
  };

  return {
    add: (scope, body) =>
      new Promise((resolve, reject) => {
        // True because `resolve` only ever gets what this very `body` returned.
        waiting.push({ scope, body, resolve: resolve as (value: unknown) => void, reject });
        if (is_called) return;
        is_called = true;
        // What was read in the same turn of the event loop meets in one group.
        setImmediate(startAll);
      }),
    async end() {
      while (waiting.length + running.size > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

/** What may start now. A job whose lock is held, or wanted by one before it that cannot start, waits. */
const divide = (waiting: readonly Job[], held: ReadonlySet<string>, room: number) => {
  const [alone, together, left]: [Job[], Job[], Job[]] = [[], [], []];
  const [kept, grouped] = [new Set(held), new Map<string, number>()];
  for (const job of waiting) {
    const { lock, shares } = job.scope;
    const before = grouped.get(lock) ?? 0;
    if (shares === true && together.length < room && before < CHAIN_MAX && !kept.has(lock)) {
      together.push(job);
      grouped.set(lock, before + 1);
    } else if (shares !== true && !kept.has(lock) && before === 0) {
      alone.push(job);
      kept.add(lock);
    } else {
      left.push(job);
      kept.add(lock);
    }
  }
  return { alone, together, left };
};

/** A group of which nothing was kept, or nobody knows. */
interface Spoilt {
  readonly attempt: Exclude<Attempt<Values>, { kind: "done" }>;
  /** As `performance.now()`: how long its jobs are tried again on new connections. */
  readonly until: number;
}

/** Each job as a transaction of its own. */
const runChain = async (pool: pg.Pool, chain: Chain, spoilt: Spoilt | null): Promise<void> => {
  for (const job of chain) {
    try {
      job.resolve(await persist(pool, job, spoilt === null ? beginNow() : begunBy(spoilt, job)));
    } catch (error) {
      job.reject(error);
    }
  }
};

/** The group counts as the first attempt. Where it was no connection that failed, a job has done nothing yet. */
const begunBy = ({ attempt, until }: Spoilt, job: Job): Begun<unknown> =>
  attempt.kind === "unknown"
    ? { until, open: { value: attempt.value.get(job) } }
    : { until: isLost(attempt.error) ? until : beginNow().until, open: null };

type Values = ReadonlyMap<Job, unknown>;

const tryGroup = async (pool: pg.Pool, chains: readonly Chain[]): Promise<Attempt<Values>> => {
  try {
    return await tryOnce(pool, { begin: beginWith(chains), body: (inside) => runChains(chains, inside) });
  } catch (error) {
    return { kind: "again", error };
  }
};

/** By name of the lock: rows are taken in the same order everywhere. */
const chainsOf = (jobs: readonly Job[]): readonly Chain[] => {
  const chains = new Map<string, [Job, ...Job[]]>();
  for (const job of jobs) {
    const chain = chains.get(job.scope.lock);
    if (chain === undefined) chains.set(job.scope.lock, [job]);
    else chain.push(job);
  }
  return [...chains].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, chain]) => chain);
};

/** Takes every lock in the order of its number, so that groups cannot wait for each other in a circle. */
const beginWith = (chains: readonly Chain[]): string => {
  const numbers = new BigInt64Array(chains.map(([{ scope }]) => BigInt(lockNumber(scope.lock)))).sort();
  const locks = `select pg_advisory_xact_lock(number) from unnest('{${numbers.join(",")}}'::bigint[]) as locks (number)`;
  return `${BEGIN}; set local lock_timeout = ${GROUP_WAIT_MS}; ${locks}`;
};

/** Jobs of one lock one after another, chains side by side on the one connection. Nothing is being asked any more at the end. */
const runChains = async (chains: readonly Chain[], inside: Queries): Promise<Values> => {
  const values = new Map<Job, unknown>();
  const ended = await Promise.allSettled(
    chains.map(async (chain) => {
      for (const job of chain) values.set(job, await job.body(inside));
    }),
  );
  const failed = ended.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return values;
};
