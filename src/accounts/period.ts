/** The UTC calendar month of a moment, as `YYYY-MM`: the name of a credit pool. `at` is unix milliseconds. */
export const periodOf = (at: number): string => {
  if (at < last.from || at >= last.end) last = { name: new Date(at).toISOString().slice(0, 7), ...monthOf(at) };
  return last.name;
};

/** First millisecond after the UTC calendar month of `at`. */
export const periodEnd = (at: number): number => monthOf(at).end;

const monthOf = (at: number): { readonly from: number; readonly end: number } => {
  const day = new Date(at);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { from: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
};

/** The last month that was computed, which is nearly always the next one too. */
let last = { name: "", from: 0, end: 0 };

/** ISO 8601 UTC with `Z`, whole seconds. `at` is unix milliseconds. */
export const isoMs = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
