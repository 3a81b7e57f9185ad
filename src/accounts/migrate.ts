import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AssayError } from "../lib/errors.ts";
import type { Database, EngineName } from "./database.ts";

const SCHEMA_FOLDER = fileURLToPath(new URL("./schema/", import.meta.url));

/**
 * Migrates the store to the newest schema: each numbered file runs once, in order, and is recorded.
 * @throws AssayError ACCOUNTS_TOO_NEW when a later release has already changed the store.
 */
export const migrate = async (database: Database, at: number, files: readonly Migration[]): Promise<void> => {
  const newest = files.at(-1)?.number ?? 0;
  await database.transaction({ lock: "schema", proof: null }, async (within) => {
    await within.run(
      "create table if not exists schema_migrations (number bigint primary key, name text not null, applied_at bigint not null)",
    );
    const row = await within.get<{ number: number }>(
      "select coalesce(max(number), 0) as number from schema_migrations",
    );
    const applied = row?.number ?? 0;
    if (applied > newest) throw tooNew(applied, newest);
    for (const file of files.filter((candidate) => candidate.number > applied)) {
      for (const statement of file.statements) await within.run(statement);
      await within.run("insert into schema_migrations (number, name, applied_at) values ($1, $2, $3)", [
        file.number,
        file.name,
        at,
      ]);
    }
  });
};

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Reads the numbered files of `schema/` for an engine (`0002_name.postgres.sql` is for that one alone), split into statements at
 * semicolons that end a line.
 */
export const readMigrations = (engine: EngineName): readonly Migration[] =>
  readdirSync(SCHEMA_FOLDER)
    .filter((name) => new RegExp(`^\\d{4}_\\w+(\\.${engine})?\\.sql$`).test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 4)),
      name,
      statements: readFileSync(`${SCHEMA_FOLDER}${name}`, "utf8")
        .replace(/^--.*$/gm, "")
        .split(/;[ \t]*$/m)
        .map((statement) => statement.trim())
        .filter((statement) => statement !== ""),
    }));

const tooNew = (applied: number, newest: number): AssayError =>
  new AssayError({
    code: "ACCOUNTS_TOO_NEW",
    message: `The accounts store was written by a newer Assay (schema ${applied}, this one knows ${newest}). Use that release or a newer one; nothing was changed.`,
  });
