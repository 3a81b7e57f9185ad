/** Transactions of one process that arrive together and share one server transaction, with one commit (docs/design/ledger.md). */
import type pg from "pg";
import type { Queries, Scope } from "./database.ts";
import { isLost } from "./postgres_errors.ts";
import { lockNumber } from "./postgres_queries.ts";
import {
  BEGIN,
  beginNow,
  type DatabaseTransaction,
  type EarlierAttempt,
  persist,
  type TransactionAttempt,
  tryOnce,
} from "./postgres_transaction.ts";

/** Maximum transactions that share one commit; each takes a lock in the server's memory. */
const GROUP_MAX = 64;
/** Maximum of one lock: they run in sequence while others wait for it. */
const CHAIN_MAX = 16;
/** Groups of one kind running at a time. Meanwhile the next one gathers. */
const GROUPS_MAX = 2;
/** Time that a group waits for any lock. A job that must wait longer waits alone, so that it delays no unrelated job. */
const GROUP_WAIT_MS = 250;

export interface Groups {
  add<T>(scope: Scope, body: (within: Queries) => Promise<T>): Promise<T>;
  /** Resolves when all added jobs have ended. */
  end(): Promise<void>;
}

interface GroupJob extends DatabaseTransaction<unknown> {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Jobs of one lock, in order of arrival. */
type JobChain = readonly [GroupJob, ...GroupJob[]];

export const openGroups = (pool: pg.Pool): Groups => new Queue(pool);

class Queue implements Groups {
  readonly #pool: pg.Pool;
  /** Jobs that have not started, in order of arrival. */
  readonly #waiting: GroupJob[] = [];
  /** Locks of the started jobs. */
  readonly #held = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  /** Running groups, by kind. */
  readonly #groups = new Map<string, number>();
  #is_called = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  add<T>(scope: Scope, body: (within: Queries) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // True because `resolve` only receives the result of this `body`.
      this.#waiting.push({ scope, body, resolve: resolve as (value: unknown) => void, reject });
      if (this.#is_called) return;
      this.#is_called = true;
      // Jobs that arrive in the same turn of the event loop share one group.
      setImmediate(() => this.#startAll());
    });
  }

  async end(): Promise<void> {
    while (this.#waiting.length + this.#running.size > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  #startAll(): void {
    this.#is_called = false;
    const roomOf = (kind: string): number => (this.#groupsOf(kind) < GROUPS_MAX ? GROUP_MAX : 0);
    const { alone, together, left } = divide(this.#waiting, this.#held, roomOf);
    this.#waiting.splice(0, this.#waiting.length, ...left);
    for (const job of alone) this.#startChain([job], null);
    for (const [kind, jobs] of together) {
      const [first, second] = jobs;
      if (first !== undefined && second === undefined) this.#startChain([first], null);
      if (second !== undefined) this.#track(this.#runGroup(kind, chainsOf(jobs)));
    }
  }

  #groupsOf(kind: string): number {
    return this.#groups.get(kind) ?? 0;
  }

  #startChain(chain: JobChain, spoilt: FailedGroup | null): void {
    this.#held.add(lockOf(chain));
    const work = runChain(this.#pool, chain, spoilt).finally(() => {
      this.#held.delete(lockOf(chain));
      this.#startAll();
    });
    this.#track(work);
  }

  /** If anything fails, the whole group rolls back, and each job runs alone while others may share again. */
  async #runGroup(kind: string, chains: readonly JobChain[]): Promise<void> {
    this.#groups.set(kind, this.#groupsOf(kind) + 1);
    for (const chain of chains) this.#held.add(lockOf(chain));
    const { until } = beginNow();
    const attempt = await tryGroup(this.#pool, chains);
    this.#groups.set(kind, this.#groupsOf(kind) - 1);
    if (attempt.kind !== "done") for (const chain of chains) this.#startChain(chain, { attempt, until });
    else {
      for (const chain of chains) this.#held.delete(lockOf(chain));
      for (const [job, value] of attempt.value) job.resolve(value);
    }
    this.#startAll();
  }

