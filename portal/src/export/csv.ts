import type { CaseTable } from "../../../src/case/tables.ts";
import { csvOf } from "../../../src/lib/csv.ts";

/** A table as CSV (RFC 4180, UTF-8): a text that a calculating program would run as a formula begins with `'`. */
export const csvText = ({ columns, rows }: CaseTable): string =>
  csvOf(
    columns,
    rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]))),
  );
