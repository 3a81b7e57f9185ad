import { defineConfig } from "vitest/config";
import { findPostgres } from "./src/accounts/testing/postgres_server.ts";
import { is_long, LONG_FILES } from "./test/long.ts";
import { pureFiles } from "./test/pure.ts";

const has_postgres = process.env.ASSAY_TEST_POSTGRES_URL !== undefined || findPostgres() !== null;

const ANSWERS = "test/e2e/answers/*.test.ts";
const FOLDERS = ["src", "test", "scripts", "bench"];
const pure = is_long ? [] : [...pureFiles(import.meta.dirname, FOLDERS)];

/** Tests of the accounts that are about one engine, or about none. */
const OF_ONE_ENGINE = ["**/sqlite*.test.ts", "**/*limits.test.ts", "**/secret.test.ts", "**/*postgres*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/closing_line.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 400_000,
    hookTimeout: 500_000,
    setupFiles: ["./test/draw.ts"],
    globalSetup: ["./test/run_folder.ts"],
    projects: is_long
      ? [{ extends: true, test: { name: "long", include: LONG_FILES } }]
      : [
          {
            extends: true,
            test: {
              name: "all",
              include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
              exclude: [ANSWERS, ...pure],
            },
          },
          { extends: true, test: { name: "pure", include: pure, isolate: false } },
          // Files that only ask the demo world: those of one process share one.
          {
            extends: true,
            test: { name: "answers", include: [ANSWERS], isolate: false },
          },
          // The accounts once more, on a PostgreSQL of this run's own; without one, postgres.test.ts says so.
          ...(has_postgres
            ? [
                {
                  extends: true as const,
                  test: {
                    name: "postgres",
                    include: ["src/accounts/*.test.ts"],
                    exclude: OF_ONE_ENGINE,
                    env: { TEST_ACCOUNTS_ENGINE: "postgres" },
                    globalSetup: ["src/accounts/testing/shared_postgres.ts"],
                  },
                },
              ]
            : []),
        ],
  },
});
