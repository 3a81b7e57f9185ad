import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from "node:worker_threads";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Queries, SqlRow, SqlValue } from "./database.ts";
import { connect, queriesOn } from "./sqlite_connection.ts";

/** Readers do not wait, except while a crashed writer's log is being recovered. */
const WAIT_MS = 10_000;

/** A connection in a separate thread, so that a long statement delays no other work. */
export interface ReadingThread {
  readonly queries: Queries;
  /** Runs a statement without rows. */
  exec(sql: string): Promise<void>;
  /** It failed and no longer answers. */
  readonly is_gone: boolean;
  close(): Promise<void>;
}

interface ThreadRequest {
  readonly id: number;
  readonly sql: string;
  /** Null: a statement without rows or values. */
  readonly values: readonly SqlValue[] | null;
}

type ThreadResponse = { readonly id: number } & (
  | { readonly rows: readonly SqlRow[] }
  | { readonly message: string; readonly code: string }
);

interface PendingQuery {
  readonly resolve: (rows: readonly SqlRow[]) => void;
  readonly reject: (error: Error) => void;
}

/** All threads of a process share one engine and its table of locks: a connection that ends here drops no other connection's lock. */
export const openReadingThread = (file: string): ReadingThread => {
  const thread = new Worker(programFile(), { workerData: { reads: file } satisfies Task });
  // The thread must not keep an otherwise idle process alive; a running query does.
  thread.unref();
  const waiting = new Map<number, PendingQuery>();
  let [asked, is_gone] = [0, false];
  const lose = (reason: string): void => {
    is_gone = true;
    for (const { reject } of waiting.values()) reject(lost(reason));
    waiting.clear();
  };
  thread.on("error", (error) => lose(messageOf(error)));
  thread.on("exit", () => lose("its thread has ended"));
  thread.on("message", (answer: ThreadResponse) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) thread.unref();
    if ("rows" in answer) one?.resolve(answer.rows);
    else one?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
  });
  const ask = (sql: string, values: readonly SqlValue[] | null): Promise<readonly SqlRow[]> => {
    if (is_gone) return Promise.reject(lost("its thread has ended"));
    thread.ref();
    asked += 1;
    const question: ThreadRequest = { id: asked, sql, values };
    return new Promise((resolve, reject) => {
      waiting.set(question.id, { resolve, reject });
      thread.postMessage(question);
    });
  };
  // The engine types rows as unknown; the caller names the columns of the statement it wrote.
  const all = async <T extends SqlRow>(sql: string, values: readonly SqlValue[] = []) =>
    (await ask(sql, values)) as readonly T[];
  return {
    queries: {
      all,
      get: async <T extends SqlRow>(sql: string, values?: readonly SqlValue[]) =>
        (await all<T>(sql, values))[0] ?? null,
      // A write to a snapshot would be lost when it ends.
      run: () => Promise.reject(new Error("a snapshot only reads")),
    },
    exec: async (sql) => void (await ask(sql, null)),
    get is_gone() {
      return is_gone;
    },
    close: async () => void (await thread.terminate()),
  };
};

const lost = (reason: string): AssayError =>
  new AssayError({
    code: "ACCOUNTS_UNAVAILABLE",
    message: `A reading connection to the accounts file was lost: ${reason}.`,
    retryable: true,
  });

/** This file itself, or its compiled copy when it runs as TypeScript (tests). */
const programFile = (): string => {
  const here = fileURLToPath(import.meta.url);
  const file = here.endsWith(".ts")
    ? fileURLToPath(new URL("../../dist/src/accounts/sqlite_thread.js", import.meta.url))
    : here;
  if (existsSync(file)) return file;
  throw new AssayError({ code: "ACCOUNTS_UNAVAILABLE", message: `${file} is missing: run 'node scripts/build.mjs'` });
};

interface Task {
  readonly reads: string;
}

const isTask = (value: unknown): value is Task => typeof value === "object" && value !== null && "reads" in value;

/** Main function of the thread. */
const serve = (port: MessagePort, file: string): void => {
  const connection = connect(file, WAIT_MS);
  const queries = queriesOn(connection);
  const work = async ({ sql, values }: ThreadRequest): Promise<readonly SqlRow[]> => {
    if (values !== null) return queries.all(sql, values);
    connection.exec(sql);
    return [];
  };
  port.on("message", (question: ThreadRequest) => {
    const { id } = question;
    work(question).then(
      (rows) => port.postMessage({ id, rows } satisfies ThreadResponse),
      (error: unknown) =>
        port.postMessage({
          id,
          message: messageOf(error),
          code: String(Reflect.get(Object(error), "code")),
        } satisfies ThreadResponse),
    );
  });
};

if (!isMainThread && parentPort !== null && isTask(workerData)) serve(parentPort, workerData.reads);
