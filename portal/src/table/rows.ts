/** The rows of a table as a reader has arranged them: filtered, sorted, in chosen columns. */
import type { CaseTable } from "../../../src/case/tables.ts";

/** Null: unknown, or none. */
export type RowValue = string | number | boolean | null;

export interface ValuedColumn<T> {
  readonly head: string;
  /** The exact value, for sorting, filtering and files. */
  readonly value: (row: T) => RowValue;
}

/** Null: the order of the answer. */
export type RowOrder = { readonly head: string; readonly falls: boolean } | null;

const isBlank = (value: RowValue): value is null | "" => value === null || value === "";

const compared = (a: string | number | boolean, b: string | number | boolean): number => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Unknown values sort last in both directions. */
export const orderedRows = <T>(
  rows: readonly T[],
  columns: readonly ValuedColumn<T>[],
  order: RowOrder,
): readonly T[] => {
  const column = columns.find(({ head }) => head === order?.head);
  if (order === null || column === undefined) return rows;
  return rows.toSorted((a, b) => {
    const [left, right] = [column.value(a), column.value(b)];
    if (isBlank(left) || isBlank(right)) return isBlank(left) === isBlank(right) ? 0 : isBlank(left) ? 1 : -1;
    return order.falls ? compared(right, left) : compared(left, right);
  });
};

/** Rows with every word of the filter in some value, whatever its case. */
export const filteredRows = <T>(
  rows: readonly T[],
  columns: readonly ValuedColumn<T>[],
  filter: string,
): readonly T[] => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const texts = columns.map(({ value }) => String(value(row) ?? "").toLowerCase());
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
};

/** The rows as a file has them: exact values under the headings of the page. */
export const tableFile = <T>(name: string, rows: readonly T[], columns: readonly ValuedColumn<T>[]): CaseTable => ({
  name,
  columns: columns.map(({ head }) => head),
  rows: rows.map((row) => columns.map(({ value }) => value(row))),
});
