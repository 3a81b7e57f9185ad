/** Tables for people: columns as wide as their widest cell. */
import { cleanText } from "../lib/text.ts";

/** Longest cell, bytes: what is longer is cut. JSON output has all of it. */
const CELL_BYTES_MAX = 200;

/** Text of a cell: null as a dash, lists by their items, untrusted text without cursor controls. */
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null))
    return value.length === 0 ? "-" : cleanText(value.map(cellOf).join(", "), CELL_BYTES_MAX);
  if (typeof value === "object") return cleanText(JSON.stringify(value), CELL_BYTES_MAX);
  return cleanText(String(value), CELL_BYTES_MAX);
};

/** Lines of a table, header first, numbers aligned right; empty without rows. */
export const tableLines = (head: readonly string[], rows: readonly (readonly unknown[])[]): string[] => {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => head.map((_, i) => cellOf(row[i])));
  const widths = head.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const is_number = head.map((_, i) => rows.every((row) => typeof row[i] === "number" || (row[i] ?? null) === null));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (is_number[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(head), ...cells.map(line)];
};

/** The same as text to print. */
export const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  tableLines(head, rows)
    .map((line) => `${line}\n`)
    .join("");
