import type { Engine } from "./engine.ts";
import { readMigrations } from "./migrate.ts";

/** Content of a copy of the facts. */
export interface FactsMarks {
  /** Version of the engine that wrote the files. */
  readonly engine: string;
  /** Migrations that made the tables, oldest first. */
  readonly migrations: readonly { readonly number: number; readonly hash: string }[];
  /** Rows by table, of those whose rows never collapse. */
  readonly rows: Readonly<Record<string, number>>;
}

/** The newest migration that this program knows. */
export const newestFactsSchema = (): number => readMigrations().at(-1)?.number ?? 0;

const TABLES_SQL = `SELECT name FROM system.tables
  WHERE database = {database:String} AND engine = 'MergeTree' ORDER BY name`;

/** Counted, because what the engine says of a table's parts includes rows that were deleted and not merged away yet. */
const countRows = async (engine: Engine): Promise<Record<string, number>> => {
  const tables = (await engine.query(TABLES_SQL, { params: { database: engine.database } })).map(([name]) =>
    String(name),
  );
  const counts = tables.map((table) => `SELECT '${table}', count() FROM ${table}`);
  const rows = counts.length === 0 ? [] : await engine.query(counts.join(" UNION ALL "));
  const byName = new Map(rows.map(([name, count]) => [String(name), Number(count)]));
  return Object.fromEntries(tables.map((table) => [table, byName.get(table) ?? 0]));
};

export const readFactsMarks = async (engine: Engine): Promise<FactsMarks> => {
  const [version] = await engine.query("SELECT version()");
  const migrations = await engine.query("SELECT number, hash FROM migrations FINAL ORDER BY number");
  return {
    engine: String(version?.[0]),
    migrations: migrations.map(([number, hash]) => ({ number: Number(number), hash: String(hash) })),
    rows: await countRows(engine),
  };
};
