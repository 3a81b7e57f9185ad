import { describe, expect, test } from "vitest";
import { type Hex, hex, intToHex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../../../lib/time.ts";
import { automationScore, findPatterns, hasBotPattern, hasPayrollPattern, intervalCv } from "./pattern_matches.ts";
import { activityOf, cadenceOf, holdingOf, isHumanClock, isRound, median, passedIn } from "./patterns.ts";
import type { WalletTransaction } from "./transactions.ts";

const [TOKEN, USDC] = [hex("aa".repeat(20)), hex("cc".repeat(20))];
/** A Thursday, 1 January 2026. */
const T0 = Date.UTC(2026, 0, 1) / 1000;

const transaction = (time: number, facts: Partial<WalletTransaction> = {}): WalletTransaction => ({
  block_number: Math.floor(time / 12),
  tx_index: 0,
  row: time,
  time,
  is_own: true,
  type: "call",
  gained: new Map(),
  lost: new Map(),
  payees: 0,
  payers: 0,
  payee: "",
  payer: "",
  in_usd: 0,
  out_usd: 0,
  ...facts,
});
const send = (time: number, usd: number, payee = hex("01")) =>
  transaction(time, { type: "send", lost: new Map([[USDC, BigInt(usd)]]), out_usd: usd, payees: 1, payee });
const receive = (time: number, usd: number) =>
  transaction(time, {
    type: "receive",
    gained: new Map([[USDC, BigInt(usd)]]),
    in_usd: usd,
    payers: 1,
    payer: hex("02"),
    is_own: false,
  });
const swap = (time: number, [lost, out]: readonly [Hex, bigint], [gained, got]: readonly [Hex, bigint]) =>
  transaction(time, { type: "swap", lost: new Map([[lost, out]]), gained: new Map([[gained, got]]) });
const every = (seconds: number, count: number, of: (time: number) => WalletTransaction = transaction) =>
  Array.from({ length: count }, (_, i) => of(T0 + i * seconds));
const named = (transactions: readonly WalletTransaction[], exchanges: readonly Hex[] = []) =>
  findPatterns({ transactions, held: holdingOf(transactions), exchanges: new Set(exchanges) }).map(
    ({ pattern }) => pattern,
  );

describe("activity and cadence", () => {
  test("days, gaps and trend of a window", () => {
    // 30 days; 10 transactions on day 0, 20 on day 29. First third: 10, last third: 20, so +100 %.
    const transactions = [...every(60, 10), ...every(60, 20, (time) => transaction(time + 29 * DAY_S))];
    expect(activityOf(transactions, { from: T0, until: T0 + 30 * DAY_S })).toEqual({
      tx_count: 30,
      active_days: 2,
      active_days_percent: 100 / 15,
      tx_per_active_day: 15,
      longest_gap_days: 29,
      trend_percent: 100,
    });
  });

  test("a single transaction has neither gap nor trend", () => {
    expect(activityOf([transaction(T0)], { from: T0, until: T0 + DAY_S })).toMatchObject({
      longest_gap_days: null,
      trend_percent: null,
    });
  });

  test("hours and weekdays are UTC, the week begins on Monday", () => {
    const { hour_of_day_utc, day_of_week, hour_of_week_utc, peak_hours } = cadenceOf([
      transaction(T0 + 9 * HOUR_S),
      transaction(T0 + 9.5 * HOUR_S),
      transaction(T0 + 4 * DAY_S),
    ]);
    expect([hour_of_day_utc[9], hour_of_day_utc[0]]).toEqual([2, 1]);
    // Thursday twice, Monday once.
    expect(day_of_week).toEqual([1, 0, 0, 2, 0, 0, 0]);
    expect(peak_hours).toEqual([9]);
    // Thursday at 9: 3 * 24 + 9. Monday at 0.
    expect(hour_of_week_utc.flatMap((count, hour) => (count === 0 ? [] : [[hour, count]]))).toEqual([
      [0, 1],
      [81, 2],
    ]);
  });

  test("has no cadence below thirty transactions", () => {
    expect(cadenceOf(every(60, 29))).toMatchObject({
      median_interval_seconds: null,
      interval_cv: null,
      inferred_utc_offset: null,
    });
    expect(cadenceOf(every(60, 30))).toMatchObject({ median_interval_seconds: 60, interval_cv: 0 });
  });

  test("places the quiet hours at night", () => {
    // Active from 14 to 21 UTC: quiet from 22 to 13, 16 hours, middle 6. Night at 3.5: 2.5 hours west, rounded.
    const own = Array.from({ length: 40 }, (_, i) =>
      transaction(T0 + Math.floor(i / 8) * DAY_S + (14 + (i % 8)) * HOUR_S),
    );
    expect(cadenceOf(own).inferred_utc_offset?.offset_hours).toBe(-2);
  });

  test("a clock with a night and few hours is human, an even one is not", () => {
    const hours = (busy: readonly number[]) => Array.from({ length: 24 }, (_, hour) => (busy.includes(hour) ? 10 : 0));
    // Four equal hours: 2 bits of 4.58, 44 %. All hours: 100 %.
    expect(isHumanClock(hours([9, 10, 11, 12]))).toBe(true);
    expect(isHumanClock(hours(Array.from({ length: 24 }, (_, i) => i)))).toBe(false);
  });

  test("the median of an even number is the mean of the middle ones, of an empty list null", () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, null]);
  });

  test("intervals of 10 and 30 vary by half their mean", () => {
    // Mean 20, deviation 10.
    expect(intervalCv([transaction(0), transaction(10), transaction(40)])).toBe(0.5);
  });
});

