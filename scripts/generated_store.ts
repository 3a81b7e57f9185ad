/** Generated files that need an engine of facts: types of tables and questions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "../src/store/engine.ts";
import { dumpSchema, migrate } from "../src/store/migrate.ts";
import { writeQueries } from "./gen_queries.ts";
import { writeTables } from "./gen_tables.ts";
import { fileOf, type Generator, type StoreWorkshop } from "./generated.ts";

/** The compiler needs these files. */
export const STORE: readonly Generator<StoreWorkshop>[] = [
  fileOf("src/store/schema/schema.sql", ({ engine }) => dumpSchema(engine)),
  fileOf("src/store/tables.gen.ts", ({ engine }) => writeTables(engine)),
  fileOf("src/store/queries.gen.ts", writeQueries),
];

/** Runs `work` on an empty facts store that has every table. */
export const withTables = async <T>(work: (engine: StoreWorkshop["engine"]) => Promise<T>): Promise<T> => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-gen-"));
  const engine = await openEngine({ engine: "embedded", data_dir });
  try {
    await migrate(engine);
    return await work(engine);
  } finally {
    await engine.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};