  #track(work: Promise<void>): void {
    const ended = work.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
  }
}

const lockOf = ([first]: JobChain): string => first.scope.lock;

/** Jobs that may start now. A job whose lock is held, or wanted by an earlier job that cannot start, waits. */
const divide = (waiting: readonly GroupJob[], held: ReadonlySet<string>, roomOf: (kind: string) => number) => {
  const [alone, left]: [GroupJob[], GroupJob[]] = [[], []];
  const together = new Map<string, GroupJob[]>();
  const [kept, grouped] = [new Set(held), new Map<string, number>()];
  for (const job of waiting) {
    const { lock, shares } = job.scope;
    const before = grouped.get(lock) ?? 0;
    const group = shares === undefined ? null : (together.get(shares) ?? []);
    const may_start = !kept.has(lock) && before < CHAIN_MAX;
    if (may_start && shares !== undefined && group !== null && group.length < roomOf(shares)) {
      group.push(job);
      together.set(shares, group);
      grouped.set(lock, before + 1);
    } else if (may_start && shares === undefined && before === 0) {
      alone.push(job);
      kept.add(lock);
    } else {
      left.push(job);
      kept.add(lock);
    }
  }
  return { alone, together, left };
};

/** A group that was rolled back, or whose outcome is unknown. */
interface FailedGroup {
  readonly attempt: Exclude<TransactionAttempt<JobValues>, { kind: "done" }>;
  /** As `performance.now()`: deadline for retries of its jobs on new connections. */
  readonly until: number;
}

/** Runs each job as a separate transaction. */
const runChain = async (pool: pg.Pool, chain: JobChain, spoilt: FailedGroup | null): Promise<void> => {
  for (const job of chain) {
    try {
      job.resolve(await persist(pool, job, spoilt === null ? beginNow() : begunBy(spoilt, job)));
    } catch (error) {
      job.reject(error);
    }
  }
};

/** The group counts as the first attempt. Unless the connection failed, no job has run yet. */
const begunBy = ({ attempt, until }: FailedGroup, job: GroupJob): EarlierAttempt<unknown> =>
  attempt.kind === "unknown"
    ? { until, open: { value: attempt.value.get(job) } }
    : { until: isLost(attempt.error) ? until : beginNow().until, open: null };

type JobValues = ReadonlyMap<GroupJob, unknown>;

const tryGroup = async (pool: pg.Pool, chains: readonly JobChain[]): Promise<TransactionAttempt<JobValues>> => {
  try {
    return await tryOnce(pool, { begin: beginWith(chains), body: (inside) => runChains(chains, inside) });
  } catch (error) {
    return { kind: "again", error };
  }
};

/** Sorts by name of the lock: rows are taken in the same order everywhere. */
const chainsOf = (jobs: readonly GroupJob[]): readonly JobChain[] => {
  const chains = new Map<string, [GroupJob, ...GroupJob[]]>();
  for (const job of jobs) {
    const chain = chains.get(job.scope.lock);
    if (chain === undefined) chains.set(job.scope.lock, [job]);
    else chain.push(job);
  }
  return [...chains].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, chain]) => chain);
};

/** Takes the locks in the order of their numbers, so that groups cannot deadlock. */
const beginWith = (chains: readonly JobChain[]): string => {
  const numbers = new BigInt64Array(chains.map(([{ scope }]) => BigInt(lockNumber(scope.lock)))).sort();
  const locks = `select pg_advisory_xact_lock(number) from unnest('{${numbers.join(",")}}'::bigint[]) as locks (number)`;
  return `${BEGIN}; set local lock_timeout = ${GROUP_WAIT_MS}; ${locks}`;
};

/** Runs jobs of one lock in sequence, and chains concurrently on the one connection. Resolves when no statement is pending. */
const runChains = async (chains: readonly JobChain[], inside: Queries): Promise<JobValues> => {
  const values = new Map<GroupJob, unknown>();
  const ended = await Promise.allSettled(
    chains.map(async (chain) => {
      for (const job of chain) values.set(job, await job.body(inside));
    }),
  );
  const failed = ended.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return values;
};
