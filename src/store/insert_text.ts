import { TABLES } from "./tables.gen.ts";
import type { TableName } from "./writer.ts";

/** Where rows go. */
export interface InsertTarget {
  readonly table: string;
  /** In the order in which rows have them. */
  readonly columns: readonly string[];
  /** Columns that rows do not have, as expressions over those that they have. */
  readonly computed?: Readonly<Record<string, string>>;
}

/** Names and types of columns, as `input` takes them. */
const structureOf = (table: string, columns: readonly string[]): string => {
  // Rows are checked only for tables of the schema.
  const types = new Map<string, string>(TABLES[table as TableName].map(([name, type]) => [name, type]));
  const structure = columns.map((name) => `${name} ${types.get(name)}`).join(", ");
  return structure.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
};

/** The statement in front of rows in RowBinary. `only_if`: a condition without which none of them is written. */
export const insertText = ({ table, columns, computed = {} }: InsertTarget, only_if: string | undefined): string => {
  const more = Object.entries(computed);
  const list = columns.join(", ");
  if (only_if === undefined && more.length === 0) return `INSERT INTO ${table} (${list}) FORMAT RowBinary`;
  const names = [...columns, ...more.map(([name]) => name)].join(", ");
  const values = [...columns, ...more.map(([, expression]) => expression)].join(", ");
  const where = only_if === undefined ? "" : ` WHERE ${only_if}`;
  return `INSERT INTO ${table} (${names}) SELECT ${values} FROM input('${structureOf(table, columns)}')${where} FORMAT RowBinary`;
};
