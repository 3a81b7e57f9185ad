/** A tool's answer for people: figures by name, lists as tables. JSON output has all of it. */
import { isRecord } from "../lib/record.ts";
import { cellOf } from "./table.ts";
import { type ListView, listLines, type RowFields } from "./written_list.ts";

const DEPTH_MAX = 4;

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Array.isArray(value) && value.every((one) => typeof one !== "object"));

interface ValuePath {
  /** Of the object in the answer, with a dot behind: `summary.`; empty for the answer itself. */
  readonly path: string;
  readonly depth: number;
}

const fieldLines = (fields: RowFields, shown: ListView, { path, depth }: ValuePath): string[] => {
  const plain = Object.entries(fields).filter(([, value]) => isPlain(value));
  const name_width = Math.max(0, ...plain.map(([name]) => name.length));
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  const inner = { ...shown, width: shown.width - 2 };
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isPlain(value)) return [`${name.padEnd(name_width)}  ${cellOf(value)}`];
    if (depth >= DEPTH_MAX) return [`${name}  ${cellOf(value)}`];
    if (isRecord(value))
      return [name, ...indented(fieldLines(value, inner, { path: `${path}${name}.`, depth: depth + 1 }))];
    const rows = Array.isArray(value) ? value.filter(isRecord) : [];
    return [`${name} (${rows.length})`, ...indented(listLines(`${path}${name}`, rows, inner))];
  });
};

/** Lines of an answer at most about `shown.width` characters wide. */
export const answerLines = (body: unknown, shown: ListView): string[] =>
  isRecord(body) ? fieldLines(body, shown, { path: "", depth: 0 }) : [cellOf(body)];
