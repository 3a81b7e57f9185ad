/** A tool's answer for people: figures by name, lists as tables. JSON output has all of it. */
import { isRecord } from "../lib/record.ts";
import { cellOf, tableLines } from "./table.ts";

const ROWS_MAX = 25;
const DEPTH_MAX = 4;

type Fields = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Array.isArray(value) && value.every((one) => typeof one !== "object"));

/** The leading columns whose cells fit into `width` characters; one at least. */
const columnsOf = (rows: readonly Fields[], width: number): string[] => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isPlain(row[name]))))];
  const told = names.filter((name) => rows.some((row) => (row[name] ?? null) !== null));
  let left = width;
  const fitting = told.filter((name) => {
    left -= Math.max(name.length, ...rows.map((row) => cellOf(row[name]).length)) + 2;
    return left >= 0;
  });
  return fitting.length > 0 ? fitting : told.slice(0, 1);
};

const listLines = (rows: readonly Fields[], width: number): string[] => {
  const shown = rows.slice(0, ROWS_MAX);
  const columns = columnsOf(shown, width);
  const lines = tableLines(
    columns,
    shown.map((row) => columns.map((name) => row[name])),
  );
  return rows.length > shown.length ? [...lines, `and ${rows.length - shown.length} more`] : lines;
};

const fieldLines = (fields: Fields, width: number, depth: number): string[] => {
  const plain = Object.entries(fields).filter(([, value]) => isPlain(value));
  const name_width = Math.max(0, ...plain.map(([name]) => name.length));
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isPlain(value)) return [`${name.padEnd(name_width)}  ${cellOf(value)}`];
    if (depth >= DEPTH_MAX) return [`${name}  ${cellOf(value)}`];
    if (isRecord(value)) return [name, ...indented(fieldLines(value, width - 2, depth + 1))];
    const rows = Array.isArray(value) ? value.filter(isRecord) : [];
    return [`${name} (${rows.length})`, ...indented(listLines(rows, width - 2))];
  });
};

/** Lines of an answer at most about `width` characters wide. */
export const answerLines = (body: unknown, width: number): string[] =>
  isRecord(body) ? fieldLines(body, width, 0) : [cellOf(body)];
