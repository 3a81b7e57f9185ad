import type { ResultCell } from "./engine.ts";

/** Writes to each table at one moment. */
export interface Writes {
  /** A mark that stays the same as long as no row of this network (null: of any) is written to these tables. */
  of(tables: readonly string[], network: string | null): string;
}

/** Statements that wrote a table, by the network whose rows alone they wrote; '' are those of any. */
type WriteCounts = Readonly<Record<string, number>>;

const countOf = (counts: WriteCounts, network: string | null): number =>
  network === null
    ? Object.values(counts).reduce((sum, count) => sum + count, 0)
    : (counts[""] ?? 0) + (counts[network] ?? 0);

/** As reported by the embedded engine (embedded/write_count.ts). */
export const writesFrom = (text: string): Writes => {
  // Written by WriteCount.
  const { store, tables } = JSON.parse(text) as { store: string; tables: Readonly<Record<string, WriteCounts>> };
  return {
    of: (wanted, network) => `${store} ${wanted.map((table) => countOf(tables[table] ?? {}, network)).join(" ")}`,
  };
};

/**
 * A server counts no statements, and other processes may write to it. Its parts are immutable: a table's contents change only when its
 * parts change (a merge changes the parts alone, which is harmless). The mark includes the parts' hashes as well as their
 * names, since a restart may reuse part numbers.
 */
export const SERVER_WRITES = `
SELECT table, concat(toString(count()), ':', hex(groupBitXor(cityHash64(name, hash_of_all_files))))
FROM system.parts
WHERE active AND database IN {databases:Array(String)}
GROUP BY table
ORDER BY table`;

/** Combined reports of several servers. */
export const joinWrites = (all: readonly Writes[]): Writes => ({
  of: (tables, network) => all.map((writes) => writes.of(tables, network)).join("\t"),
});

/** Reads the rows of `SERVER_WRITES`, which do not contain the network of a part. */
export const writesOfParts = (rows: readonly (readonly ResultCell[])[]): Writes => {
  const marks = new Map(rows.map(([table, mark]) => [String(table), String(mark)]));
  return { of: (wanted) => wanted.map((table) => marks.get(table) ?? "").join(" ") };
};
