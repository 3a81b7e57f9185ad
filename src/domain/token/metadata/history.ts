import type { QueryRow } from "../../../store/facts.ts";

/** Metadata that a token reported at a block. */
export type MetadataReading = Pick<
  QueryRow<"token_readings_among">,
  "read_at_block" | "name" | "symbol" | "decimals" | "has_hidden"
>;

/**
 * Decimals that count. A token that reported two numbers has no unit: amounts and prices of before and after the change
 * would differ by a factor that its owner chooses.
 */
export const settledDecimals = (reported: readonly (number | null)[]): number | null => {
  const numbers = new Set(reported.filter((decimals) => decimals !== null));
  const [only] = numbers;
  return numbers.size === 1 && only !== undefined ? only : null;
};

/**
 * The metadata at `block`: the last reading up to it, or the first one after it. Decimals are those that all readings up
 * to it agree on. `readings` ascend. Null without one.
 */
export const readingAt = (readings: readonly MetadataReading[], block: number): MetadataReading | null => {
  const until = readings.filter(({ read_at_block }) => read_at_block <= block);
  const found = until.at(-1) ?? readings[0];
  if (found === undefined) return null;
  const heard = until.length === 0 ? [found] : until;
  return { ...found, decimals: settledDecimals(heard.map(({ decimals }) => decimals)) };
};

/** The readings up to a block; none if the metadata had not changed by then. */
export const changedReadings = <R extends MetadataReading>(readings: readonly R[], block: number): readonly R[] => {
  const until = readings.filter(({ read_at_block }) => read_at_block <= block);
  return until.length > 1 ? until : [];
};

/** True when two readings show a reader the same token. */
export const isSameReading = (
  one: Omit<MetadataReading, "read_at_block">,
  other: Omit<MetadataReading, "read_at_block">,
): boolean =>
  one.name === other.name &&
  one.symbol === other.symbol &&
  one.decimals === other.decimals &&
  one.has_hidden === other.has_hidden;
