/** An answer as tables: its figures, and each of its lists. For the portal, the exported file, CSV and Parquet. */
import { isRecord } from "../lib/record.ts";
import { canonicalJson } from "./canonical.ts";
import type { JsonMembers } from "./format.ts";

export type CaseCell = string | number | boolean | null;

export interface CaseTable {
  /** Path in the answer (`data`, `summary.rows`), or `figures`. */
  readonly name: string;
  /** Nested members are `peer.address`; each row has a cell per column. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CaseCell[])[];
}

const LEVELS_MAX = 6;
const COLUMNS_MAX = 200;

/** The figures first (`member`, `value`), then every list of objects in the order of the answer. Excludes `metadata`. */
export const tablesOf = (answer: JsonMembers): readonly CaseTable[] => {
  const { metadata: _, ...rest } = answer;
  const lists: CaseTable[] = [];
  const figures = figuresOf(rest, { prefix: "", level: 0, lists });
  const first: CaseTable = { name: "figures", columns: ["member", "value"], rows: figures };
  return figures.length > 0 ? [first, ...lists] : lists;
};

/** A list of objects as one table: columns in order of first occurrence. */
export const tableOf = (name: string, rows: readonly JsonMembers[]): CaseTable => {
  const flat = rows.map((row) => new Map(cellsOf(row, "", 0)));
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))].slice(0, COLUMNS_MAX);
  return { name, columns, rows: flat.map((row) => columns.map((column) => row.get(column) ?? null)) };
};

const isCell = (value: unknown): value is CaseCell =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

/** Lists and deeply nested values become a cell of JSON. */
const cellsOf = (value: JsonMembers, prefix: string, level: number): readonly (readonly [string, CaseCell])[] =>
  Object.entries(value).flatMap(([name, member]): readonly (readonly [string, CaseCell])[] => {
    if (isCell(member)) return [[prefix + name, member]];
    if (isRecord(member) && level < LEVELS_MAX) return cellsOf(member, `${prefix}${name}.`, level + 1);
    return [[prefix + name, listCell(member)]];
  });

const listCell = (value: unknown): CaseCell => {
  if (Array.isArray(value) && value.length === 0) return null;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("; ");
  return canonicalJson(value ?? null);
};

interface TableWalk {
  readonly prefix: string;
  readonly level: number;
  /** Lists of objects found so far. */
  readonly lists: CaseTable[];
}

const figuresOf = (value: JsonMembers, walk: TableWalk): readonly (readonly [string, CaseCell])[] =>
  Object.entries(value).flatMap(([name, member]): readonly (readonly [string, CaseCell])[] => {
    const at = walk.prefix + name;
    if (isCell(member)) return [[at, member]];
    if (Array.isArray(member) && member.length > 0 && member.every(isRecord)) {
      walk.lists.push(tableOf(at, member));
      return [];
    }
    if (isRecord(member) && walk.level < LEVELS_MAX)
      return figuresOf(member, { ...walk, prefix: `${at}.`, level: walk.level + 1 });
    return [[at, listCell(member)]];
  });
