import { expect, test } from "vitest";
import { changePercent, type SignalValues, sharePercent, signalsOf, spreadPercent, zScore } from "./signals.ts";

const QUIET: SignalValues = {
  volume_spike: 0,
  liquidity_drop: 0,
  buy_pressure: 50,
  price_dislocation: 0,
  low_liquidity: 1_000_000,
  new_token: 400,
  wash_suspected: 0,
};

test("a quiet market has no signals and nothing unknown", () => {
  expect(signalsOf(QUIET)).toEqual({ signals: [], unknown: [] });
});

test("a value at its threshold is no signal, a value beyond it is one", () => {
  const at = { volume_spike: 3, liquidity_drop: -30, buy_pressure: 65, price_dislocation: 3 };
  expect(signalsOf({ ...QUIET, ...at, low_liquidity: 25_000, new_token: 7, wash_suspected: 20 }).signals).toEqual([]);
  const beyond = { volume_spike: 3.1, liquidity_drop: -31, buy_pressure: 66, price_dislocation: 3.1 };
  const { signals } = signalsOf({ ...QUIET, ...beyond, low_liquidity: 24_999, new_token: 6, wash_suspected: 21 });
  expect(signals.map(({ code }) => code)).toEqual(Object.keys(QUIET));
  expect(signals[1]).toEqual({ code: "liquidity_drop", value: -31, threshold: -30 });
});

test("an unknown value is no signal and is listed", () => {
  expect(signalsOf({ ...QUIET, new_token: null, low_liquidity: null })).toEqual({
    signals: [],
    unknown: ["low_liquidity", "new_token"],
  });
});

test("a z-score counts standard deviations from the mean of enough days", () => {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, variance 32 / 8 = 4. 13 is (13 - 5) / 2 = 4 above.
  expect(zScore(13, [2, 4, 4, 4, 5, 5, 7, 9])).toBe(4);
  expect(zScore(13, [2, 4, 4, 4, 5, 5])).toBeNull();
  expect(zScore(13, [5, 5, 5, 5, 5, 5, 5])).toBeNull();
});

test("changes, shares and spreads of an empty base are unknown, never 0", () => {
  expect(changePercent(150, 100)).toBe(50);
  expect([changePercent(1, 0), changePercent(null, 1), changePercent(1, null)]).toEqual([null, null, null]);
  expect(sharePercent(1, 4)).toBe(25);
  expect([sharePercent(1, 0), sharePercent(null, 1)]).toEqual([null, null]);
  expect(spreadPercent([100, 104, 102])).toBeCloseTo(4, 12);
  expect(spreadPercent([100])).toBeNull();
});
