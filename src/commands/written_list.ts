/** One list of an answer as a table of a terminal: the columns of the card's compact view, as far as they fit. */
import { isRecord } from "../lib/record.ts";
import { columnOf, type DrawnMembers, namesIn, type View } from "../tools/view.ts";
import { cellOf, tableLines } from "./table.ts";

export type RowFields = Readonly<Record<string, unknown>>;

const ROWS_MAX = 25;
/** Between two columns. */
const GAP = 2;
/** A list inside a row is no column of its own. */
const DEPTH_MAX = 3;

/** Parts of an answer that the caller requested. */
export interface ListView {
  readonly width: number;
  /** Of the tool's card; null where the tool is not one of this program. */
  readonly view: View | null;
  /** Columns that the caller names; null: those of the card. */
  readonly columns: readonly string[] | null;
}

/** Members of members as `pnl.total_usd`; lists of objects are left out. */
const pathsIn = (row: RowFields, prefix = "", depth = 0): readonly string[] =>
  Object.entries(row).flatMap(([name, value]) => {
    if (name === "unavailable") return [];
    if (isRecord(value)) return depth < DEPTH_MAX ? pathsIn(value, `${prefix}${name}.`, depth + 1) : [];
    return Array.isArray(value) && value.some((one) => isRecord(one)) ? [] : [`${prefix}${name}`];
  });

const declared = (view: View | null, path: string): string | null => {
  const drawn: DrawnMembers | false | undefined = view?.drawn?.[path];
  if (drawn === undefined || drawn === false) return null;
  return typeof drawn === "string" ? drawn : (drawn.columns ?? null);
};

/** The value of a column, as the card writes columns: `pnl.total_usd`, `tokens[amount,symbol]`, `created_at:day`. */
const valueAt = (row: RowFields, column: string): unknown => {
  const { steps, members, is_day } = columnOf(column);
  const value = steps.reduce<unknown>((now, step) => (isRecord(now) ? (now[step] ?? null) : null), row);
  if (is_day && typeof value === "string") return value.slice(0, "2026-01-31".length);
  if (!Array.isArray(value) || members.length === 0) return value;
  return value.filter(isRecord).map((one) => members.map((member) => cellOf(one[member])).join(" "));
};

const hasValues = (rows: readonly RowFields[], column: string): boolean =>
  rows.some((row) => {
    const value = valueAt(row, column);
    return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  });

const widthOf = (rows: readonly RowFields[], column: string): number =>
  Math.max(columnOf(column).name.length, ...rows.map((row) => cellOf(valueAt(row, column)).length)) + GAP;

/** In their order those that fit; one that is too wide makes room for narrower ones behind it. One at least. */
const fitting = (rows: readonly RowFields[], columns: readonly string[], width: number): readonly string[] => {
  let left = width + GAP;
  const fit = columns.filter((column) => {
    const own = widthOf(rows, column);
    if (own > left) return false;
    left -= own;
    return true;
  });
  return fit.length > 0 ? fit : columns.slice(0, 1);
};

interface ListColumns {
  readonly shown: readonly string[];
  /** That hold something and are not shown, the card's own first. */
  readonly hidden: readonly string[];
}

const columnsOf = (path: string, rows: readonly RowFields[], { width, view, columns }: ListView): ListColumns => {
  const all = [...new Set(rows.flatMap((row) => pathsIn(row)))];
  const named = columns?.filter((column) => hasValues(rows, column)) ?? [];
  const own = declared(view, path);
  const wanted = own === null ? all.filter((name) => !name.endsWith("_raw")) : namesIn(own);
  const told = wanted.filter((column) => hasValues(rows, column));
  // Columns that the caller names are shown however wide they are.
  const shown = named.length > 0 ? named : fitting(rows, told, width);
  const seen = new Set(shown.map((column) => columnOf(column).name));
  const others = [...told.map((column) => columnOf(column).name), ...all.filter((name) => hasValues(rows, name))];
  return { shown, hidden: [...new Set(others)].filter((name) => !seen.has(name)) };
};

const HIDDEN_NAMED_MAX = 12;

const hiddenLine = (hidden: readonly string[]): readonly string[] => {
  if (hidden.length === 0) return [];
  const named = hidden.slice(0, HIDDEN_NAMED_MAX).join(", ");
  const more = hidden.length > HIDDEN_NAMED_MAX ? ` and ${hidden.length - HIDDEN_NAMED_MAX} more` : "";
  return [`hidden: ${named}${more} (--columns a,b shows those named, --json and --csv all)`];
};

/** Lines of a list, its head first; the last ones say what is not shown of it. */
export const listLines = (path: string, rows: readonly RowFields[], shown: ListView): readonly string[] => {
  const first = rows.slice(0, ROWS_MAX);
  const columns = columnsOf(path, first, shown);
  const lines = tableLines(
    columns.shown.map((column) => columnOf(column).name),
    first.map((row) => columns.shown.map((column) => valueAt(row, column))),
  );
  const more = rows.length > first.length ? [`and ${rows.length - first.length} more`] : [];
  return [...lines, ...more, ...hiddenLine(columns.hidden)];
};
