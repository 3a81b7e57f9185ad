import { TABLES } from "./tables.gen.ts";

/** The tables in which the rows of `name` stand: its two halves, or itself. */
export const halvesOf = (name: string): readonly string[] =>
  [name, `${name}_final`, `${name}_head`].filter((table) => table in TABLES);

const READ = /\b(?:FROM|JOIN)\s+(\w+)\b(?!\s*\()/g;

/** The tables that a question reads, as its text says. */
export const tablesRead = (sql: string): readonly string[] => {
  const plain = sql.replaceAll(/--[^\n]*|'(?:[^'\\]|\\[\s\S])*'/g, "");
  return [...new Set([...plain.matchAll(READ)].flatMap(([, name]) => halvesOf(name ?? "")))].sort();
};
