/** One transaction on a server that may be lost at any moment, retried until its outcome is known. */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { messageOf } from "../lib/errors.ts";
import type { Queries, Scope } from "./database.ts";
import { busy, isConflict, isLost, isTooLong, unavailable } from "./postgres_errors.ts";
import { lockNumber, queriesOn } from "./postgres_queries.ts";

/** Time for which work is retried on new connections after one was lost. */
const RECONNECT_FOR_MS = 3_000;
const FIRST_PAUSE_MS = 10;
const PAUSE_MAX_MS = 400;
/** Retries after a conflict that the locks should prevent. */
const CONFLICTS_MAX = 5;
export const BEGIN = "begin isolation level read committed";

export interface DatabaseTransaction<T> {
  readonly scope: Scope;
  readonly body: (within: Queries) => Promise<T>;
}

/** Outcome of one attempt of a transaction. */
export type TransactionAttempt<T> =
  | { readonly kind: "done"; readonly value: T }
  /** Nothing was committed; the same work may be retried. */
  | { readonly kind: "again"; readonly error: unknown }
  /** The connection was lost while committing: `value` is the result if it was committed. */
  | { readonly kind: "unknown"; readonly error: unknown; readonly value: T };

/** State that an earlier attempt passes to the next ones. */
export interface EarlierAttempt<T> {
  /** Deadline for retries on new connections, as `performance.now()`. */
  readonly until: number;
  /** An attempt with an unknown outcome. */
  readonly open: { readonly value: T } | null;
}

export const beginNow = (): EarlierAttempt<never> => ({ until: performance.now() + RECONNECT_FOR_MS, open: null });

/** Retries until the outcome is known or time is up. */
export const persist = async <T>(
  pool: pg.Pool,
  { scope, body }: DatabaseTransaction<T>,
  begun: EarlierAttempt<T>,
): Promise<T> => {
  const { until } = begun;
  let { open } = begun;
  for (let round = 0; ; round += 1) {
    const attempt: TransactionAttempt<T> = await tryOnce(pool, alone(scope, body, open)).catch((error: unknown) => {
      // An earlier attempt may have been committed, even if this one failed.
      throw open === null ? error : unavailable(error, true);
    });
    if (attempt.kind === "done") return attempt.value;
    if (attempt.kind === "unknown") open = attempt;
    const may_repeat = isConflict(attempt.error) ? round < CONFLICTS_MAX : performance.now() < until;
    if (!may_repeat) throw unavailable(attempt.error, open !== null);
    await sleep(Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** round));
  }
};

/** One server transaction: its beginning with every lock, and its body. */
export interface TransactionWork<T> {
  readonly begin: string;
  readonly body: (within: Queries) => Promise<T>;
}

const alone = <T>(
  scope: Scope,
  body: (within: Queries) => Promise<T>,
  open: { value: T } | null,
): TransactionWork<T> => ({
  begin: `${BEGIN}; select pg_advisory_xact_lock(${lockNumber(scope.lock)})`,
  body: open === null ? body : (inside) => repeat(inside, scope, { body, open }),
});

export const tryOnce = async <T>(
  pool: pg.Pool,
  { begin, body }: TransactionWork<T>,
): Promise<TransactionAttempt<T>> => {
  let client: pg.PoolClient | null = null;
  let committing: { value: T } | null = null;
  let broken: Error | undefined;
  const state = { is_over: false };
  try {
    client = await pool.connect();
    // Waits for an attempt whose connection was lost: the server holds its lock until that has ended.
    // Answered before any statement is sent: without its `begin` each statement would be committed by itself.
    await client.query(begin);
    const value = await body(untilOver(queriesOn(client), state)).finally(() => {
      state.is_over = true;
    });
    committing = { value };
    const { command } = await client.query("commit");
    // A server that rolled back answers ROLLBACK; neither that nor a partial word may count as a commit.
    if (command !== "COMMIT") throw new Error(`Connection terminated: the answer to commit was ${command}`);
    return { kind: "done", value };
  } catch (error) {
    if (isLost(error)) {
      broken = error instanceof Error ? error : new Error(messageOf(error));
      return committing === null ? { kind: "again", error } : { kind: "unknown", error, value: committing.value };
    }
    if (client !== null) broken = await rollBack(client);
    if (isConflict(error)) return { kind: "again", error };
    throw isTooLong(error) ? busy(error) : error;
  } finally {
    client?.release(broken);
  }
};

/** Returns the earlier attempt's result if that was committed after all, or else makes a new attempt. */
const repeat = async <T>(
  inside: Queries,
  { proof }: Scope,
  work: { body: (within: Queries) => Promise<T>; open: { value: T } },
): Promise<T> => {
  const committed = proof === null ? null : await inside.get(proof.sql, proof.values);
  return committed === null ? work.body(inside) : work.open.value;
};

/** @returns the error that makes the connection unusable, if any */
export const rollBack = async (client: pg.PoolClient): Promise<Error | undefined> => {
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
};

/** A statement after the end of the transaction would be committed by itself. */
const untilOver = (inside: Queries, state: { readonly is_over: boolean }): Queries => {
  const ask = <R>(question: () => Promise<R>): Promise<R> =>
    state.is_over ? Promise.reject(new Error("The transaction is over.")) : question();
  return {
    all: (sql, values) => ask(() => inside.all(sql, values)),
    get: (sql, values) => ask(() => inside.get(sql, values)),
    run: (sql, values) => ask(() => inside.run(sql, values)),
  };
};
