import { chmodSync, closeSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AssayError, codeOf } from "../lib/errors.ts";
import { FOREIGN_RIGHTS } from "../lib/private_folder.ts";

/**
 * The engine keeps its files apart by locks of the process (fcntl(2)), and whoever closes any descriptor of a file drops
 * every lock that the process has on it. So a file of the engine is opened by the engine alone. What stands here makes a
 * file that is not there yet, and looks at names.
 */

/**
 * Makes the file (mode 0600; its folder 0700) unless it is there, and never opens one that is: the engine itself would make
 * it readable for all. Its -wal, -shm and -journal take the mode over.
 * @returns the path without links: the engine's other files and the locks of instances lie beside the file itself.
 * @throws Error when it cannot be made.
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

/** @throws Error when a file has a second name: beside each name would lie a log of its own. */
export const mustHaveOneName = (file: string): void => {
  const { nlink } = statSync(file);
  if (nlink > 1)
    throw new Error(`it has ${nlink} names (hard links), and each would have a log of its own; leave it one`);
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

/** Tells whether names still lead to the files that the engine has open: a commit would go where nobody finds it. */
export interface FileWatch {
  /** Looks after a commit. @throws AssayError ACCOUNTS_OUTCOME_UNKNOWN: it may have gone where nobody finds it. */
  afterCommit(): void;
  /** Looks, before anything is written only when the last look found them replaced. @throws AssayError ACCOUNTS_TORN */
  beforeCommit(): void;
  /** Looks at any time. @throws AssayError ACCOUNTS_TORN */
  look(): void;
}

/** To be called when the engine has its files open: none of them is replaced by an engine as long as anybody has. */
export const watchFiles = (path: string): FileWatch => {
  const seen = () => `${placeOf(path)} ${placeOf(`${path}-wal`)}`;
  const opened = seen();
  let is_torn = false;
  const lookFor = (code: "ACCOUNTS_TORN" | "ACCOUNTS_OUTCOME_UNKNOWN"): void => {
    is_torn = seen() !== opened;
    if (!is_torn) return;
    throw new AssayError({
      code,
      message: `The accounts file ${path} or its log ${path}-wal was removed or replaced while this process has it open: nothing more is charged. Restore the files, or restart.`,
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

const placeOf = (path: string): string => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "none" : `${stat.dev}:${stat.ino}`;
};
