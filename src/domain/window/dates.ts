import { AssayError } from "../../lib/errors.ts";
import { DAY_S, dayStart, iso, isoDay } from "../../lib/time.ts";
import type { Warning } from "../context.ts";

/** Dates of a caller, `YYYY-MM-DD`, both inclusive. */
export interface Dates {
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}

export interface DateWindow {
  /** Unix seconds; the first one inside. */
  readonly from: number;
  /** Unix seconds; the first one outside. */
  readonly until: number;
  readonly from_date: string;
  readonly to_date: string;
  readonly warnings: readonly Warning[];
}

/** 03: `from_date` omitted = `to_date` - 89 days. */
const DAYS_BACK = 89;

/** The sentence of a refusal, or null. `today`: the day that an omitted `to_date` stands for. */
export const checkDates = ({ from_date, to_date }: Dates, today: string): string | null => {
  if (from_date === undefined || from_date <= (to_date ?? today)) return null;
  return to_date === undefined
    ? `from_date ${from_date} lies after today, ${today}.`
    : `from_date ${from_date} lies after to_date ${to_date}.`;
};

const startOf = (day: string): number => {
  const start = dayStart(day);
  if (start === null) throw new RangeError(`binding let the day ${day} through`);
  return start;
};

/**
 * The window that dates mean at a block. `now`: that block's time; a later `to_date` becomes its day, with a warning.
 * Throws `AssayError` COVERAGE_INCOMPLETE when the whole window lies after it.
 */
export const dateWindow = ({ from_date, to_date }: Dates, now: number): DateWindow => {
  const today = isoDay(now);
  const is_future = to_date !== undefined && to_date > today;
  const last = to_date === undefined || is_future ? today : to_date;
  const first = from_date ?? isoDay(startOf(last) - DAYS_BACK * DAY_S);
  if (first > last) {
    const message = `from_date ${first} lies after the newest block (${iso(now)}): nothing of that window is known yet.`;
    throw new AssayError({ code: "COVERAGE_INCOMPLETE", message, public: message, retryable: true });
  }
  return {
    from: startOf(first),
    until: startOf(last) + DAY_S,
    from_date: first,
    to_date: last,
    warnings: is_future
      ? [
          {
            code: "DATE_CLAMPED",
            message: `to_date lies after the newest block (${iso(now)}); ${today} is used instead.`,
          },
        ]
      : [],
  };
};
