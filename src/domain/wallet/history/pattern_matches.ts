import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../../../lib/time.ts";
import { cadenceOf, intervalsOf, isHumanClock, median, type PassThrough, TRANSACTIONS_MIN } from "./patterns.ts";
import type { WalletTransaction } from "./transactions.ts";

export type PatternName =
  | "dca"
  | "periodic_payroll"
  | "pass_through"
  | "fan_out"
  | "fan_in"
  | "wash_trading"
  | "mev_bot"
  | "cex_depositor"
  | "dormant_reactivated"
  | "human_like"
  | "bot_like";

export interface PatternMatch {
  readonly pattern: PatternName;
  /** 0..1 */
  readonly confidence: number;
  /** Transactions that show the pattern, oldest first. */
  readonly transactions: readonly WalletTransaction[];
}

/** Evidence shown per pattern. */
const EVIDENCE_MAX = 10;
const patternMatch = (
  pattern: PatternName,
  confidence: number,
  transactions: readonly WalletTransaction[],
): PatternMatch => ({
  pattern,
  confidence,
  transactions: transactions.slice(-EVIDENCE_MAX),
});

/** Intervals with a coefficient of variation below this are regular. */
const PERIODIC_CV = 0.2;
const PERIODIC_MIN = 20;
/** A salary run pays several people. */
const PAYEES_MIN = 3;

/** Standard deviation of the intervals as a share of their mean; null for fewer than two. */
export const intervalCv = (transactions: readonly WalletTransaction[]): number | null => {
  const intervals = intervalsOf(transactions);
  if (intervals.length < 2) return null;
  const mean = intervals.reduce((sum, one) => sum + one, 0) / intervals.length;
  if (mean === 0) return null;
  return Math.sqrt(intervals.reduce((sum, one) => sum + (one - mean) ** 2, 0) / intervals.length) / mean;
};

const isPeriodic = (transactions: readonly WalletTransaction[]): boolean => {
  const cv = intervalCv(transactions);
  return (
    transactions.length >= PERIODIC_MIN &&
    cv !== null &&
    cv < PERIODIC_CV &&
    (median(intervalsOf(transactions)) ?? 0) >= HOUR_S
  );
};

const grouped = <K extends string | number>(
  transactions: readonly WalletTransaction[],
  keyOf: (transaction: WalletTransaction) => K | null,
): ReadonlyMap<K, WalletTransaction[]> => {
  const groups = new Map<K, WalletTransaction[]>();
  for (const transaction of transactions) {
    const key = keyOf(transaction);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [transaction]);
    else group.push(transaction);
  }
  return groups;
};

/** Maximum of a list that may be too long for function arguments. */
const largestOf = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

/** The only token of a side, or null. */
const only = (side: ReadonlyMap<Hex, bigint>): Hex | null => {
  const [token] = side.keys();
  return side.size === 1 && token !== undefined ? token : null;
};

/** The same token bought for the same token at equal intervals. */
const dca = (transactions: readonly WalletTransaction[]): readonly PatternMatch[] =>
  [
    ...grouped(transactions, (transaction) => {
      const [bought, paid] = [only(transaction.gained), only(transaction.lost)];
      return transaction.is_own && transaction.type === "swap" && bought !== null && paid !== null
        ? `${bought}:${paid}`
        : null;
    }).values(),
  ]
    .filter(isPeriodic)
    .map((run) => patternMatch("dca", 0.8, run));

/** Sends to the same address at equal intervals, or to several people at once. */
const payroll = (transactions: readonly WalletTransaction[]): readonly PatternMatch[] => {
  const sends = transactions.filter(
    (transaction) => transaction.is_own && transaction.type === "send" && transaction.payees > 0,
  );
  const many = sends.filter(({ payees }) => payees >= PAYEES_MIN);
  if (isPeriodic(many)) return [patternMatch("periodic_payroll", 0.9, many)];
  const single = [...grouped(sends, ({ payees, payee }) => (payees === 1 ? payee : null)).values()].filter(isPeriodic);
  return single.slice(0, 1).map((run) => patternMatch("periodic_payroll", 0.6, run));
};

