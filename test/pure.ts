/**
 * Finds test files that need no separate process: through all their imports they reach no module that starts one, and
 * they change nothing of their process. They share processes and loaded modules (project `pure`). A test that works on
 * a separate folder, which ends with it, does not count as pure.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Modules that start processes and threads. */
const STARTING = /^(node:(child_process|cluster|worker_threads)|chdb|litesvm)$/;
/** Calls in a test file that change the process itself. */
const CHANGING = /\bvi\.|\bprocess\.(env\b|on\b|once\b|chdir\b|exitCode\b)/;

/**
 * Exceptions: the engine of a folder of facts, copies of such a folder, a compiler that ends with its call, accounts in a separate
 * folder with their thread.
 */
const BESIDE = [
  ...["src/store/embedded/attach.ts", "test/run_folder.ts", "src/sources/compiler_process.ts"],
  ...["src/accounts/sqlite_thread.ts", "src/accounts/testing/temporary_accounts.ts"],
  "src/accounts/testing/postgres_server.ts",
];

/** Tests that count everything their process has open or locked, or measure time to a tenth of a second. */
const ALONE = [
  "src/accounts/sqlite_locks.test.ts",
  ...["deadline", "fairness", "slow_readers", "stop_under_load"].map((name) => `test/contract/${name}.test.ts`),
];

const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^;"]*?\sfrom\s+)?"([^"]+)";|\bimport\("([^"]+)"\)/gm;

/** Run-time imports of a file, without types. */
export const runtimeImports = (text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, still, late]) => still ?? late ?? "");

/** True for files of `root` that reach nothing of `STARTING`; results per file are cached. */
const reacher = (root: string) => {
  const known = new Map(BESIDE.map((path) => [join(root, path), true]));
  const isFree = (path: string): boolean => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const targets = existsSync(path) && path.endsWith(".ts") ? runtimeImports(readFileSync(path, "utf8")) : [];
    const is_free = targets.every((target) =>
      target.startsWith(".") ? isFree(join(dirname(path), target)) : !STARTING.test(target),
    );
    known.set(path, is_free);
    return is_free;
  };
  return isFree;
};

/** Paths of the pure test files below folders of `root`, in order. */
export const pureFiles = (root: string, folders: readonly string[]): readonly string[] => {
  const isFree = reacher(root);
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".test.ts") && !ALONE.includes(path))
    .filter((path) => !CHANGING.test(readFileSync(join(root, path), "utf8")) && isFree(join(root, path)))
    .sort();
};
