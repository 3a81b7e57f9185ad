import type { Engine } from "./engine.ts";
import { readMigrations } from "./migrate.ts";

/** What a copy of the facts holds. */
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

const ROWS_SQL = `SELECT name, total_rows FROM system.tables
  WHERE database = {database:String} AND engine = 'MergeTree' ORDER BY name`;

export const readFactsMarks = async (engine: Engine): Promise<FactsMarks> => {
  const [version] = await engine.query("SELECT version()");
  const migrations = await engine.query("SELECT number, hash FROM migrations FINAL ORDER BY number");
  const rows = await engine.query(ROWS_SQL, { params: { database: engine.database } });
  return {
    engine: String(version?.[0]),
    migrations: migrations.map(([number, hash]) => ({ number: Number(number), hash: String(hash) })),
    rows: Object.fromEntries(rows.map(([name, count]) => [String(name), Number(count)])),
  };
};