/** At least 95 % of an inflow leaves within an hour, at least five times. */
const PASSED_MIN = 5;
const passThrough = (held: PassThrough): readonly PatternMatch[] =>
  held.passed.length < PASSED_MIN
    ? []
    : [patternMatch("pass_through", Math.min(0.95, 0.6 + held.passed.length / 50), held.passed)];

/** Distinct recipients, or distinct payers, in the transactions of one day. */
const FAN_MIN = 20;
const fan = (transactions: readonly WalletTransaction[], side: "payee" | "payer"): readonly PatternMatch[] => {
  const moves = transactions.filter(({ type }) => type === (side === "payee" ? "send" : "receive"));
  const days = [...grouped(moves, ({ time }) => Math.floor(time / DAY_S)).values()];
  const wide = days.find((day) => {
    const single = new Set(day.map((transaction) => transaction[side]).filter((address) => address !== "")).size;
    const most = largestOf(day.map((transaction) => (side === "payee" ? transaction.payees : transaction.payers)));
    return Math.max(single, most) >= FAN_MIN;
  });
  return wide === undefined ? [] : [patternMatch(side === "payee" ? "fan_out" : "fan_in", 0.8, wide)];
};

/** Bought and sold again within a day with at most 1 % left, at least three times. */
const WASH_CYCLES_MIN = 3;
const isClosed = (bought: bigint, sold: bigint): boolean => {
  const gap = bought > sold ? bought - sold : sold - bought;
  return gap * 100n <= bought;
};

/** Purchases each followed within a day by the sale of the same amount of the same token, by token. */
const washes = (transactions: readonly WalletTransaction[]): readonly PatternMatch[] => {
  const swaps = transactions.filter(({ is_own, type }) => is_own && type === "swap");
  const cycles = new Map<Hex, WalletTransaction[]>();
  const open = new Map<Hex, WalletTransaction>();
  for (const swap of swaps) {
    const [bought, sold] = [only(swap.gained), only(swap.lost)];
    const before = sold === null ? undefined : open.get(sold);
    if (sold !== null && before !== undefined) {
      const is_cycle =
        swap.time - before.time <= DAY_S && isClosed(before.gained.get(sold) ?? 0n, swap.lost.get(sold) ?? 0n);
      const cycle = cycles.get(sold) ?? [];
      if (is_cycle) cycle.push(before, swap);
      cycles.set(sold, cycle);
      open.delete(sold);
    }
    if (bought !== null && bought !== "") open.set(bought, swap);
  }
  return [...cycles.values()]
    .filter((cycle) => cycle.length >= 2 * WASH_CYCLES_MIN)
    .map((cycle) => patternMatch("wash_trading", Math.min(0.95, 0.5 + cycle.length / 20), cycle));
};

/** A buy and a sale in one block: before another account's transaction and after it. */
const SANDWICHES_MIN = 3;
const mev = (transactions: readonly WalletTransaction[]): readonly PatternMatch[] => {
  const swaps = transactions.filter(({ is_own, type }) => is_own && type === "swap");
  const pairs = [...grouped(swaps, ({ block_number }) => block_number).values()].filter((block) =>
    block.some((a) =>
      block.some((b) => b.tx_index > a.tx_index + 1 && [...a.gained.keys()].some((token) => b.lost.has(token))),
    ),
  );
  return pairs.length < SANDWICHES_MIN ? [] : [patternMatch("mev_bot", 0.8, pairs.flat())];
};

/** Payments to labelled exchanges or their deposit addresses. */
const DEPOSITS_MIN = 3;
const deposits = (transactions: readonly WalletTransaction[], exchanges: ReadonlySet<Hex>): readonly PatternMatch[] => {
  const paid = transactions.filter(
    ({ type, payee, payees }) => type === "send" && payees === 1 && exchanges.has(payee),
  );
  return paid.length < DEPOSITS_MIN ? [] : [patternMatch("cex_depositor", 0.9, paid)];
};

