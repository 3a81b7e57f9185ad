import type { Cell } from "./engine.ts";

/** What had been written to each table at one moment. */
export interface Writes {
  /** A mark that stays the same as long as nothing is written to any of these tables. */
  of(tables: readonly string[]): string;
}

const marksOf = (store: string, tables: ReadonlyMap<string, string>): Writes => ({
  of: (wanted) => `${store} ${wanted.map((table) => tables.get(table) ?? "").join(" ")}`,
});

/** As the embedded engine tells it (embedded/write_count.ts). */
export const writesFrom = (text: string): Writes => {
  // Written by WriteCount.
  const { store, tables } = JSON.parse(text) as { store: string; tables: Readonly<Record<string, number>> };
  return marksOf(store, new Map(Object.entries(tables).map(([table, count]) => [table, String(count)])));
};

/**
 * A server counts no statements, and others may write to it. Its parts never change: what a table holds is another thing
 * exactly when it has other parts (or when a merge made one of several, which is no harm). Their hashes stand beside their
 * names, since numbers of parts may be given again after a restart.
 */
export const SERVER_WRITES = `
SELECT table, concat(toString(count()), ':', hex(groupBitXor(cityHash64(name, hash_of_all_files))))
FROM system.parts
WHERE active AND database = {database:String}
GROUP BY table
ORDER BY table`;

/** From the rows of `SERVER_WRITES`. */
export const writesOfParts = (rows: readonly (readonly Cell[])[]): Writes =>
  marksOf("", new Map(rows.map(([table, mark]) => [String(table), String(mark)])));
