import { DAY_S, HOUR_S, hourOf, iso } from "../../../lib/time.ts";
import type { PriceHistory } from "./read.ts";

/** Hourly prices of one interval; all null when no hour in it has one. */
export interface Candle {
  from: string;
  to: string;
  open_usd: number | null;
  high_usd: number | null;
  low_usd: number | null;
  close_usd: number | null;
}

/** Length of one candle: at most 30 of them make a timeframe. */
const stepOf = (period_s: number): number => {
  if (period_s <= DAY_S) return HOUR_S;
  return period_s <= 7 * DAY_S ? 6 * HOUR_S : DAY_S;
};

/** The candle that begins at `from`. It opens at the price of the hour before it, if that has one, so that candles join. */
export const candleOf = (history: Pick<PriceHistory, "at">, from: number, step: number): Candle => {
  const inside = Array.from({ length: step / HOUR_S }, (_, hour) => history.at(from + hour * HOUR_S)).filter(
    (price) => price !== null,
  );
  const stretch = { from: iso(from), to: iso(from + step) };
  const [first] = inside;
  if (first === undefined) return { ...stretch, open_usd: null, high_usd: null, low_usd: null, close_usd: null };
  const open = history.at(from - HOUR_S) ?? first;
  return {
    ...stretch,
    open_usd: open,
    high_usd: Math.max(open, ...inside),
    low_usd: Math.min(open, ...inside),
    close_usd: inside.at(-1) ?? first,
  };
};

/** Splits the timeframe into candles of equal length; the last one ends with the hour of `end`. */
export const candlesOf = (history: Pick<PriceHistory, "at">, end: number, period_s: number): Candle[] => {
  const step = stepOf(period_s);
  const until = hourOf(end) + HOUR_S;
  return Array.from({ length: Math.round(period_s / step) }, (_, i) =>
    candleOf(history, until - period_s + i * step, step),
  );
};
