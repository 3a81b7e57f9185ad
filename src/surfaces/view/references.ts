import { type AnswerMembers, isMembers } from "./shape.ts";

/** Addresses, hashes and other long texts without blanks. */
const isLong = (value: unknown): value is string => typeof value === "string" && /^[\w:.-]{32,}$/.test(value);

const isTable = (value: unknown): value is AnswerMembers & { readonly rows: readonly (readonly unknown[])[] } =>
  isMembers(value) && Array.isArray(value.columns) && Array.isArray(value.rows);

const tablesIn = (value: unknown): readonly (readonly (readonly unknown[])[])[] => {
  if (isTable(value)) return [value.rows];
  return isMembers(value) ? Object.values(value).flatMap(tablesIn) : [];
};

const replaced = (value: unknown, names: ReadonlyMap<unknown, string>): unknown => {
  if (isTable(value)) return { ...value, rows: value.rows.map((row) => row.map((cell) => names.get(cell) ?? cell)) };
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, names)]));
};

/**
 * Moves long texts that several table cells share into `refs`, as `@1`, `@2` … Strangers' text that begins like such a
 * reference gets a second `@`.
 */
export const withReferences = (
  members: AnswerMembers,
): { readonly tables: AnswerMembers; readonly refs: AnswerMembers } => {
  const counts = new Map<string, number>();
  for (const cell of tablesIn(members).flat(2)) if (isLong(cell)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const often = [...counts].filter(([, count]) => count > 1).map(([text]) => text);
  const names = new Map<unknown, string>(often.map((text, at) => [text, `@${at + 1}`]));
  // The values of `replaced` are those of `members`.
  const tables = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, replaced(value, names)]));
  return { tables, refs: Object.fromEntries(often.map((text, at) => [`@${at + 1}`, text])) };
};
