import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "./log.ts";

/** Permission bits of group and others. */
export const FOREIGN_RIGHTS = 0o077;
/** Entries that only a used data folder of Assay contains. */
const OURS = ["accounts.db", "facts"];
/** Entries of an empty file system. */
const NOBODYS = ["lost+found"];

/** From here on, only this user can access files that this process and its children create. */
export const restrictAccess = (): void => void process.umask(FOREIGN_RIGHTS);

/**
 * Creates a folder that only its owner can enter (mode 0700), or restricts an existing data folder and the entries directly in
 * it. Leaves a folder of another user, or one with other contents, unchanged.
 * Opens no file: closing a descriptor would drop the locks that this process has on the file.
 * @returns whether other users may enter the folder; a warning in the log says so too.
 */
export const makePrivateFolder = (folder: string, log = silentLog): boolean => {
  const is_open = makeAndClose(folder);
  if (is_open)
    log.warn({ folder }, "Other users may enter this folder. Give the service its own folder with mode 0700.");
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

/** A symbolic link has no permissions of its own. Another process may delete a file at any time. */
const isOpen = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink() && (stat.mode & FOREIGN_RIGHTS) !== 0;
};

/** @returns whether only its owner can enter it now; only the owner can change that. */
const close = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  // A folder that all users share (the system's temp folder) must stay open to them.
  const is_shared = (stat.mode & 0o1000) !== 0;
  if (is_shared || stat.uid !== process.geteuid?.()) return false;
  chmodSync(path, stat.mode & 0o700);
  return true;
};
