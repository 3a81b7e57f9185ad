import { DAY_S, HOUR_S } from "../../../lib/time.ts";
import type { WalletTransaction } from "./transactions.ts";

/** Fewer transactions give neither a cadence nor a persona. */
export const TRANSACTIONS_MIN = 30;

/** Middle value; for an even number the mean of both middle ones. Null for an empty list. */
export const median = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) return null;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Seconds between neighbours, oldest first. */
export const intervalsOf = (transactions: readonly WalletTransaction[]): readonly number[] =>
  transactions.slice(1).map(({ time }, i) => time - (transactions[i]?.time ?? time));

export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** Activity by time. `transactions`: oldest first. */
export const activityOf = (transactions: readonly WalletTransaction[], { from, until }: Interval) => {
  const days = [...new Set(transactions.map(({ time }) => Math.floor(time / DAY_S)))].sort((a, b) => a - b);
  const gaps = days.slice(1).map((day, i) => day - (days[i] ?? day));
  const third = (until - from) / 3;
  const first = transactions.filter(({ time }) => time < from + third).length;
  const last = transactions.filter(({ time }) => time >= until - third).length;
  return {
    tx_count: transactions.length,
    active_days: days.length,
    active_days_percent: (100 * days.length) / Math.ceil((until - from) / DAY_S),
    tx_per_active_day: days.length === 0 ? 0 : transactions.length / days.length,
    longest_gap_days: days.length < 2 ? null : Math.max(...gaps),
    trend_percent: transactions.length < TRANSACTIONS_MIN || first === 0 ? null : 100 * (last / first - 1),
  };
};

/** 1 January 1970 was a Thursday; Monday is 0. */
const EPOCH_WEEKDAY = 3;
/** A person sleeps: at least this many hours in a row without a transaction. */
const SLEEP_HOURS_MIN = 5;
/** Middle of the night in local time; the middle of the sleep gap is placed there. */
const NIGHT_HOUR = 3.5;
/** Shannon entropy of the hours, as a share of its maximum, below which an account keeps personal hours. */
const HUMAN_ENTROPY_RATIO = 0.6;

const counted = (size: number, at: readonly number[]): number[] => {
  const counts = Array.from({ length: size }, () => 0);
  for (const i of at) counts[i] = (counts[i] ?? 0) + 1;
  return counts;
};

