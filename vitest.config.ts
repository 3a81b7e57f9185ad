import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { findPostgres } from "./src/accounts/testing/postgres_server.ts";
import { is_long } from "./test/long.ts";
import { pureFiles } from "./test/pure.ts";
import { pathsOf, TEST_FOLDERS, testFiles } from "./test/test_files.ts";

const has_postgres = process.env.ASSAY_TEST_POSTGRES_URL !== undefined || findPostgres() !== null;

const files = testFiles(import.meta.dirname);
const answers = pathsOf(files, ({ is_answers }) => is_answers);
const long = pathsOf(files, ({ is_sliced, is_long_alone }) => is_sliced || is_long_alone);
const long_alone = pathsOf(files, ({ is_long_alone }) => is_long_alone);
const of_accounts = pathsOf(files, ({ is_of_accounts }) => is_of_accounts);

const project = (name: string, include: readonly string[], more: object = {}): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: [...include], ...more },
});

/** The accounts once more, on a PostgreSQL of this run's own; without one, postgres.test.ts says so. */
const postgres = project(
  "postgres",
  of_accounts.filter((path) => (is_long ? long.includes(path) : !long_alone.includes(path))),
  { env: { TEST_ACCOUNTS_ENGINE: "postgres" }, globalSetup: ["src/accounts/testing/shared_postgres.ts"] },
);

const sliced = (): TestProjectInlineConfiguration[] => {
  const pure = pureFiles(import.meta.dirname, TEST_FOLDERS).filter((path) => !long_alone.includes(path));
  const apart = new Set([...answers, ...long_alone, ...pure]);
  const all = files.map(({ path }) => path).filter((path) => !apart.has(path));
  const asking = answers.filter((path) => !long_alone.includes(path));
  return [
    project("all", all),
    project("pure", pure, { isolate: false }),
    project("answers", asking, { isolate: false }),
  ];
};

/** `npm run check` runs these files and no other. */
const check = project(
  "check",
  pathsOf(files, ({ is_check }) => is_check),
  { globalSetup: [] },
);

const projects = (): TestProjectInlineConfiguration[] => {
  if (process.env.TEST_CHECK === "1") return [check];
  return [...(is_long ? [project("long", long)] : sliced()), ...(has_postgres ? [postgres] : [])];
};

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing_line.ts"],
    pool: "forks",
    // Long files have limits of time, which two others beside them on two cores use up.
    maxWorkers: is_long ? 2 : 3,
    testTimeout: 400_000,
    hookTimeout: 500_000,
    setupFiles: ["./test/draw.ts"],
    globalSetup: ["./test/run_folder.ts"],
    projects: projects(),
  },
});
