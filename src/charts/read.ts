import { isRecord } from "../lib/record.ts";

/** An answer is read as what it is to a picture: JSON of which no member is sure to be there. */
export type AnswerJson = Readonly<Record<string, unknown>>;

/** Beyond any sum of words of 256 bits at any price; a number above is taken as not known, so that sums stay finite. */
const NUMBER_MAX = 1e120;
/** Nothing that is measured is smaller. */
const NUMBER_MIN = 1e-120;

export const at = (value: unknown, path: string): unknown => {
  let found = value;
  for (const name of path.split(".")) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
};

/** A number; null for other values. */
export const numberAt = (value: unknown, path: string): number | null => {
  const found = at(value, path);
  if (typeof found !== "number" || !Number.isFinite(found) || Math.abs(found) > NUMBER_MAX) return null;
  return Math.abs(found) < NUMBER_MIN ? 0 : found;
};

/** A count or a size: what is below 0 is not known. */
export const sizeAt = (value: unknown, path: string): number | null => {
  const found = numberAt(value, path);
  return found === null || found < 0 ? null : found;
};

/** A text that is not empty; null otherwise. */
export const textAt = (value: unknown, path: string): string | null => {
  const found = at(value, path);
  return typeof found === "string" && found !== "" ? found : null;
};

/** True or false; null when it is not known. */
export const factAt = (value: unknown, path: string): boolean | null => {
  const found = at(value, path);
  return typeof found === "boolean" ? found : null;
};

/** The objects of a list; empty when there is no list. */
export const rowsAt = (value: unknown, path: string): readonly AnswerJson[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter(isRecord) : [];
};

/** Milliseconds of an ISO 8601 time or day; null outside the years 1970 to 9999. */
export const timeAt = (value: unknown, path: string): number | null => {
  const text = textAt(value, path);
  if (text === null || !/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isFinite(time) && time >= 0 ? time : null;
};

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The sum, when every part of it is known. */
export const knownSum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? sum(known) : null;
};

export interface ShownRows<T> {
  readonly shown: readonly T[];
  /** Entries merged into one, because there is no room for each. */
  readonly rest: readonly T[];
}

/** The first ones, and the others; a single other one is shown, it needs no more room than the line that sums it up. */
export const firstOf = <T>(rows: readonly T[], most: number): ShownRows<T> =>
  rows.length <= most ? { shown: rows, rest: [] } : { shown: rows.slice(0, most - 1), rest: rows.slice(most - 1) };

/** Largest first; what is not known last. The order of equals stays. */
export const byLargest = <T>(rows: readonly T[], of: (row: T) => number | null): readonly T[] =>
  rows.toSorted((a, b) => {
    const [left, right] = [of(a), of(b)];
    return left === null || right === null ? Number(left === null) - Number(right === null) : right - left;
  });
