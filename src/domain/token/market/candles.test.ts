import { expect, test } from "vitest";
import { DAY_S, HOUR_S } from "../../../lib/time.ts";
import { candlesOf } from "./candles.ts";

/** Midnight of 1 January 2026, UTC. */
const T0 = Date.UTC(2026, 0, 1) / 1000;

const at = (prices: Readonly<Record<number, number>>) => ({
  at: (time: number) => prices[(time - T0) / HOUR_S] ?? null,
});

test("a candle opens at the price of the hour before it and closes at its last one", () => {
  // Hours 0 to 23 end with hour 23; six hours of a week's candle begin 7 days before the end of that hour.
  const week = candlesOf(at({ 17: 10, 18: 12, 20: 8, 22: 11 }), T0 + 23.5 * HOUR_S, 7 * DAY_S);
  expect(week).toHaveLength(28);
  expect(week.at(-1)).toEqual({
    from: "2026-01-01T18:00:00Z",
    to: "2026-01-02T00:00:00Z",
    open_usd: 10,
    high_usd: 12,
    low_usd: 8,
    close_usd: 11,
  });
  // Only hour 17, with no price before it.
  expect(week.at(-2)).toMatchObject({ open_usd: 10, high_usd: 10, low_usd: 10, close_usd: 10 });
});

test("a candle without a price in any of its hours is null", () => {
  const [first, second] = candlesOf(at({ 0: 3 }), T0 + HOUR_S, 2 * HOUR_S);
  expect(first).toMatchObject({ open_usd: 3, close_usd: 3 });
  // The hour before has a price, and this one has none.
  expect(second).toMatchObject({ open_usd: null, high_usd: null, low_usd: null, close_usd: null });
});

test("a day has 24 candles, thirty days have 30", () => {
  expect(candlesOf(at({}), T0, DAY_S)).toHaveLength(24);
  expect(candlesOf(at({}), T0, 30 * DAY_S)).toHaveLength(30);
});
