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

/** What a transaction excludes, and how a repetition learns that it was committed. */
export interface Scope {
  /**
   * Transactions of equal names run one after another, in all processes; on SQLite all transactions do. A transaction
   * has one lock and takes it first, so locks cannot wait for each other in a circle.
   */
  readonly lock: string;
  /**
   * Finds a row exactly when this transaction has been committed: asked when the connection was lost while committing.
   * Null: the body may be repeated though it was committed, with the same effect.
   */
  readonly proof: { readonly sql: string; readonly values: readonly Value[] } | null;
  /**
   * It may be one transaction of the server with others of this kind (on SQLite all may): every row that it changes is its lock's alone.
   * Kinds are kept apart, so that those whose locks nobody else wants do not wait with those whose locks are wanted.
   */
  readonly shares?: "charge" | "settlement";
}

export interface Database extends Queries {
  /**
   * Runs `body` as one transaction and resolves once it is durable. A throw inside `body` undoes the whole body. The
   * body may await only the handle it is given; it may be run again after a conflict or a lost connection.
   * @throws AssayError ACCOUNTS_BUSY (retryable) when others hold the lock for too long; ACCOUNTS_UNAVAILABLE
   * (retryable) when the store does not answer; ACCOUNTS_OUTCOME_UNKNOWN when it stopped answering while committing.
   */
  transaction<T>(scope: Scope, body: (within: Queries) => Promise<T>): Promise<T>;
  /** Reads that see one moment, however long they take. */
  snapshot<T>(body: (within: Queries) => Promise<T>): Promise<T>;
  /** A number that changes when another connection or process has changed keys, accounts, plans or prices. */
  revision(): Promise<number>;
  /** Ends after the transactions that are under way. */
  close(): Promise<void>;
}

/** The name under which this process owns running charges. */
export interface Instance {
  readonly name: string;
  /** Names whose process is gone, each locked while `sweep` runs. The own name is not among them. */
  eachGone(sweep: (name: string) => Promise<void>): Promise<void>;
  /** Names that other living processes hold. */
  others(): Promise<readonly string[]>;
  /** Takes a name again when it was lost with its connection. `sweep` refunds what the taken name left running. */
  renew(sweep: (name: string) => Promise<void>): Promise<void>;
  release(): Promise<void>;
}

export type EngineName = "sqlite" | "postgres";

/** An opened store with what only its engine can do. */
export interface Engine {
  readonly name: EngineName;
  readonly database: Database;
  /** `changed` is called when another process tells of a change, if the engine can hear that at all. */
  claimInstance(changed: () => void): Promise<Instance>;
}