/** Longest run of empty hours around the clock, and its first hour. */
const sleepOf = (hours: readonly number[]): { readonly start: number; readonly length: number } => {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < hours.length; start += 1) {
    let length = 0;
    while (length < hours.length && hours[(start + length) % hours.length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
};

/** Shannon entropy as a share of the greatest possible one, 0..1. */
const entropyRatio = (counts: readonly number[]): number => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const bits = counts
    .filter((count) => count > 0)
    .reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
  return bits / Math.log2(counts.length);
};

const offsetOf = (hours: readonly number[], count: number) => {
  const { start, length } = sleepOf(hours);
  if (count < TRANSACTIONS_MIN || length < SLEEP_HOURS_MIN || length >= 20) return null;
  const middle = (start + length / 2) % 24;
  const shift = (((NIGHT_HOUR - middle) % 24) + 24) % 24;
  const offset_hours = Math.round(shift > 12 ? shift - 24 : shift);
  return { offset_hours, confidence: Math.min(0.9, (count / 200) * (length >= 7 ? 1 : 0.6)) };
};

/** Cadence of the wallet's own transactions. `own`: oldest first. */
export const cadenceOf = (own: readonly WalletTransaction[]) => {
  const hours = counted(
    24,
    own.map(({ time }) => Math.floor((time % DAY_S) / HOUR_S)),
  );
  const weekdays = counted(
    7,
    own.map(({ time }) => (Math.floor(time / DAY_S) + EPOCH_WEEKDAY) % 7),
  );
  const hours_of_week = counted(
    168,
    own.map(({ time }) => (Math.floor(time / HOUR_S) + 24 * EPOCH_WEEKDAY) % 168),
  );
  const intervals = intervalsOf(own);
  const average = intervals.length === 0 ? 0 : mean(intervals);
  const spread = average === 0 ? 0 : Math.sqrt(mean(intervals.map((one) => (one - average) ** 2)));
  const busiest = Math.max(...hours);
  return {
    hour_of_day_utc: hours,
    day_of_week: weekdays,
    hour_of_week_utc: hours_of_week,
    median_interval_seconds: own.length < TRANSACTIONS_MIN ? null : median(intervals),
    interval_cv: own.length < TRANSACTIONS_MIN || average === 0 ? null : spread / average,
    peak_hours: busiest === 0 ? [] : hours.flatMap((count, hour) => (count === busiest ? [hour] : [])),
    inferred_utc_offset: offsetOf(hours, own.length),
  };
};

/** Reports whether the hours of the day look like a person's: few active hours and a night without any. */
export const isHumanClock = (hours: readonly number[]): boolean =>
  entropyRatio(hours) < HUMAN_ENTROPY_RATIO && sleepOf(hours).length >= SLEEP_HOURS_MIN;

/** Longest stay of an inflow that counts as passed through. */
const PASS_THROUGH_S = HOUR_S;
/** Share of an inflow that has to leave. */
const PASSED_RATIO = 0.95;
/** USD that may remain in a lot that has left (rounding). */
const CENT = 0.01;

interface ReceivedLot {
  readonly transaction: WalletTransaction;
  readonly usd: number;
  left: number;
}

export interface PassThrough {
  /** USD that left within an hour of arrival; the newest leaves first. */
  readonly passed_usd: number;
  /** Weighted median of the holding time of USD in hours, the oldest leaving first; null when nothing left. */
  readonly median_hold_hours: number | null;
  /** Inflows of which at least 95 % left within the hour, oldest first. */
  readonly passed: readonly WalletTransaction[];
}

const weightedMedian = (stays: readonly { readonly hours: number; readonly usd: number }[]): number | null => {
  const sorted = [...stays].sort((a, b) => a.hours - b.hours);
  const half = sorted.reduce((sum, { usd }) => sum + usd, 0) / 2;
  let reached = 0;
  for (const { hours, usd } of sorted) {
    reached += usd;
    if (reached >= half) return hours;
  }
  return null;
};

/** Receipts and payments in USD, oldest first. Swaps exchange holdings, they do not end them. */
const usdMovementsOf = (transactions: readonly WalletTransaction[]) =>
  transactions
    .filter(({ gained, lost }) => gained.size === 0 || lost.size === 0)
    .map((transaction) => ({ transaction, net: (transaction.in_usd ?? 0) - (transaction.out_usd ?? 0) }))
    .filter(({ net }) => net !== 0);

type UsdMovements = ReturnType<typeof usdMovementsOf>;

const holdingHours = (moves: UsdMovements): number | null => {
  const lots: ReceivedLot[] = [];
  const stays: { hours: number; usd: number }[] = [];
  let next = 0;
  for (const { transaction, net } of moves) {
    if (net > 0) lots.push({ transaction, usd: net, left: net });
    let owed = Math.max(0, -net);
    for (let lot = lots[next]; lot !== undefined && owed > 0; lot = lots[next]) {
      const usd = Math.min(lot.left, owed);
      stays.push({ hours: (transaction.time - lot.transaction.time) / HOUR_S, usd });
      lot.left -= usd;
      owed -= usd;
      if (lot.left < CENT) next += 1;
      else break;
    }
  }
  return weightedMedian(stays);
};

const passedLots = (moves: UsdMovements): readonly ReceivedLot[] => {
  const lots: ReceivedLot[] = [];
  const recent: ReceivedLot[] = [];
  for (const { transaction, net } of moves) {
    if (net > 0) {
      const lot = { transaction, usd: net, left: net };
      lots.push(lot);
      recent.push(lot);
    }
    let owed = Math.max(0, -net);
    for (let lot = recent.at(-1); lot !== undefined && owed > 0; lot = recent.at(-1)) {
      if (transaction.time - lot.transaction.time > PASS_THROUGH_S) break;
      const usd = Math.min(lot.left, owed);
      lot.left -= usd;
      owed -= usd;
      if (lot.left > 0) break;
      recent.pop();
    }
  }
  return lots;
};

const passedOf = (lots: readonly ReceivedLot[]): PassThrough["passed"] =>
  lots.filter(({ usd, left }) => usd - left >= PASSED_RATIO * usd).map(({ transaction }) => transaction);

/** `Held.passed` alone. `transactions` oldest first. */
export const passedIn = (transactions: readonly WalletTransaction[]): PassThrough["passed"] =>
  passedOf(passedLots(usdMovementsOf(transactions)));

/** Holding time of inflows, and those that only passed through. `transactions` oldest first. */
export const holdingOf = (transactions: readonly WalletTransaction[]): PassThrough => {
  const moves = usdMovementsOf(transactions);
  const lots = passedLots(moves);
  return {
    passed_usd: lots.reduce((sum, { usd, left }) => sum + (usd - left), 0),
    median_hold_hours: holdingHours(moves),
    passed: passedOf(lots),
  };
};

/** At most two digits other than zero: 0.5, 100, 2,500. */
export const isRound = (raw: bigint): boolean => raw > 0n && raw.toString().replace(/0+$/, "").length <= 2;
