import { AssayError } from "../../lib/errors.ts";
import { DAY_S, iso, isoDay } from "../../lib/time.ts";
import type { Warning } from "../context.ts";

/** Dates as a caller writes them, `YYYY-MM-DD`, both inclusive. */
interface Dates {
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}

/** The days as their first unix seconds. */
export interface DayBounds {
  readonly from_date?: number | undefined;
  readonly to_date?: number | undefined;
}

export interface DateWindow {
  /** Unix seconds, inclusive. */
  readonly from: number;
  /** Unix seconds, exclusive. */
  readonly until: number;
  readonly from_date: string;
  readonly to_date: string;
  readonly warnings: readonly Warning[];
}

/** Default window: `to_date` - 89 days, unless a tool sets another length. */
const DAYS_BACK = 89;

/** Error message for invalid dates, or null. `today`: the default of `to_date`. */
export const checkDates = ({ from_date, to_date }: Dates, today: string): string | null => {
  if (from_date === undefined || from_date <= (to_date ?? today)) return null;
  return to_date === undefined
    ? `from_date ${from_date} lies after today, ${today}.`
    : `from_date ${from_date} lies after to_date ${to_date}.`;
};

const dayOf = (time: number): number => time - (time % DAY_S);

/**
 * The window of these days at a block. `now`: that block's time; a later `to_date` becomes its day, with a warning.
 * @throws AssayError COVERAGE_INCOMPLETE when the whole window is after the block.
 */
export const dateWindow = ({ from_date, to_date }: DayBounds, now: number, days_back = DAYS_BACK): DateWindow => {
  const today = dayOf(now);
  const is_future = to_date !== undefined && to_date > today;
  const last = to_date === undefined || is_future ? today : to_date;
  // Facts have no day before the first one.
  const from = from_date ?? Math.max(0, last - days_back * DAY_S);
  if (from > last) {
    const message = `from_date ${isoDay(from)} lies after the newest block (${iso(now)}): nothing of that window is known yet.`;
    throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable: true });
  }
  const message = `to_date lies after the newest block (${iso(now)}); ${isoDay(today)} is used instead.`;
  return {
    from,
    until: last + DAY_S,
    from_date: isoDay(from),
    to_date: isoDay(last),
    warnings: is_future ? [{ code: "DATE_CLAMPED", message }] : [],
  };
};

/** The days that the windows of several networks span; the requested ones without any window. */
export const rangeOver = (windows: readonly DateWindow[], { from_date, to_date }: DayBounds) => {
  const dayOr = (day: number | undefined): string => (day === undefined ? "" : isoDay(day));
  return {
    from: windows.map((window) => window.from_date).sort()[0] ?? dayOr(from_date),
    to:
      windows
        .map((window) => window.to_date)
        .sort()
        .at(-1) ?? dayOr(to_date),
  };
};
