import { trueSum } from "../lib/wide.ts";

/**
 * Sums of 256 bits in questions: `x` is what the engine makes of them (the last 256 bits), `x_high` the sum of what each
 * addend has above 2^128. A row holds `x` alone, the true sum.
 */

const SUFFIX = "_high";

const isWide = (type: string | undefined): boolean =>
  /^(?:Array\(|SimpleAggregateFunction\(sum, )?U?Int256\)?$/.test(type ?? "");

/** Position of a column's high part among the query's columns; -1 for a column that is not a sum. */
export const highOf = (name: string, described: readonly (readonly [string, string])[]): number => {
  const place = described.findIndex(([other]) => other === `${name}${SUFFIX}`);
  const own = described.find(([other]) => other === name)?.[1];
  return isWide(own) && isWide(described[place]?.[1]) ? place : -1;
};

/** The columns as rows have them: without high parts. */
export const withoutHighs = (
  described: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] => {
  const highs = new Set(described.map(([name]) => highOf(name, described)));
  return described.filter((_, index) => !highs.has(index));
};

/** One sum, or a list of them. Throws RangeError for anything else. */
export const joinSums = (wrapped: unknown, high: unknown): bigint | readonly bigint[] => {
  if (typeof wrapped === "bigint" && typeof high === "bigint") return trueSum(wrapped, high);
  if (!Array.isArray(wrapped) || !Array.isArray(high) || wrapped.length !== high.length)
    throw new RangeError("a sum and its high part do not fit together");
  return wrapped.map((one: unknown, i) => {
    const sum = joinSums(one, high[i]);
    if (typeof sum !== "bigint") throw new RangeError("a list of sums holds a list");
    return sum;
  });
};
