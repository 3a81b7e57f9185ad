type Cell = string | number | boolean | null;

/** Programs that calculate take a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (value: Cell): string => {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Lines of CSV (RFC 4180) with a head. A text that a calculating program would run is quoted with `'`. */
export const csvOf = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell | undefined>>[],
): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("");
