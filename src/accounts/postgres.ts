import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AssayError, messageOf } from "../lib/errors.ts";
import { maskUrl, type Secret } from "../lib/log.ts";
import type { Database, Queries, Row, Scope, Value } from "./database.ts";
import { isConflict, isLost, isTooLong } from "./postgres_errors.ts";
import { GuardedSocket } from "./postgres_socket.ts";

/** How long a transaction waits for another that holds its lock. */
const BUSY_WAIT_MS = 10_000;
/** A process that sleeps inside a transaction gives its locks back after this. Shorter than others wait for them. */
const IDLE_MS = 5_000;
const CONNECT_MS = 3_000;
/** How long work is tried again on new connections after one was lost. */
const RECONNECT_FOR_MS = 3_000;
const FIRST_PAUSE_MS = 10;
const PAUSE_MAX_MS = 400;
/** Repetitions after a conflict that the locks should have made impossible. */
const CONFLICTS_MAX = 5;
const NO_LIMIT_MS = 24 * 3_600_000;

export interface PostgresSettings {
  readonly url: Secret;
  /** Most connections of this process, besides the one that listens. */
  readonly connections: number;
  /** How long a transaction waits for others before it fails with ACCOUNTS_BUSY. */
  readonly busy_wait_ms?: number;
}

/** What one attempt of a transaction left behind. */
type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  /** Nothing was committed; the same work may be tried again. */
  | { readonly kind: "again"; readonly error: unknown }
  /** The connection was lost while committing: `value` is the answer if it was committed. */
  | { readonly kind: "unknown"; readonly error: unknown; readonly value: T };

/**
 * Opens the accounts in PostgreSQL. READ COMMITTED with one advisory lock per transaction: what a transaction reads under
 * its lock no other changes before it ends (docs/decisions).
 * @throws AssayError ACCOUNTS_UNAVAILABLE when the server does not answer, ACCOUNTS_UNSAFE when it acknowledges
 * commits that are not on disk.
 */
export const openPostgres = async (settings: PostgresSettings): Promise<Database> => {
  const pool = openPool(settings);
  const inTurn = openTurns();
  try {
    await refuseUnsafe(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const outside: Queries = {
    all: (sql, values) => tryRead(() => queriesOn(pool).all(sql, values)),
    get: (sql, values) => tryRead(() => queriesOn(pool).get(sql, values)),
    run: (sql, values) => inWords(() => queriesOn(pool).run(sql, values)),
  };
  return {
    ...outside,
    transaction: (scope, body) => inTurn(scope.lock, () => persist(pool, scope, body)),
    snapshot: (body) => tryRead(() => readOneMoment(pool, body)),
    async revision() {
      const row = await outside.get<{ revision: number }>("select revision from changes");
      return row?.revision ?? 0;
    },
    close: () => pool.end(),
  };
};

/** What every connection to the accounts has in common. */
export const connectionSettings = (settings: PostgresSettings): pg.ClientConfig => {
  const busy_wait_ms = settings.busy_wait_ms ?? BUSY_WAIT_MS;
  return {
    connectionString: settings.url.reveal(),
    application_name: "assay",
    connectionTimeoutMillis: CONNECT_MS,
    stream: () => new GuardedSocket(),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    lock_timeout: busy_wait_ms,
    idle_in_transaction_session_timeout: IDLE_MS,
    // The server gives up first, so that its reason is known here.
    statement_timeout: busy_wait_ms + 2_000,
    query_timeout: busy_wait_ms + 4_000,
    types: { getTypeParser: (oid: number) => (oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid)) },
  };
};

const INT8 = 20;
/** Type of `sum(bigint)`. */
const NUMERIC = 1700;

const openPool = (settings: PostgresSettings): pg.Pool => {
  const pool = new pg.Pool({
    ...connectionSettings(settings),
    pipeline: true,
    max: settings.connections,
    idleTimeoutMillis: 30_000,
  });
  // A lost connection shows where it is used; the event alone would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
};

const refuseUnsafe = async (pool: pg.Pool): Promise<void> => {
  const row = await inWords(() => queriesOn(pool).get<{ synchronous_commit: string }>("show synchronous_commit"));
  if (row?.synchronous_commit !== "off") return;
  throw new AssayError({
    code: "ACCOUNTS_UNSAFE",
    message: `PostgreSQL at ${maskUrl(pool.options.connectionString ?? "")} runs with synchronous_commit = off: charges could be lost after they were acknowledged. Set it to on for Assay's user.`,
  });
};

/** Runs work of one name in order, so that a busy account takes one connection of this process and not all of them. */
const openTurns = () => {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(name);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(name, mine);
    const forget = () => {
      if (last.get(name) === mine) last.delete(name);
    };
    mine.then(forget, forget);
    return mine;
  };
};

