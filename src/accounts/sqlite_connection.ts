import LibsqlDatabase from "libsql";
import type { Queries, SqlRow, SqlValue } from "./database.ts";

/** Time that the engine waits for other processes while it switches a file to a log. */
const OPEN_WAIT_MS = 10_000;
/** Size to which the engine truncates a log that grew during a long read, when it restarts the log. */
const LOG_BYTES = 64 * 1_048_576;

export type Connection = InstanceType<typeof LibsqlDatabase>;

/**
 * Opens an existing file (sqlite_file.ts).
 * @param engine_wait_ms time that the engine waits for a lock; it blocks the thread.
 */
export const connect = (file: string, engine_wait_ms: number): Connection => {
  const connection = new LibsqlDatabase(file, { timeout: OPEN_WAIT_MS });
  connection.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  connection.exec(`pragma journal_size_limit = ${LOG_BYTES}; pragma busy_timeout = ${engine_wait_ms}`);
  // Only a file that was read is locked: until then another process could consider itself the last one and remove the log.
  connection.exec("select count(*) from sqlite_master");
  return connection;
};

/** Statements stay prepared for the lifetime of the connection. */
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
  const rows = (sql: string, values: readonly SqlValue[]) => statement(sql).all(values);
  return {
    // The engine types rows as unknown; the caller names the columns of the statement it wrote.
    all: async <T extends SqlRow>(sql: string, values: readonly SqlValue[] = []) => rows(sql, values) as T[],
    get: async <T extends SqlRow>(sql: string, values: readonly SqlValue[] = []) =>
      (rows(sql, values)[0] as T | undefined) ?? null,
    run: async (sql, values = []) => statement(sql).run(values).changes,
  };
};
