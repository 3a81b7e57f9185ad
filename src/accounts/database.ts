/**
 * The accounts store as the rest of this folder sees it. Statements are written once, in a subset that SQLite and
 * PostgreSQL share: `$1` placeholders, bigint milliseconds, text, integers 0/1, ids made by the application,
 * `insert … on conflict`, `update … returning`, partial unique indexes.
 */

export type SqlValue = string | number | null;

/** One result row by column name. 64-bit integers arrive as JavaScript numbers (all of Assay's are below 2^53). */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Queries {
  all<T extends SqlRow>(sql: string, values?: readonly SqlValue[]): Promise<readonly T[]>;
  /** The first row, or null when there is no row. */
  get<T extends SqlRow>(sql: string, values?: readonly SqlValue[]): Promise<T | null>;
  /** @returns the number of rows that changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

/** A transaction's lock, and the proof by which a retry detects that it was committed. */
export interface Scope {
  /**
   * Transactions with equal lock names run one after another, in all processes; on SQLite all transactions do. A transaction
   * has one lock and takes it first, so locks cannot deadlock.
   */
  readonly lock: string;
  /**
   * Finds a row exactly when this transaction has been committed; queried when the connection was lost while committing.
   * Null: the body may be repeated after a commit, with the same effect.
   */
  readonly proof: { readonly sql: string; readonly values: readonly SqlValue[] } | null;
  /**
   * Transactions of one kind may share one transaction of the server (on SQLite all may), if every row that they change belongs to their lock alone.
   * Kinds are separate, so that transactions with uncontended locks do not wait with transactions whose locks are contended.
   */
  readonly shares?: "charge" | "settlement";
}

export interface Database extends Queries {
  /**
   * Runs `body` as one transaction and resolves once it is durable. A throw inside `body` rolls the whole body back. The
   * body may await only the handle it receives; it may run again after a conflict or a lost connection.
   * @throws AssayError ACCOUNTS_BUSY (retryable) when others hold the lock for too long; ACCOUNTS_UNAVAILABLE
   * (retryable) when the store does not answer; ACCOUNTS_OUTCOME_UNKNOWN when it stopped answering while committing.
   */
  transaction<T>(scope: Scope, body: (within: Queries) => Promise<T>): Promise<T>;
  /** Reads a consistent snapshot, however long the reads take. */
  snapshot<T>(body: (within: Queries) => Promise<T>): Promise<T>;
  /** A number that changes when another connection or process has changed keys, accounts, plans or prices. */
  revision(): Promise<number>;
  /** Closes after the running transactions. */
  close(): Promise<void>;
}

/** The name under which this process owns running charges. */
export interface Instance {
  readonly name: string;
  /** Names whose process has ended, each locked while `sweep` runs. The own name is not among them. */
  eachGone(sweep: (name: string) => Promise<void>): Promise<void>;
  /** Names that other living processes hold. */
  others(): Promise<readonly string[]>;
  /** Takes a name again when it was lost with its connection. `sweep` refunds the running charges of the taken name. */
  renew(sweep: (name: string) => Promise<void>): Promise<void>;
  release(): Promise<void>;
}

export type EngineName = "sqlite" | "postgres";

/** An opened store with the operations that depend on its engine. */
export interface Engine {
  readonly name: EngineName;
  readonly database: Database;
  /** Calls `changed` when another process reports a change, if the engine supports notifications. */
  claimInstance(changed: () => void): Promise<Instance>;
}
