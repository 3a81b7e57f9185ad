import { placeholdersOf } from "./sql_text.ts";

/**
 * Parameters as literals in the text of a statement, as ClickHouse itself replaces a placeholder: `_CAST('value', 'Type')`. The
 * embedded engine always has them so (the library's own bound calls share state between connections, and so it runs them one
 * after the other: a slow question would stop all others); a server has them so where they are long.
 */

const TSV_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", r: "\r", n: "\n", t: "\t", "0": "\0" };

/** Undoes the escapes of the HTTP interface (ClickHouse: values of `param_*` are in TabSeparated escaping). */
const unescapeTsv = (text: string): string =>
  text.includes("\\") ? text.replaceAll(/\\([\s\S])/g, (_, mark: string) => TSV_ESCAPES[mark] ?? mark) : text;

/** An SQL string of `text` in which only letters, digits and a few harmless marks stand for themselves. */
export const sqlString = (text: string): string => {
  const escaped = text.replaceAll(/[^\w .,:+-]+/g, (run) =>
    Buffer.from(run).toString("hex").replaceAll(/../g, "\\x$&"),
  );
  return `'${escaped}'`;
};

const literalOf = (type: string, value: string): string => {
  if (type === "Identifier") throw new RangeError("parameters of type Identifier are refused");
  const literal = value === "\\N" ? "NULL" : sqlString(unescapeTsv(value));
  return `_CAST(${literal}, ${sqlString(type)})`;
};

/** The statement with every `{name:Type}` replaced by its value. Throws RangeError naming a parameter without one. */
export const bind = (sql: string, params: ReadonlyMap<string, string>): string => {
  let out = "";
  let at = 0;
  for (const { name, type, start, end } of placeholdersOf(sql)) {
    const value = params.get(name);
    if (value === undefined) throw new RangeError(`Substitution \`${name}\` is not set`);
    out += sql.slice(at, start) + literalOf(type, value);
    at = end;
  }
  return out + sql.slice(at);
};
