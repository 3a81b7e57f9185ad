/** The one writer of CSV (RFC 4180): usage, month reports, tables of the page. */

type Cell = string | number | boolean | null;

/**
 * What a spreadsheet begins a formula with: `=`, `+`, `-`, `@`, the same in full-width, small, raised and lowered forms (a
 * spreadsheet normalizes them), and the minus sign of Unicode.
 */
const FORMULA_SIGNS =
  "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207c\u207a\u207b\u208c\u208a\u208b\u2212";

/**
 * A formula at the start of a text, or behind a character at which a spreadsheet set up otherwise begins a new cell or row.
 * Spaces, quotes and invisible characters (a byte order mark among them) do not keep a spreadsheet from evaluating it.
 */
const FORMULA = new RegExp(
  `(?<=^|[,;|\\p{Zl}\\p{Zp}\\p{Cc}])(?=[\\p{Z}\\p{C}"'\u2018\u2019\u201c\u201d]*[${FORMULA_SIGNS}])`,
  "gu",
);

/** A number as text, of any length: it stays one. */
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A text that begins with a tab or a line break is shifted into another cell by some programs, whatever follows. */
const BREAK = /^[\t\r\n]/;

/** A text that no spreadsheet evaluates: `'` stands before each formula, which a spreadsheet shows as text. */
const inert = (text: string): string => {
  if (NUMBER.test(text)) return text;
  const marked = text.replace(FORMULA, "'");
  return BREAK.test(marked) ? `'${marked}` : marked;
};

const cell = (value: Cell): string => {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = inert(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Lines of CSV with a head. Texts that a spreadsheet would evaluate are made inert, numbers stay numbers. */
export const csvOf = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell | undefined>>[],
): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("");
