/** Writes CSV (RFC 4180) for usage, monthly reports and the portal's tables. */

type CsvCell = string | number | boolean | null;

/**
 * Characters that start a formula in a spreadsheet: `=`, `+`, `-`, `@`, their full-width, small, superscript and subscript forms
 * (spreadsheets normalize them), and the Unicode minus sign.
 */
const FORMULA_SIGNS =
  "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207c\u207a\u207b\u208c\u208a\u208b\u2212";

/**
 * A formula at the start of a text, or after a character that starts a new cell or row under other spreadsheet settings.
 * Spreadsheets evaluate formulas after spaces, quotes and invisible characters such as a byte order mark.
 */
const FORMULA = new RegExp(
  `(?<=^|[,;|\\p{Zl}\\p{Zp}\\p{Cc}])(?=[\\p{Z}\\p{C}"'\u2018\u2019\u201c\u201d]*[${FORMULA_SIGNS}])`,
  "gu",
);

/** A number of any length as text: written unchanged. */
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Some programs shift a text that begins with a tab or line break into another cell. */
const BREAK = /^[\t\r\n]/;

/** Puts `'` before each formula so that spreadsheets show it as text. */
const inert = (text: string): string => {
  if (NUMBER.test(text)) return text;
  const marked = text.replace(FORMULA, "'");
  return BREAK.test(marked) ? `'${marked}` : marked;
};

const cell = (value: CsvCell): string => {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = inert(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** CSV lines with a header row. Formulas become inert text; numbers stay numbers. */
export const csvOf = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, CsvCell | undefined>>[],
): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? null))]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("");
