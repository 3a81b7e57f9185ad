import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { AssayError } from "../lib/errors.ts";
import { type Engine, nodesOf } from "./engine.ts";
import { type HasLock, withMigrationLock } from "./migration_lock.ts";
import { splitStatements, withoutComments } from "./sql_text.ts";

const FOLDER = new URL("./schema/", import.meta.url);
const FILE = /^(\d{4})_\w+\.sql$/;

const CREATE_MIGRATIONS = `
CREATE TABLE IF NOT EXISTS migrations (number UInt32, name String, hash String, applied_at DateTime('UTC') DEFAULT now())
ENGINE = ReplacingMergeTree ORDER BY number SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`;

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** The numbered files of `schema/`, in order. */
export const readMigrations = (): readonly Migration[] =>
  readdirSync(FOLDER)
    .sort()
    .flatMap((name) => {
      const number = FILE.exec(name)?.[1];
      return number === undefined
        ? []
        : [{ number: Number(number), name, text: readFileSync(new URL(name, FOLDER), "utf8") }];
    });

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Identifies a migration by its statements; a changed comment does not change the hash. */
const hashOf = (text: string): string => digestOf(withoutComments(text));

/** Hashes recorded by earlier releases for the same statements; they cover the whole file with its comments. */
const HASH_WITH_COMMENTS: Readonly<Record<string, string>> = {
  c7d1a065aaadf496: "d69dfd62cb402658", // 0001_store.sql
  cbba9032f502a848: "eef6f47a752d2816", // 0002_blocks.sql
  eda2cf1c85dd75d3: "84cc4ca9b9739d75", // 0003_sums.sql
  a4f7c3372b108f64: "49c1c8ec0ca458f5", // 0004_known.sql
  "4928e465259e6599": "1a9bc127f5484ac1", // 0005_tail.sql
  be2b7d7f4cb30c6f: "e9a8ba9f0352560b", // 0006_gaps.sql
};

const isOf = (recorded: string, text: string): boolean =>
  recorded === hashOf(text) || recorded === HASH_WITH_COMMENTS[hashOf(text)];

const refuse = (message: string): AssayError => new AssayError({ code: "FACTS_VERSION", message });

/**
 * Applies all missing migrations. Every statement may run again, so the next start finishes an interrupted one. When several processes start
 * together, one works and the others wait.
 * @throws AssayError FACTS_VERSION when a newer program wrote the data, or one with different migrations
 */
export const migrate = async (engine: Engine, migrations: readonly Migration[] = readMigrations()): Promise<void> => {
  await engine.command(CREATE_MIGRATIONS);
  // With several servers, the first one holds the lock.
  const lock_keeper = nodesOf(engine)[0] ?? engine;
  const left = async () => notApplied(await readApplied(engine), migrations);
  while ((await left()).length > 0) {
    await withMigrationLock(
      lock_keeper,
      async () => (await left()).length > 0,
      async (hasLock) => {
        for (const migration of await left()) if (!(await apply(engine, migration, hasLock))) return;
      },
    );
  }
};

type AppliedMigrations = ReadonlyMap<number, { readonly name: string; readonly hash: string }>;

const readApplied = async (engine: Engine): Promise<AppliedMigrations> => {
  const rows = await engine.query("SELECT number, name, hash FROM migrations FINAL ORDER BY number");
  return new Map(rows.map(([number, name, hash]) => [Number(number), { name: String(name), hash: String(hash) }]));
};

/** Migrations to apply. Throws when the store belongs to another program. */
const notApplied = (applied: AppliedMigrations, migrations: readonly Migration[]): readonly Migration[] => {
  const newest = migrations.at(-1)?.number ?? 0;
  for (const [number, { name }] of applied) {
    if (number > newest) {
      throw refuse(`the facts were written by a newer version (migration ${name}); this one knows up to ${newest}`);
    }
  }
  return migrations.filter(({ number, name, text }) => {
    const before = applied.get(number);
    if (before !== undefined && !isOf(before.hash, text)) {
      throw refuse(
        `migration ${name} is not the one that made these facts (${before.name}); index again into a new folder`,
      );
    }
    return before === undefined;
  });
};

/** Returns false when this process lost the lock, for instance while it slept, and another one continues. */
const apply = async (engine: Engine, { number, name, text }: Migration, hasLock: HasLock): Promise<boolean> => {
  for (const statement of splitStatements(text)) {
    if (!(await hasLock())) return false;
    await engine.command(statement);
  }
  if (!(await hasLock())) return false;
  await engine.command(
    "INSERT INTO migrations (number, name, hash) SELECT {number:UInt32}, {name:String}, {hash:String}",
    { params: { number: String(number), name, hash: hashOf(text) } },
  );
  return true;
};

/** The tables as the server describes them, by name: the result of all migrations. */
export const dumpSchema = async (engine: Engine): Promise<string> => {
  const rows = await engine.query(
    "SELECT create_table_query FROM system.tables WHERE database = {database:String} ORDER BY name",
    { params: { database: engine.database } },
  );
  const statements = rows.map(([text]) =>
    String(text)
      .replaceAll(`${engine.database}.`, "")
      .replaceAll(`'${engine.database}'`, "currentDatabase()")
      .replaceAll(/(\(|,) ?(?=`)/g, "$1\n  ")
      .replaceAll(/\)? (ENGINE|AS SELECT|FROM|WHERE|SETTINGS) /g, (found) => found.replace(" ", "\n")),
  );
  return `-- Tables after all migrations. GENERATED by scripts/gen.ts. Do not edit.\n\n${statements.join(";\n\n")};\n`;
};
