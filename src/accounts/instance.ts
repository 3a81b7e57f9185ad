import { existsSync } from "node:fs";
import LibsqlDatabase from "libsql";
import { AssayError } from "../lib/errors.ts";
import type { Instance } from "./database.ts";
import { makeEngineFile } from "./sqlite_file.ts";

/** Maximum processes that may have one accounts file open at a time. */
const INSTANCES_MAX = 64;

/**
 * Takes the first free name `instance-0`, `instance-1`, … next to the accounts file. A file lock holds the name and
 * ends with the process, however it ends, so a process that can take the lock of a name knows that its
 * charges are orphans. A process id would not do: containers share a volume, not their process ids.
 * @param path the file itself: through a link the same charges would be counted under other locks.
 */
export const claimInstance = (path: string): Instance => {
  for (let number = 0; number < INSTANCES_MAX; number += 1) {
    const lock = tryLock(lockPath(path, number));
    if (lock !== null) return held(path, number, lock);
  }
  throw new AssayError({
    code: "ACCOUNTS_CROWDED",
    message: `${INSTANCES_MAX} processes have the accounts file ${path} open already. Stop some of them.`,
  });
};

const held = (path: string, own: number, lock: ProcessLock): Instance => ({
  name: nameOf(own),
  async eachGone(sweep) {
    for (let number = 0; number < INSTANCES_MAX; number += 1) {
      if (number === own || !existsSync(lockPath(path, number))) continue;
      const other = tryLock(lockPath(path, number));
      if (other === null) continue;
      try {
        await sweep(nameOf(number));
      } finally {
        other.close();
      }
    }
  },
  async others() {
    const names: string[] = [];
    for (let number = 0; number < INSTANCES_MAX; number += 1) {
      if (number === own || !existsSync(lockPath(path, number))) continue;
      const free = tryLock(lockPath(path, number));
      if (free === null) names.push(nameOf(number));
      free?.close();
    }
    return names;
  },
  // A file lock lasts as long as its process.
  renew: async () => undefined,
  release: async () => lock.close(),
});

/** A lock of this process. It ends with the process, however that ends. */
export interface ProcessLock {
  close(): void;
}

const nameOf = (number: number): string => `instance-${number}`;

const lockPath = (path: string, number: number): string => `${path}.${nameOf(number)}`;

/**
 * An exclusive transaction on an empty database file: the engine's own lock, freed by the kernel at process end. Null while
 * another process has it.
 */
export const tryLock = (path: string): ProcessLock | null => {
  const connection = new LibsqlDatabase(makeEngineFile(path), { timeout: 0 });
  try {
    connection.exec("begin exclusive");
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof LibsqlDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
};
