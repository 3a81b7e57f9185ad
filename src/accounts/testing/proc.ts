import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** Readers of Linux's /proc. None of them opens the files that it reports. */
export const has_proc = existsSync("/proc/locks");

/**
 * Locks that a process has on a file (by its inode; proc_locks(5)), as `READ 128-128`, sorted.
 * @param pid this process by default.
 */
export const locksOn = (path: string, pid = process.pid): readonly string[] => {
  // A missing file has no locks.
  const inode = String(statSync(path, { throwIfNoEntry: false })?.ino);
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, kind, , , owner, place]) => kind === "POSIX" && owner === String(pid) && place?.split(":")[2] === inode)
    .map(([, , , mode, , , from, to]) => `${mode} ${from}-${to}`)
    .sort();
};

/** Open files of a process that have been unlinked. */
export const deletedFiles = (pid = process.pid): readonly string[] =>
  openFiles("/", pid).filter((target) => target.endsWith(" (deleted)"));

/** Targets of a process's descriptors below a folder, sorted. */
export const openFiles = (folder: string, pid = process.pid): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return ""; // closed since it was listed
      }
    })
    .filter((target) => target.startsWith(folder))
    .sort();

/** Locks of a process that has a file of the accounts open and is not reading (SQLite: wal.c, os_unix.c). */
export const IDLE_LOCKS = {
  /** The engine's shared lock: a process with an exclusive one removes the log. */
  "": ["READ 1073741826-1073742335"],
  /** Marks the index of the log as in use. A lock on 123 to 127 would hold the log back. */
  "-shm": ["READ 128-128"],
} as const;
