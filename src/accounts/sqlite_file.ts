import { chmodSync, closeSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AssayError, codeOf } from "../lib/errors.ts";
import { FOREIGN_RIGHTS } from "../lib/private_folder.ts";

/**
 * The engine coordinates access to its files with process locks (fcntl(2)), and closing any descriptor of a file drops
 * every lock that the process has on it. So only the engine opens its files. This module creates a missing
 * file, and examines names.
 */

/**
 * Creates the file (mode 0600; its folder 0700) unless it exists, and never opens an existing one: the engine itself would make
 * it readable for all users. Its -wal, -shm and -journal inherit the mode.
 * @returns the path without links: the engine's other files and the locks of instances are created next to the file itself
 * @throws Error when it cannot be created
 */
export const makeEngineFile = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const real = realPath(path);
  if (real === null) return makeEngineFile(resolve(dirname(path), readlinkSync(path)));
  const { mode, uid } = statSync(real);
  if ((mode & FOREIGN_RIGHTS) !== 0 && uid === process.geteuid?.()) chmodSync(real, mode & 0o700);
  return real;
};

/** @throws Error when a file has a second name, since each name would get a separate log */
export const mustHaveOneName = (file: string): void => {
  const { nlink } = statSync(file);
  if (nlink > 1)
    throw new Error(`it has ${nlink} names (hard links), and each would get a separate log. Keep one name.`);
};

/** Null for a link to nothing. */
const realPath = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
};

/** Checks whether names still lead to the files that the engine has open: otherwise a commit would be lost. */
export interface FileWatch {
  /** Checks after a commit. @throws AssayError ACCOUNTS_OUTCOME_UNKNOWN: the commit may be lost */
  afterCommit(): void;
  /** Checks before a write, only if the last check found the files replaced. @throws AssayError ACCOUNTS_TORN */
  beforeCommit(): void;
  /** Checks at any time. @throws AssayError ACCOUNTS_TORN */
  look(): void;
}

/** Call it when the engine has its files open: no engine replaces an open file. */
export const watchFiles = (path: string): FileWatch => {
  const seen = () => `${fileIdentity(path)} ${fileIdentity(`${path}-wal`)}`;
  const opened = seen();
  let is_torn = false;
  const lookFor = (code: "ACCOUNTS_TORN" | "ACCOUNTS_OUTCOME_UNKNOWN"): void => {
    is_torn = seen() !== opened;
    if (!is_torn) return;
    throw new AssayError({
      code,
      message: `The accounts file ${path} or its log ${path}-wal was removed or replaced while this process has it open. Nothing more is charged. Put the files back as they were, or restart.`,
      public: "The accounts store is not available right now.",
      retryable: true,
    });
  };
  return {
    afterCommit: () => lookFor("ACCOUNTS_OUTCOME_UNKNOWN"),
    beforeCommit() {
      if (is_torn) lookFor("ACCOUNTS_TORN");
    },
    look: () => lookFor("ACCOUNTS_TORN"),
  };
};

const fileIdentity = (path: string): string => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "none" : `${stat.dev}:${stat.ino}`;
};
