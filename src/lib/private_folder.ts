import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "./log.ts";

/** Rights of anybody but the owner. */
export const FOREIGN_RIGHTS = 0o077;
/** What a folder of ours holds once it was used, and nothing else does. */
const OURS = ["accounts.db", "facts"];
/** What a new file system holds before anybody has written to it. */
const NOBODYS = ["lost+found"];

/** From here on everything that this process and its children make can be reached by their user alone. */
export const keepPrivate = (): void => void process.umask(FOREIGN_RIGHTS);

/**
 * Makes a folder that only its owner can enter (mode 0700), or closes one that an earlier release or a careless `mkdir` left
 * open, with what lies directly in it. A folder of somebody else, or one where other things lie too, is left as it is.
 * No file is opened for it: closing a descriptor would drop the locks that this process has on the file.
 * @returns whether others than its owner may enter it; that is also a warning in the log.
 */
export const makePrivateFolder = (folder: string, log = silentLog): boolean => {
  const is_open = makeAndClose(folder);
  if (is_open)
    log.warn({ folder }, "Others than its owner may enter this folder: give the service one of its own, mode 0700.");
  return is_open;
};

const makeAndClose = (folder: string): boolean => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOpen(folder)) return false;
  const names = readdirSync(folder).filter((name) => !NOBODYS.includes(name));
  const is_ours = names.length === 0 || names.some((name) => OURS.includes(name));
  if (!is_ours || !close(folder)) return true;
  for (const name of names) if (isOpen(join(folder, name))) close(join(folder, name));
  return false;
};

/** A link has no rights of its own. Another process may take a file away at any time. */
const isOpen = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink() && (stat.mode & FOREIGN_RIGHTS) !== 0;
};

/** @returns whether it is closed now: only its owner may do that. */
const close = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  // Where everybody may write (the system's temp folder) nobody else would find in any more.
  const is_shared = (stat.mode & 0o1000) !== 0;
  if (is_shared || stat.uid !== process.geteuid?.()) return false;
  chmodSync(path, stat.mode & 0o700);
  return true;
};