const DORMANT_S = 180 * DAY_S;
const dormant = (transactions: readonly WalletTransaction[]): readonly PatternMatch[] => {
  const own = transactions.filter(({ is_own }) => is_own);
  const at = own.findIndex(
    (transaction, i) => i > 0 && transaction.time - (own[i - 1]?.time ?? transaction.time) >= DORMANT_S,
  );
  return at < 0 ? [] : [patternMatch("dormant_reactivated", 1, own.slice(at - 1, at + 1))];
};

/** Interval in seconds, and transactions per block, that a person does not reach. */
const BOT_INTERVAL_S = 120;
const BOT_PER_BLOCK = 3;

/** Signs of automation, 0..100: no night, short intervals, several transactions in a block, regular intervals. */
export const automationScore = (own: readonly WalletTransaction[]): number | null => {
  if (own.length < TRANSACTIONS_MIN) return null;
  const { hour_of_day_utc, median_interval_seconds, interval_cv } = cadenceOf(own);
  const blocks = [...grouped(own, ({ block_number }) => block_number).values()];
  const busiest = largestOf(blocks.map(({ length }) => length));
  const points = [
    hour_of_day_utc.every((count) => count > 0) ? 30 : 0,
    median_interval_seconds !== null && median_interval_seconds < BOT_INTERVAL_S ? 30 : 0,
    busiest >= BOT_PER_BLOCK ? 20 : 0,
    interval_cv !== null && interval_cv < PERIODIC_CV ? 20 : 0,
  ];
  return points.reduce((sum, point) => sum + point, 0);
};

const persona = (own: readonly WalletTransaction[]): readonly PatternMatch[] => {
  if (own.length < TRANSACTIONS_MIN) return [];
  const { hour_of_day_utc, median_interval_seconds } = cadenceOf(own);
  const blocks = [...grouped(own, ({ block_number }) => block_number).values()];
  const crowded = blocks.filter(({ length }) => length >= BOT_PER_BLOCK).flat();
  const is_quick = median_interval_seconds !== null && median_interval_seconds < BOT_INTERVAL_S;
  const is_sleepless = hour_of_day_utc.every((count) => count > 0);
  const signs = [is_sleepless, is_quick, crowded.length > 0].filter(Boolean).length;
  if (signs > 0) return [patternMatch("bot_like", 0.4 + 0.2 * signs, crowded.length > 0 ? crowded : own)];
  return isHumanClock(hour_of_day_utc) ? [patternMatch("human_like", 0.6, own)] : [];
};

/** Reports whether a program acts, judged by the sequence of the wallet's own transactions. */
export const hasBotPattern = (transactions: readonly WalletTransaction[]): boolean =>
  [...mev(transactions), ...persona(transactions.filter(({ is_own }) => is_own))].some(
    ({ pattern }) => pattern === "mev_bot" || pattern === "bot_like",
  );

/** Reports whether the wallet pays at regular intervals. */
export const hasPayrollPattern = (transactions: readonly WalletTransaction[]): boolean =>
  payroll(transactions).length > 0;

export interface PatternFacts {
  /** Oldest first, in- and outgoing. */
  readonly transactions: readonly WalletTransaction[];
  readonly held: PassThrough;
  /** Addresses labelled as an exchange or deposit address. */
  readonly exchanges: ReadonlySet<Hex>;
}

/** Every pattern found, the most certain first, ties by name. */
export const findPatterns = ({ transactions, held, exchanges }: PatternFacts): readonly PatternMatch[] =>
  [
    ...dca(transactions),
    ...payroll(transactions),
    ...passThrough(held),
    ...fan(transactions, "payee"),
    ...fan(transactions, "payer"),
    ...washes(transactions),
    ...mev(transactions),
    ...deposits(transactions, exchanges),
    ...dormant(transactions),
    ...persona(transactions.filter(({ is_own }) => is_own)),
  ].sort((a, b) => b.confidence - a.confidence || (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0));
