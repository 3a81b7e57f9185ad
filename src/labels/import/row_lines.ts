const LINES = new WeakMap<object, number>();

/** Notes the line of the file on which a row begins, from 1. */
export const noteLine = (row: object, line: number): void => void LINES.set(row, line);

/** The noted line of a row; null without one. */
export const lineOf = (row: unknown): number | null =>
  typeof row === "object" && row !== null ? (LINES.get(row) ?? null) : null;