/** Tries until the outcome is known or time is up. */
const persist = async <T>(pool: pg.Pool, scope: Scope, body: (within: Queries) => Promise<T>): Promise<T> => {
  const until = performance.now() + RECONNECT_FOR_MS;
  let open: Extract<Attempt<T>, { kind: "unknown" }> | null = null;
  for (let round = 0; ; round += 1) {
    const attempt: Attempt<T> = await tryOnce(pool, scope, { body, open }).catch((error: unknown) => {
      // Whatever went wrong now, an earlier attempt may have been committed.
      throw open === null ? error : unavailable(error, true);
    });
    if (attempt.kind === "done") return attempt.value;
    if (attempt.kind === "unknown") open = attempt;
    const may_repeat = isConflict(attempt.error) ? round < CONFLICTS_MAX : performance.now() < until;
    if (!may_repeat) throw unavailable(attempt.error, open !== null);
    await sleep(Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** round));
  }
};

interface Work<T> {
  readonly body: (within: Queries) => Promise<T>;
  /** An earlier attempt of which it is not known whether it was committed. */
  readonly open: { readonly value: T } | null;
}

const tryOnce = async <T>(pool: pg.Pool, scope: Scope, { body, open }: Work<T>): Promise<Attempt<T>> => {
  let client: pg.PoolClient | null = null;
  let committing: { value: T } | null = null;
  let broken: Error | undefined;
  try {
    client = await pool.connect();
    const inside = queriesOn(client);
    // Waits for an attempt whose connection was lost: the server keeps its lock until it has ended there.
    // Answered before anything is sent behind it: without its `begin` each statement would be committed by itself.
    await client.query(`begin isolation level read committed; select pg_advisory_xact_lock(${lockNumber(scope.lock)})`);
    const value = await (open === null ? body(inside) : repeat(inside, scope, { body, open }));
    committing = { value };
    await client.query("commit");
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

/** The answer of the earlier attempt if that was committed after all, or else of a new one. */
const repeat = async <T>(inside: Queries, { proof }: Scope, work: Work<T> & { open: { value: T } }): Promise<T> => {
  const committed = proof === null ? null : await inside.get(proof.sql, proof.values);
  return committed === null ? work.body(inside) : work.open.value;
};

/** @returns the error that makes the connection useless, if there is one. */
const rollBack = async (client: pg.PoolClient): Promise<Error | undefined> => {
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
};

const readOneMoment = async <T>(pool: pg.Pool, body: (within: Queries) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin isolation level repeatable read read only; set local statement_timeout = 0");
    return await body(queriesOn(client, NO_LIMIT_MS));
  } finally {
    broken = await rollBack(client);
    client.release(broken);
  }
};

/** A read is repeated once when its connection was lost: the pool may have held it since before a restart. */
const tryRead = async <T>(read: () => Promise<T>): Promise<T> =>
  inWords(async () => {
    try {
      return await read();
    } catch (error) {
      if (!isLost(error)) throw error;
      return await read();
    }
  });

const inWords = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (isLost(error)) throw unavailable(error, false);
    throw isTooLong(error) ? busy(error) : error;
  }
};

/** @param time_limit_ms how long this side waits for one answer; the connection's own limit by default. */
export const queriesOn = (target: pg.Pool | pg.ClientBase, time_limit_ms?: number): Queries => {
  const ask = async (sql: string, values: readonly Value[]) => {
    const named = { name: nameOf(sql), text: sql, values: [...values] };
    // The client reads `query_timeout`; its types do not know it.
    const config: pg.QueryConfig =
      time_limit_ms === undefined ? named : Object.assign(named, { query_timeout: time_limit_ms });
    return target.query<Record<string, Value>>(config);
  };
  const rows = async (sql: string, values: readonly Value[]) => {
    const { rows: found, rowCount } = await ask(sql, values);
    if (rowCount === null || rowCount === found.length) return found;
    throw new Error(`Connection terminated: ${found.length} rows came of ${rowCount}`);
  };
  return {
    // The server types rows as unknown; the caller names the columns of the statement it wrote.
    all: async <T extends Row>(sql: string, values: readonly Value[] = []) => (await rows(sql, values)) as Row[] as T[],
    get: async <T extends Row>(sql: string, values: readonly Value[] = []) =>
      ((await rows(sql, values))[0] as T | undefined) ?? null,
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
  };
};

const names = new Map<string, string>();

/** The name under which a connection keeps a statement prepared. */
const nameOf = (sql: string): string => {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(sql).digest("hex").slice(0, 32);
  names.set(sql, name);
  return name;
};

/** A 64-bit number for the server's advisory locks; two names of one number merely wait for each other. */
export const lockNumber = (name: string): string =>
  createHash("sha256").update(`assay ${name}`).digest().readBigInt64BE().toString();

const unavailable = (cause: unknown, is_unknown: boolean): AssayError =>
  new AssayError({
    code: is_unknown ? "ACCOUNTS_OUTCOME_UNKNOWN" : "ACCOUNTS_UNAVAILABLE",
    message: `PostgreSQL does not answer: ${messageOf(cause)}.${is_unknown ? " The connection was lost while committing, and it is not known whether the change was made: look before you repeat it." : ""}`,
    public: "The accounts store does not answer. Try again.",
    retryable: true,
    cause,
  });

const busy = (cause: unknown): AssayError =>
  new AssayError({
    code: "ACCOUNTS_BUSY",
    message: `Another transaction held the accounts store for too long: ${messageOf(cause)}.`,
    public: "The accounts store is busy. Try again.",
    retryable: true,
    cause,
  });
