import { setTimeout as sleep } from "node:timers/promises";
import { Session } from "chdb";
import { sqlString } from "../bind.ts";
import { QueryQueue } from "./query_queue.ts";

/** One statement with its parameters bound and its settings rendered. */
export interface Statement {
  readonly sql: string;
  readonly database: string;
  readonly format: string;
  /** Handle for `kill`; the statement itself carries it as its `log_comment`. */
  readonly id: string;
  /** False when the opener has hung up while the statement waited in line. */
  readonly isWanted: () => boolean;
}

// The defaults are made for a machine that runs nothing else (caches of gigabytes).
const ENGINE_ARGUMENTS = [
  `--mark_cache_size=${64 << 20}`,
  `--index_mark_cache_size=${16 << 20}`,
  `--primary_index_cache_size=${64 << 20}`,
];

/** Statements contain their values (bind.ts), and a list may be as long as a URL. The engine's default limit is 256 KiB. */
const STATEMENT_BYTES_MAX = 64 << 20;
/**
 * An expression is compiled to machine code when it is met this often. The engine's own number is 3, and compiling costs as much as
 * planning some questions: of a store that was just opened it was a sixth of all CPU (docs/design/embedded_engine.md).
 */
const COMPILE_AFTER = 100;
const SESSION_SETTINGS = [
  `max_query_size = ${STATEMENT_BYTES_MAX}`,
  ...["expression", "aggregate_expression", "sort_description"].map(
    (what) => `min_count_to_compile_${what} = ${COMPILE_AFTER}`,
  ),
].join(", ");

const GONE_POLL_MS = 5;

interface SessionSlot {
  readonly session: Session;
  database: string;
}

export class Sessions {
  readonly #dir: string;
  readonly #idle: SessionSlot[] = [];
  readonly #line = new QueryQueue();
  /** Keeps the engine of this process alive between statements. */
  #anchor: Session | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Starts the engine of this process. Throws when the directory cannot be opened. */
  open(): void {
    this.#anchor = new Session(this.#dir, { connectionArgs: ENGINE_ARGUMENTS });
    this.#anchor.query("SELECT 1", "Null");
  }

  get running(): number {
    return this.#line.running;
  }

  /**
   * Runs one statement on a session of its own. After any error that session is closed: rows that a failed statement
   * had already produced stay on it and would precede the next result.
   */
  async run(statement: Statement): Promise<Uint8Array> {
    // Answers with very many rows are read in columns.
    const is_heavy = statement.format === "Native";
    await this.#line.enter(is_heavy);
    try {
      return await this.#runNow(statement);
    } finally {
      this.#line.leave(is_heavy);
    }
  }

  async #runNow(statement: Statement): Promise<Uint8Array> {
    if (!statement.isWanted()) throw new Error("the opener hung up before its turn");
    const idle = this.#idle.pop();
    const place = idle ?? { session: new Session(this.#dir), database: "default" };
    try {
      if (idle === undefined) {
        await place.session.queryAsync(`SET ${SESSION_SETTINGS}`, { format: "Null" });
      }
      if (place.database !== statement.database) {
        await place.session.queryAsync(`USE \`${statement.database}\``, { format: "Null" });
        place.database = statement.database;
      }
      const bytes = (await place.session.queryAsync(statement.sql, { format: statement.format })).bytes();
      this.#idle.push(place);
      return bytes;
    } catch (error) {
      place.session.close();
      await this.#untilGone(statement.id);
      throw error;
    }
  }

  /** A statement that failed or was stopped is answered while its last block may still be worked off: what it began to write could follow. */
  async #untilGone(id: string): Promise<void> {
    for (let is_gone = false; !is_gone; ) {
      is_gone = await this.#isGone(id).catch((error: unknown) => {
        process.stderr.write(`assay engine: is a statement gone: ${String(error)}\n`);
        return false;
      });
      if (!is_gone) await sleep(GONE_POLL_MS);
    }
  }

  async #isGone(id: string): Promise<boolean> {
    const session = new Session(this.#dir);
    try {
      const left = `SELECT count() FROM system.processes WHERE Settings['log_comment'] = ${sqlString(id)}`;
      return (await session.queryAsync(left, { format: "TSV" })).text().trim() === "0";
    } finally {
      session.close();
    }
  }

  /** Cancels a statement. The engine stops at its next check; SYNC would wait forever. */
  async kill(id: string): Promise<void> {
    const session = new Session(this.#dir);
    try {
      await session.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${sqlString(id)} ASYNC`, { format: "Null" });
    } finally {
      session.close();
    }
  }

  close(): void {
    for (const { session } of this.#idle) session.close();
    this.#anchor?.close();
  }
}
