import pg from "pg";
import { AssayError } from "../lib/errors.ts";
import { maskUrl, type Secret } from "../lib/log.ts";
import type { Database, Queries } from "./database.ts";
import { busy, isLost, isTooLong, unavailable } from "./postgres_errors.ts";
import { openGroups } from "./postgres_groups.ts";
import { parserOf, queriesOn } from "./postgres_queries.ts";
import { GuardedSocket } from "./postgres_socket.ts";
import { rollBack } from "./postgres_transaction.ts";

/** Time that a transaction waits for another that holds its lock. */
const BUSY_WAIT_MS = 10_000;
/** A process that sleeps inside a transaction loses its locks after this time, which is shorter than others wait for them. */
const IDLE_MS = 5_000;
const CONNECT_MS = 3_000;
const NO_LIMIT_MS = 24 * 3_600_000;

export interface PostgresSettings {
  readonly url: Secret;
  /** Maximum connections of this process, in addition to the listening one. */
  readonly connections: number;
  /** Time that a transaction waits for others before it fails with ACCOUNTS_BUSY. */
  readonly busy_wait_ms?: number;
}

/**
 * Opens the accounts in PostgreSQL. READ COMMITTED with one advisory lock per transaction: no other transaction changes
 * the rows that a transaction reads under its lock before it ends (docs/design/ledger.md).
 * @throws AssayError ACCOUNTS_UNAVAILABLE when the server does not answer, ACCOUNTS_UNSAFE when it acknowledges
 * commits that are not on disk.
 */
export const openPostgres = async (settings: PostgresSettings): Promise<Database> => {
  const pool = openPool(settings);
  const groups = openGroups(pool);
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
    transaction: (scope, body) => groups.add(scope, body),
    snapshot: (body) => tryRead(() => readOneMoment(pool, body)),
    async revision() {
      const row = await outside.get<{ revision: number }>("select revision from changes");
      return row?.revision ?? 0;
    },
    async close() {
      await groups.end();
      await pool.end();
    },
  };
};

/** Options of every connection to the accounts. */
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
    // The server's limit is shorter, so that its error arrives here.
    statement_timeout: busy_wait_ms + 2_000,
    query_timeout: busy_wait_ms + 4_000,
    types: { getTypeParser: parserOf },
  };
};

const openPool = (settings: PostgresSettings): pg.Pool => {
  const pool = new pg.Pool({
    ...connectionSettings(settings),
    pipeline: true,
    max: settings.connections,
    idleTimeoutMillis: 30_000,
  });
  // A lost connection fails at its next use; an unhandled event would end the process.
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

/** Repeats a read once when its connection was lost: the connection may have been idle in the pool since before a restart. */
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
