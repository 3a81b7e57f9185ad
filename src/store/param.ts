/** A value of a `{name:Type}` place: DateTime takes unix seconds. */
export type Param = string | number | bigint | boolean | null | readonly Param[];

const TSV: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0" };
const escapeTsv = (text: string): string => text.replaceAll(/[\\\t\n\r\0]/g, (mark) => TSV[mark] ?? mark);

const inner = (value: Param): string => {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll(/['\\]/g, "\\$&")}'`;
  if (isList(value)) return `[${value.map(inner).join(",")}]`;
  return String(value);
};

export const isList = (value: Param): value is readonly Param[] => Array.isArray(value);

/** As the HTTP interface of ClickHouse reads it: TabSeparated escaping, lists as `['a','b']`. */
export const encodeParam = (value: Param): string => {
  if (value === null) return "\\N";
  return escapeTsv(isList(value) ? inner(value) : String(value));
};
