import type LibsqlDatabase from "libsql";
import type { Queries } from "./database.ts";

/** Snapshots that are taken at the same time; further ones wait. */
const SNAPSHOTS_MAX = 4;

interface Reader {
  readonly connection: InstanceType<typeof LibsqlDatabase>;
  readonly queries: Queries;
}

export interface Snapshots {
  /** Reads that see one moment. */
  take<T>(body: (within: Queries) => Promise<T>): Promise<T>;
  /** Ends after the snapshots that are under way. */
  end(): Promise<void>;
}

/**
 * Connections for reads that see one moment, kept for the next ones. A connection that was closed with statements in memory
 * ends when those are collected, and until then a transaction on it holds on to the log, which then only grows: so its
 * transaction is ended here, and nothing is closed before the store is.
 */
export const openSnapshots = (connect: () => Reader): Snapshots => {
  const idle: Reader[] = [];
  const waiting: (() => void)[] = [];
  let taken = 0;

  const read = async <T>(body: (within: Queries) => Promise<T>): Promise<T> => {
    const reader = idle.pop() ?? connect();
    try {
      reader.connection.exec("begin");
      return await body(reader.queries);
    } finally {
      if (reader.connection.inTransaction) reader.connection.exec("rollback");
      idle.push(reader);
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
      for (const { connection } of idle) connection.close();
    },
  };
};
