/** The UTC calendar month of a moment, as `YYYY-MM`: the name of a credit pool. `at` is unix milliseconds. */
export const periodOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** First millisecond after the UTC calendar month of `at`. */
export const periodEnd = (at: number): number => {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
};

/** ISO 8601 UTC with `Z`, whole seconds. `at` is unix milliseconds. */
export const isoMs = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
