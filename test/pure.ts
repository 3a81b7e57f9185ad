/**
 * Which test files need no process of their own: those that reach, through everything they import, nothing that starts one, and
 * that change nothing of the process that they run in. They share processes and what was loaded there (project `pure`). What works on
 * a folder of its own beside them, and ends with its test, is none of these.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What starts processes and threads. */
const STARTING = /^(node:(child_process|cluster|worker_threads)|chdb|litesvm)$/;
/** What changes the process itself, in the test file. */
const CHANGING = /\bvi\.|\bprocess\.(env\b|on\b|once\b|chdir\b|exitCode\b)/;

/**
 * What starts the engine of a folder of facts, what copies such a folder, a compiler that ends with its question, accounts in a folder of
 * their own with their thread.
 */
const BESIDE = [
  ...["src/store/embedded/attach.ts", "test/run_folder.ts", "src/sources/compiler_process.ts"],
  ...["src/accounts/sqlite_thread.ts", "src/accounts/testing/temporary_accounts.ts"],
  "src/accounts/testing/postgres_server.ts",
];

/** What counts everything that its process has open or locked, and what measures time to the tenth of a second. */
const ALONE = [
  "src/accounts/sqlite_locks.test.ts",
  ...["deadline", "fairness", "slow_readers", "stop_under_load"].map((name) => `test/contract/${name}.test.ts`),
];

const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^;"]*?\sfrom\s+)?"([^"]+)";|\bimport\("([^"]+)"\)/gm;

/** What a file imports when it runs: no types. */
export const importsOf = (text: string): string[] =>
  [...text.matchAll(IMPORT)].map(([, still, late]) => still ?? late ?? "");

/** True for files of `root` that reach nothing of `STARTING`; what was found of a file is kept. */
const reacher = (root: string) => {
  const known = new Map(BESIDE.map((path) => [join(root, path), true]));
  const isFree = (path: string): boolean => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const targets = existsSync(path) && path.endsWith(".ts") ? importsOf(readFileSync(path, "utf8")) : [];
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
