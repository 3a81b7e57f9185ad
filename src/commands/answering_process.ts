import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { tryLock } from "../accounts/instance.ts";
import { AssayError } from "../lib/errors.ts";

/** The one process that answers callers for a data directory: other commands find it by the address it notes there. */
export interface ServiceOwner {
  /** Notes where the service listens. */
  noteUrl(url: string): void;
  /** Forgets the address and lets others answer. */
  release(): void;
}

interface OwnerNote {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

const lockFile = (data_dir: string): string => join(data_dir, "service.lock");
const noteFile = (data_dir: string): string => join(data_dir, "service.json");
const urlFile = (data_dir: string): string => join(data_dir, "url");

/** Writes the file atomically: a reader sees all of it or nothing. */
const writeWhole = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

/**
 * Makes this process the one that answers for `data_dir`, which exists. The lock is the kernel's and ends with its process: one
 * that was killed holds nothing, and one in another container is seen. Null while another process has it.
 */
export const tryOwnService = (data_dir: string): ServiceOwner | null => {
  const lock = tryLock(lockFile(data_dir));
  if (lock === null) return null;
  const note: OwnerNote = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeWhole(noteFile(data_dir), `${JSON.stringify(note)}\n`);
  // The process that wrote this address was killed.
  rmSync(urlFile(data_dir), { force: true });
  return {
    noteUrl: (url) => writeWhole(urlFile(data_dir), `${url}\n`),
    release() {
      rmSync(urlFile(data_dir), { force: true });
      rmSync(noteFile(data_dir), { force: true });
      lock.close();
    },
  };
};

/** @throws AssayError DATA_DIR_SERVED, naming the process that has it */
export const ownService = (data_dir: string): ServiceOwner => {
  const owner = tryOwnService(data_dir);
  if (owner !== null) return owner;
  throw new AssayError({
    code: "DATA_DIR_SERVED",
    message: `${data_dir} is served by ${ownerOf(data_dir)}: stop it, or give this one another data_dir`,
  });
};

const ownerOf = (data_dir: string): string => {
  try {
    // Written by tryOwnService.
    const { pid, host, since } = JSON.parse(readFileSync(noteFile(data_dir), "utf8")) as OwnerNote;
    return `process ${pid} on ${host} since ${since}`;
  } catch {
    return "another process that has just started"; // it has the lock and has not written its note yet
  }
};
