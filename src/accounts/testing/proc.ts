import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** What tests read of Linux' /proc. Nothing here opens the files that it tells of. */
export const has_proc = existsSync("/proc/locks");

/**
 * Locks that a process has on a file (by its inode; proc_locks(5)), as `READ 128-128`, sorted.
 * @param pid this process by default.
 */
export const locksOn = (path: string, pid = process.pid): readonly string[] => {
  // On a file that is not there nobody has a lock.
  const inode = String(statSync(path, { throwIfNoEntry: false })?.ino);
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, kind, , , owner, place]) => kind === "POSIX" && owner === String(pid) && place?.split(":")[2] === inode)
    .map(([, , , mode, , , from, to]) => `${mode} ${from}-${to}`)
    .sort();
};

/** Files that a process has open though they have no name any more. */
export const deletedFiles = (pid = process.pid): readonly string[] =>
  openFiles("/", pid).filter((target) => target.endsWith(" (deleted)"));

/** Where the descriptors of a process lead to below a folder, sorted. */
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

/** Locks of somebody who has a file of the accounts open and reads nothing right now (SQLite: wal.c, os_unix.c). */
export const IDLE_LOCKS = {
  /** The engine's shared lock: whoever gets an exclusive one removes the log. */
  "": ["READ 1073741826-1073742335"],
  /** Says that the index of the log is in use. A lock on 123 to 127 would hold the log back. */
  "-shm": ["READ 128-128"],
} as const;
