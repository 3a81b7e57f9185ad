/** Transactions of one process that arrive together become one on the server, with one commit (docs/decisions/0029). */
import type pg from "pg";
import type { Queries, Scope } from "./database.ts";
import { isLost, unavailable } from "./postgres_errors.ts";
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

  const start = (jobs: readonly Job[], work: Promise<void>): void => {
    const ended = work.finally(() => {
      for (const { scope } of jobs) held.delete(scope.lock);
      running.delete(ended);
      startAll();
    });
    for (const { scope } of jobs) held.add(scope.lock);
    running.add(ended);
  };

  const startAll = (): void => {
    is_called = false;
    const { alone, together, left } = divide(waiting, held, groups < GROUPS_MAX ? GROUP_MAX : 0);
    waiting.splice(0, waiting.length, ...left);
    for (const job of alone) start([job], runAlone(pool, job, beginNow()));
    const [first] = together;
    if (first === undefined) return;
    groups += 1;
    const all = together.length === 1 ? runAlone(pool, first, beginNow()) : runTogether(pool, together);
    const work = all.finally(() => {
      groups -= 1;
    });
    start(together, work);
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

const runAlone = async (pool: pg.Pool, job: Job, begun: Begun<unknown>): Promise<void> => {
  try {
    job.resolve(await persist(pool, job, begun));
  } catch (error) {
    job.reject(error);
  }
};

/** When anything goes wrong with one of them nothing is kept of any, and each runs alone. */
const runTogether = async (pool: pg.Pool, jobs: readonly Job[]): Promise<void> => {
  const { until } = beginNow();
  const chains = chainsOf(jobs);
  const attempt = await tryGroup(pool, chains);
  if (attempt.kind === "done") {
    for (const [job, value] of attempt.value) job.resolve(value);
    return;
  }
  const values = attempt.kind === "unknown" ? attempt.value : null;
  await Promise.all(
    chains.map(async (chain) => {
      for (const job of chain) {
        const is_late = isLost(attempt.error) && performance.now() > until;
        if (is_late) job.reject(unavailable(attempt.error, values !== null));
        else await runAlone(pool, job, { until, open: values === null ? null : { value: values.get(job) } });
      }
    }),
  );
};

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
