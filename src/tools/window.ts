import { DAY_S, dayStart, isoDay } from "../lib/time.ts";
import type { Warning } from "./metadata.ts";

/** Days of PnL and transactions when no date is given: `from_date` = `to_date` - 89 days, both included. */
export const DAYS_DEFAULT = 90;

interface Dates {
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}

/** A range of whole UTC days, cut at the block that the answer speaks of. */
export interface Window {
  /** First second, unix. */
  readonly from: number;
  /** Last second that counts, unix: the end of the last day or the block's own time. */
  readonly to: number;
  /** As `metadata.date_range` says it. */
  readonly date_range: { readonly from: string; readonly to: string };
  readonly warnings: readonly Warning[];
}

/** Dates as seconds. `now` is the time of the answer's block. Binding has checked that the dates are days and in order. */
export const windowOf = (dates: Dates, now: number, days: number = DAYS_DEFAULT): Window => {
  const today = isoDay(now);
  const asked = dates.to_date ?? today;
  const is_future = asked > today;
  const last = is_future ? today : asked;
  const lastStart = dayStart(last) ?? now;
  const from = (dates.from_date === undefined ? null : dayStart(dates.from_date)) ?? lastStart - (days - 1) * DAY_S;
  return {
    from,
    to: Math.min(lastStart + DAY_S - 1, now),
    date_range: { from: isoDay(from), to: last },
    warnings:
      asked === last
        ? []
        : [{ code: "TO_DATE_CLAMPED", message: `to_date ${asked} lies after the newest block; ${last} was used.` }],
  };
};
