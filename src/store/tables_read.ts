import { TABLES } from "./tables.gen.ts";

const READ = /\b(?:FROM|JOIN)\s+(\w+)\b(?!\s*\()/g;

/** The tables that a question reads, as its text says. */
export const tablesRead = (sql: string): readonly string[] => {
  const plain = sql.replaceAll(/--[^\n]*|'(?:[^'\\]|\\[\s\S])*'/g, "");
  return [...new Set([...plain.matchAll(READ)].map(([, name]) => name ?? "").filter((name) => name in TABLES))].sort();
};
