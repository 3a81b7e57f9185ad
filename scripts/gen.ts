// Writes everything that is generated: node dist/scripts/gen.js. With --check it writes nothing and exits 1 when a file
// is stale. A new output is one entry of GENERATORS.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../src/lib/errors.ts";
import { type Engine, openEngine } from "../src/store/engine.ts";
import { dumpSchema, migrate } from "../src/store/migrate.ts";
import { writeQueries } from "./gen_queries.ts";
import { writeTables } from "./gen_tables.ts";

/** What a generator may use: the root of the project, and an empty store with all tables. */
export interface Workshop {
  readonly root: string;
  readonly engine: Engine;
  /** Remembers a fault of one source; the other files are written all the same. */
  readonly complain: (message: string) => void;
}

interface Generator {
  /** Path below the root of the project. */
  readonly path: string;
  readonly write: (workshop: Workshop) => Promise<string>;
}

const GENERATORS: readonly Generator[] = [
  { path: "src/store/schema/schema.sql", write: ({ engine }) => dumpSchema(engine) },
  { path: "src/store/tables.gen.ts", write: ({ engine }) => writeTables(engine) },
  { path: "src/store/queries.gen.ts", write: writeQueries },
];

const findRoot = (folder: string): string =>
  existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const run = async (is_check: boolean): Promise<number> => {
  const root = findRoot(dirname(fileURLToPath(import.meta.url)));
  const data_dir = await mkdtemp(join(tmpdir(), "assay-gen-"));
  const engine = await openEngine({ engine: "embedded", data_dir });
  let faults = 0;
  const complain = (message: string): void => {
    faults += 1;
    process.stderr.write(`gen: ${message}\n`);
  };
  try {
    await migrate(engine);
    for (const { path, write } of GENERATORS) {
      const text = await write({ root, engine, complain });
      if (text === readIfThere(join(root, path))) continue;
      if (is_check) complain(`${path} is stale: run 'npm run gen'`);
      else {
        writeFileSync(join(root, path), text);
        process.stderr.write(`gen: ${path}\n`);
      }
    }
  } finally {
    await engine.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
  return faults === 0 ? 0 : 1;
};

run(process.argv.includes("--check")).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`gen: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
