import LibsqlDatabase from "libsql";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Database, Queries } from "./database.ts";
import { type Connection, connect, queriesOn } from "./sqlite_connection.ts";
import { type FileWatch, makeEngineFile, mustHaveOneName, watchFiles } from "./sqlite_file.ts";
import { openSnapshots } from "./sqlite_snapshots.ts";

/** Time that the engine itself waits for a lock; it blocks the event loop, so the longer wait is outside the engine. */
const ENGINE_WAIT_MS = 20;
/** Time that a transaction waits for another process before it fails. */
const BUSY_WAIT_MS = 10_000;
/** Maximum transactions that share one commit, and so one wait for the disk. */
const GROUP_MAX = 256;
/** Maximum turns of the event loop that a group waits while each adds a transaction. */
const GATHER_TURNS_MAX = 4;
interface WritingStore {
  readonly writer: Connection;
  readonly inside: Queries;
  readonly files: FileWatch;
  readonly busy_wait_ms: number;
}

interface SqliteJob {
  readonly body: (within: Queries) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens (or creates, mode 0600) the SQLite file of the accounts.
 * Transactions that arrive together share one commit: each has its own savepoint, so each is accepted or rolled back alone,
 * and none is answered before the commit is on disk.
 * @param busy_wait_ms how long a transaction waits for another process before it fails with ACCOUNTS_BUSY.
 * @throws AssayError ACCOUNTS_UNREADABLE when the file is not a database or cannot be opened.
 */
export const openSqlite = (path: string, busy_wait_ms = BUSY_WAIT_MS): Database => {
  const { file, writer, reader, files } = openFile(path, busy_wait_ms);
  const outside = queriesOn(reader);
  const inside = queriesOn(writer);
  const group = startGroup({ writer, inside, files, busy_wait_ms });
  const snapshots = openSnapshots(file);
  return {
    ...outside,
    run: (sql, values) => group.add((within) => within.run(sql, values)),
    transaction: (_scope, body) => group.add(body),
    snapshot: (body) => snapshots.take(body),
    async revision() {
      files.look();
      const row = await inside.get<{ data_version: number }>("pragma data_version");
      return row?.data_version ?? 0;
    },
    async close() {
      await group.end();
      await snapshots.end();
      reader.close();
      writer.close();
    },
  };
};

const openFile = (path: string, busy_wait_ms: number) => {
  try {
    const file = makeEngineFile(path);
    mustHaveOneName(file);
    const writer = connect(file, ENGINE_WAIT_MS);
    // Readers do not wait, except while a crashed writer's log is being recovered.
    const reader = connect(file, busy_wait_ms);
    return { file, writer, reader, files: watchFiles(file) };
  } catch (cause) {
    throw new AssayError({
      code: "ACCOUNTS_UNREADABLE",
      message: `The accounts file ${path} cannot be opened: ${messageOf(cause)}. Check the path, its rights and that it is an Assay accounts file.`,
      cause,
    });
  }
};

const startGroup = (store: WritingStore) => {
  const queue: SqliteJob[] = [];
  let draining: Promise<void> | null = null;
  let closed = false;

  /** Requests that arrive in consecutive turns of the event loop share one group. */
  const gather = async (): Promise<void> => {
    for (let [turn, before] = [0, 0]; turn < GATHER_TURNS_MAX && queue.length > before; turn += 1) {
      before = queue.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      await gather();
      await commitGroup(queue.splice(0, GROUP_MAX), store);
    }
    draining = null;
  };

  return {
    add<T>(body: (within: Queries) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(closedError());
      return new Promise<T>((resolve, reject) => {
        // True because `resolve` only receives the result of this `body`.
        queue.push({ body, resolve: resolve as (value: unknown) => void, reject });
        draining ??= drain();
      });
    },
    async end(): Promise<void> {
      closed = true;
      await draining;
    },
  };
};

/**
 * Nearly always nothing throws, so the bodies first run without savepoints. When one throws, the group rolls back and runs
 * again, each body accepted or rolled back alone.
 */
const commitGroup = async (jobs: readonly SqliteJob[], store: WritingStore): Promise<void> => {
  const { writer } = store;
  try {
    await begin(store);
    const answers = (await runTogether(jobs, store)) ?? (await runApart(jobs, store));
    store.files.beforeCommit();
    writer.exec("commit");
    // If the log was removed in between, only this process can see this commit.
    store.files.afterCommit();
    for (const answer of answers) answer();
  } catch (error) {
    if (writer.inTransaction) writer.exec("rollback");
    for (const job of jobs) job.reject(error);
  }
};

/** The result for each caller once the group is durable. */
type GroupReplies = readonly (() => void)[];

/** Null, and the group rolls back, when one of several bodies threw. @throws the error of a single job's body */
const runTogether = async (jobs: readonly SqliteJob[], store: WritingStore): Promise<GroupReplies | null> => {
  const answers: (() => void)[] = [];
  try {
    for (const { body, resolve } of jobs) {
      const value = await body(store.inside);
      answers.push(() => resolve(value));
    }
    return answers;
  } catch (error) {
    if (jobs.length === 1) throw error;
    // A full disk or a failed read has already rolled back.
    if (store.writer.inTransaction) store.writer.exec("rollback");
    await begin(store);
    return null;
  }
};

const runApart = async (jobs: readonly SqliteJob[], store: WritingStore): Promise<GroupReplies> => {
  const answers: (() => void)[] = [];
  for (const job of jobs) answers.push(await runJob(job, store));
  return answers;
};

/** Runs one body inside its savepoint. @returns the result for its caller once the group is durable */
const runJob = async (job: SqliteJob, { writer, inside }: WritingStore): Promise<() => void> => {
  await inside.run("savepoint job");
  try {
    const value = await job.body(inside);
    await inside.run("release job");
    return () => job.resolve(value);
  } catch (error) {
    // A full disk or a failed read has already rolled back the whole group.
    if (!writer.inTransaction) throw error;
    writer.exec("rollback to job; release job");
    return () => job.reject(error);
  }
};

const begin = async ({ writer, busy_wait_ms }: WritingStore): Promise<void> => {
  const until = performance.now() + busy_wait_ms;
  for (let attempt = 1; ; attempt += 1) {
    try {
      writer.exec("begin immediate");
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > until) throw busyError(busy_wait_ms, error);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(attempt, 10)));
  }
};

const isBusy = (error: unknown): boolean =>
  error instanceof LibsqlDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY");

const busyError = (busy_wait_ms: number, cause: unknown): AssayError =>
  new AssayError({
    code: "ACCOUNTS_BUSY",
    message: `Another process held the accounts file for more than ${busy_wait_ms} ms.`,
    public: "The accounts store is busy. Try again.",
    retryable: true,
    cause,
  });

const closedError = (): AssayError =>
  new AssayError({ code: "ACCOUNTS_CLOSED", message: "The accounts store is closed.", retryable: true });