describe("holding", () => {
  test("the first inflow leaves first", () => {
    // 100 at hour 0, 100 at hour 1; 150 leave at hour 2: 100 stayed 2 hours, 50 one hour. Half of 150 is 75: 2 hours.
    const transactions = [receive(T0, 100), receive(T0 + HOUR_S, 100), send(T0 + 2 * HOUR_S, 150)];
    const held = holdingOf(transactions);
    expect(held.median_hold_hours).toBe(2);
    // The newest 100 left within an hour of arrival; the other 50 had stayed for two.
    expect(held.passed_usd).toBe(100);
    expect(held.passed.map(({ time }) => time)).toEqual([T0 + HOUR_S]);
    expect(passedIn(transactions)).toEqual(held.passed);
  });

  test("without receipts no holding time is known", () => {
    expect(holdingOf([send(T0, 5)])).toEqual({ passed_usd: 0, median_hold_hours: null, passed: [] });
  });
});

describe("patterns", () => {
  const passing = (rounds: number) =>
    Array.from({ length: rounds }, (_, i) => [receive(T0 + i * DAY_S, 100), send(T0 + i * DAY_S + 600, 96)]).flat();

  test("five inflows that leave within the hour are a pass-through, four are not", () => {
    expect(named(passing(5))).toContain("pass_through");
    expect(named(passing(4))).not.toContain("pass_through");
  });

  const cycle = (day: number, sold = 1000n) => [
    swap(T0 + day * DAY_S, [USDC, 5n], [TOKEN, 1000n]),
    swap(T0 + day * DAY_S + HOUR_S, [TOKEN, sold], [USDC, 5n]),
  ];

  test("three round trips within a day are wash trading, two are not, nor are three that keep 2 %", () => {
    expect(named([0, 1, 2].flatMap((day) => cycle(day)))).toContain("wash_trading");
    expect(named([0, 1].flatMap((day) => cycle(day)))).not.toContain("wash_trading");
    expect(named([0, 1, 2].flatMap((day) => cycle(day, 980n)))).not.toContain("wash_trading");
    expect(named([0, 1, 2].flatMap((day) => cycle(day, 990n)))).toContain("wash_trading");
  });

  test("twenty equal purchases at equal intervals are dollar-cost averaging", () => {
    const buys = (count: number) => every(DAY_S, count, (time) => swap(time, [USDC, 5n], [TOKEN, 1n]));
    expect(named(buys(20))).toContain("dca");
    expect(named(buys(19))).not.toContain("dca");
  });

  test("weekly payments to several people are a payroll", () => {
    const run = every(7 * DAY_S, 20, (time) => ({ ...send(time, 100), payees: 5 }));
    expect(findPatterns({ transactions: run, held: holdingOf(run), exchanges: new Set() })).toMatchObject([
      { pattern: "periodic_payroll", confidence: 0.9 },
    ]);
    expect([hasPayrollPattern(run), hasPayrollPattern(run.slice(1))]).toEqual([true, false]);
  });

  test("three payments to a labelled exchange make a depositor", () => {
    const paid = [0, 5, 9].map((day) => send(T0 + day * DAY_S, 100, hex("ee")));
    expect(named(paid, [hex("ee")])).toContain("cex_depositor");
    expect(named(paid.slice(1), [hex("ee")])).not.toContain("cex_depositor");
    expect(named(paid)).not.toContain("cex_depositor");
  });

  test("twenty addresses in one day are a fan", () => {
    const day = (count: number) =>
      Array.from({ length: count }, (_, i) => send(T0 + i * 60, 1, intToHex(BigInt(i), 20)));
    expect(named(day(20))).toContain("fan_out");
    expect(named(day(19))).not.toContain("fan_out");
  });

  test("half a year of silence and a return is shown by the transactions at both ends", () => {
    const [pattern] = findPatterns({
      transactions: [transaction(T0), transaction(T0 + 180 * DAY_S)],
      held: holdingOf([]),
      exchanges: new Set(),
    });
    expect([pattern?.pattern, pattern?.transactions.map(({ time }) => time)]).toEqual([
      "dormant_reactivated",
      [T0, T0 + 180 * DAY_S],
    ]);
  });

  test("three blocks that sandwich another account's transaction show a bot", () => {
    const sandwich = (block_number: number) => [
      { ...swap(T0, [USDC, 5n], [TOKEN, 9n]), block_number, tx_index: 1 },
      { ...swap(T0, [TOKEN, 9n], [USDC, 6n]), block_number, tx_index: 3 },
    ];
    expect(hasBotPattern([1, 2, 3].flatMap(sandwich))).toBe(true);
    expect(hasBotPattern([1, 2].flatMap(sandwich))).toBe(false);
  });

  test("a transaction a minute around the clock shows a bot", () => {
    const own = every(60, 24 * 60);
    // All hours, short intervals, regular ones; five transactions a minute apart share no block.
    expect(automationScore(own)).toBe(80);
    expect(named(own)).toContain("bot_like");
    expect(automationScore(own.slice(0, 29))).toBeNull();
    expect(named(own.slice(0, 29))).toEqual([]);
    expect([hasBotPattern(own), hasBotPattern(own.slice(0, 29))]).toEqual([true, false]);
  });
});

test("round amounts have at most two digits before the zeros", () => {
  expect([100n, 2_500n, 1n, 1_234n, 0n].map(isRound)).toEqual([true, true, true, false, false]);
});
