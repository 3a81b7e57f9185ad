import { randomBytes } from "node:crypto";
import type { Engine, Options } from "./engine.ts";
import { rangesOf } from "./epochs.ts";
import { encodeParam } from "./param.ts";
import type { Source } from "./sums.ts";
import { columnsOf } from "./sums.ts";
import type { TableName } from "./writer.ts";

/** Rows of a segment before they are written: in the engine's memory, in tables of this writer's own. */
export interface StagingTables {
  /** Puts rows in, in place of those that were there. */
  fill(table: TableName, rows: Buffer, options: Options): Promise<void>;
  /** Replaces the staged rows by the result of a query. */
  make(table: TableName, select: string, options: Options): Promise<void>;
  /** The staged rows, for hashing or inserting. */
  source(table: TableName): Source;
  /** Takes the rows out again. */
  empty(tables: readonly TableName[]): Promise<void>;
}

const STAGED = `SELECT name FROM system.tables WHERE database = {database:String}
  AND (startsWith(name, {own:String}) OR startsWith(name, {of_ranges:String}))`;

const hexOf = (subject: string): string => `stage_${Buffer.from(subject).toString("hex")}`;
const prefixOf = (subject: string): string => `${hexOf(subject)}_`;

/** Takes away what writers of a network and its ranges, or of one range, that have ended or may no longer write have left behind. */
export const removeStages = async (engine: Engine, subject: string): Promise<void> => {
  const rows = await engine.query(STAGED, {
    params: {
      database: encodeParam(engine.database),
      own: encodeParam(prefixOf(subject)),
      of_ranges: encodeParam(hexOf(rangesOf(subject))),
    },
  });
  for (const [name] of rows) await engine.command(`DROP TABLE IF EXISTS ${String(name)} SYNC`);
};

export const openStaging = (engine: Engine, subject: string): StagingTables => {
  const prefix = `${prefixOf(subject)}${randomBytes(4).toString("hex")}_`;
  const made = new Set<TableName>();
  /** Tables that are known to hold nothing. */
  const clean = new Set<TableName>();
  const nameOf = (table: TableName): string => `${prefix}${table}`;
  const truncate = async (table: TableName): Promise<void> => {
    await engine.command(`TRUNCATE TABLE ${nameOf(table)}`);
    clean.add(table);
  };
  const clear = async (table: TableName): Promise<void> => {
    if (!made.has(table))
      await engine.command(`CREATE TABLE IF NOT EXISTS ${nameOf(table)} AS ${table} ENGINE = Memory`);
    made.add(table);
    if (!clean.delete(table)) await truncate(table);
    clean.delete(table);
  };
  /** Forgets the table, which another writer or a new engine may have dropped, so that it is created again next time. */
  const refill = async (table: TableName, write: () => Promise<void>): Promise<void> => {
    try {
      await clear(table);
      await write();
    } catch (error) {
      made.delete(table);
      throw error;
    }
  };
  return {
    fill: (table, rows, options) =>
      refill(table, () => engine.insert({ table: nameOf(table), columns: columnsOf(table) }, rows, options)),
    make: (table, select, options) =>
      refill(table, () =>
        engine.command(`INSERT INTO ${nameOf(table)} (${columnsOf(table).join(", ")})\n${select}`, options),
      ),
    source: (table) => ({ name: table, table, from: nameOf(table) }),
    async empty(tables) {
      for (const table of tables) if (made.has(table)) await truncate(table);
    },
  };
};
