/** Sum of amounts; null when any of them is unknown. */
export const sumOfAll = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** Sum of the known amounts; null when there are amounts and none is known. */
export const sumOfKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return values.length > 0 && known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};
