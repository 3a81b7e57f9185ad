/**
 * The accounts store as the rest of this folder sees it. Statements are written once, in a subset that SQLite and
 * PostgreSQL share: `$1` placeholders, bigint milliseconds, text, integers 0/1, ids made by the application,
 * `insert … on conflict`, `update … returning`, partial unique indexes.
 */

export type Value = string | number | null;

/** One result row by column name. 64-bit integers arrive as JavaScript numbers (all of ours are below 2^53). */
export type Row = Readonly<Record<string, Value>>;

export interface Queries {
  all<T extends Row>(sql: string, values?: readonly Value[]): Promise<readonly T[]>;
  /** The first row, or null when there is none. */
  get<T extends Row>(sql: string, values?: readonly Value[]): Promise<T | null>;
  /** @returns the number of rows that changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
}

export interface Database extends Queries {
  /**
   * Runs `body` as one serialisable transaction that also excludes other processes, and resolves once it is durable.
   * A throw inside `body` undoes the whole body. The body may await only the handle it is given.
   * @throws AssayError ACCOUNTS_BUSY (retryable) when another process holds the store for too long.
   */
  transaction<T>(body: (within: Queries) => Promise<T>): Promise<T>;
  /** A number that changes when another connection or process has committed something. */
  revision(): Promise<number>;
  /** Ends after the transactions that are under way. */
  close(): Promise<void>;
}
