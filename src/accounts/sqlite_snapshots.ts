import type { Queries } from "./database.ts";
import { openReadingThread, type ReadingThread } from "./sqlite_thread.ts";

/** Concurrent snapshots; further ones wait. */
const SNAPSHOTS_MAX = 2;

export interface Snapshots {
  /** Reads of a consistent snapshot. */
  take<T>(body: (within: Queries) => Promise<T>): Promise<T>;
  /** Closes after the running snapshots. */
  end(): Promise<void>;
}

/**
 * Threads for consistent reads, reused for the next ones: a query over a whole ledger takes seconds, and callers do not wait
 * for it. A connection that was closed with statements in memory ends when those are collected, and until then a
 * transaction on it holds the log, which then only grows, so its transaction is ended here.
 */
export const openSnapshots = (file: string): Snapshots => {
  const idle: ReadingThread[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;

  const read = async <T>(body: (within: Queries) => Promise<T>): Promise<T> => {
    const thread = idle.pop() ?? openReadingThread(file);
    try {
      await thread.exec("begin");
      return await body(thread.queries);
    } finally {
      await end(thread);
      if (!thread.is_gone) idle.push(thread);
    }
  };

  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next();
  };

  return {
    async take(body) {
      if (taken < SNAPSHOTS_MAX) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await read(body);
      } finally {
        release();
      }
    },
    async end() {
      for (let held = 0; held < SNAPSHOTS_MAX; held += 1) {
        if (taken < SNAPSHOTS_MAX) taken += 1;
        else await new Promise<void>((resolve) => waiting.push(resolve));
      }
      await Promise.all(idle.map((thread) => thread.close()));
    },
  };
};

/** Terminates a thread that cannot end its transaction. */
const end = async (thread: ReadingThread): Promise<void> => {
  try {
    await thread.exec("rollback");
  } catch {
    await thread.close();
  }
};
