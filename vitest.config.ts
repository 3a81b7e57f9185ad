import { defineConfig } from "vitest/config";
import { findPostgres } from "./src/accounts/testing/postgres_server.ts";
import { is_long, LONG_ALONE, LONG_FILES } from "./test/long.ts";
import { pureFiles } from "./test/pure.ts";

const has_postgres = process.env.ASSAY_TEST_POSTGRES_URL !== undefined || findPostgres() !== null;

/** Files that only ask the demo worlds: those of one process share them. */
const ANSWERS = [
  "test/e2e/{all_tools,answers/*}.test.ts",
  "test/portal/{asking_and_printing,pages,troubles}.test.ts",
  "test/identities/{acts,trades,worlds}.test.ts",
];
const LONG = [...LONG_FILES, ...LONG_ALONE];
const FOLDERS = ["src", "test", "scripts", "bench", "portal", "sdk/src"];
const pure = is_long ? [] : [...pureFiles(import.meta.dirname, FOLDERS)];

/** Tests of the accounts that are about one engine, or about none. */
const OF_ONE_ENGINE = [
  "**/sqlite*.test.ts",
  "**/*limits.test.ts",
  "**/secret.test.ts",
  "**/passwords.test.ts",
  "**/*postgres*.test.ts",
];

/** The accounts once more, on a PostgreSQL of this run's own; without one, postgres.test.ts says so. */
const postgres = {
  extends: true as const,
  test: {
    name: "postgres",
    include: is_long ? LONG.filter((path) => path.startsWith("src/accounts/")) : ["src/accounts/*.test.ts"],
    exclude: is_long ? OF_ONE_ENGINE : [...OF_ONE_ENGINE, ...LONG_ALONE],
    env: { TEST_ACCOUNTS_ENGINE: "postgres" },
    globalSetup: ["src/accounts/testing/shared_postgres.ts"],
  },
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
    projects: [
      ...(is_long
        ? [{ extends: true as const, test: { name: "long", include: LONG } }]
        : [
            {
              extends: true as const,
              test: {
                name: "all",
                include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
                exclude: [...ANSWERS, ...LONG_ALONE, ...pure],
              },
            },
            { extends: true as const, test: { name: "pure", include: pure, exclude: LONG_ALONE, isolate: false } },
            { extends: true as const, test: { name: "answers", include: ANSWERS, isolate: false } },
          ]),
      ...(has_postgres ? [postgres] : []),
    ],
  },
});
