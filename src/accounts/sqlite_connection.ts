import LibsqlDatabase from "libsql";
import type { Queries, Row, Value } from "./database.ts";

/** How long the engine waits for other processes while it makes a file one with a log. */
const OPEN_WAIT_MS = 10_000;
/** A log that grew while somebody read for long is cut back to this when it is begun anew. */
const LOG_BYTES = 64 * 1_048_576;

export type Connection = InstanceType<typeof LibsqlDatabase>;

/**
 * Opens a file that is there (sqlite_file.ts).
 * @param engine_wait_ms how long the engine waits for a lock; it blocks the thread.
 */
export const connect = (file: string, engine_wait_ms: number): Connection => {
  const connection = new LibsqlDatabase(file, { timeout: OPEN_WAIT_MS });
  connection.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  connection.exec(`pragma journal_size_limit = ${LOG_BYTES}; pragma busy_timeout = ${engine_wait_ms}`);
  // Only what was read once is locked: until then another process could take itself for the last one and remove the log.
  connection.exec("select count(*) from sqlite_master");
  return connection;
};

/** Statements stay prepared for as long as the connection. */
export const queriesOn = (connection: Connection): Queries => {
  const prepared = new Map<string, ReturnType<Connection["prepare"]>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const fresh = connection.prepare(sql.replace(/\$(\d+)/g, "?$1"));
    prepared.set(sql, fresh);
    return fresh;
  };
  // `all` even for one row: `get` leaves a `returning` statement unfinished and adds a property of its own.
  const rows = (sql: string, values: readonly Value[]) => statement(sql).all(values);
  return {
    // The engine types rows as unknown; the caller names the columns of the statement it wrote.
    all: async <T extends Row>(sql: string, values: readonly Value[] = []) => rows(sql, values) as T[],
    get: async <T extends Row>(sql: string, values: readonly Value[] = []) =>
      (rows(sql, values)[0] as T | undefined) ?? null,
    run: async (sql, values = []) => statement(sql).run(values).changes,
  };
};
