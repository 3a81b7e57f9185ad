import { expect, test } from "vitest";
import { PRICE_RANK, type TradeLeg, valueTrade } from "./trade.ts";

const leg = (usd: number | null, rank: keyof typeof PRICE_RANK = "low", is_dust = false): TradeLeg => ({
  usd,
  is_dust,
  rank: usd === null ? 0 : PRICE_RANK[rank],
});

test("the stablecoin side sets the value even when the token's own price says otherwise", () => {
  expect(valueTrade([leg(70, "high")], [leg(100, "stablecoin")])).toEqual({ outs: [100], ins: [100] });
  expect(valueTrade([leg(100, "stablecoin")], [leg(70, "high")])).toEqual({ outs: [100], ins: [100] });
});

test("a side has the rank of its weakest leg", () => {
  // Stablecoin + low token (rank 1) against a medium token (rank 2): the medium side is the better one.
  const value = valueTrade([leg(50, "stablecoin"), leg(10, "low")], [leg(90, "medium")]);
  // 90 over the priced outs by USD: 90 * 50/60 and 90 * 10/60.
  expect(value).toEqual({ outs: [75, 15], ins: [90] });
});

test("when both sides rank alike the outgoing one sets the value", () => {
  expect(valueTrade([leg(40, "native")], [leg(60, "native")])).toEqual({ outs: [40], ins: [40] });
});

test("an unpriced leg takes the rest that the priced ones of its side leave", () => {
  expect(valueTrade([leg(100, "stablecoin")], [leg(60), leg(null), leg(null)])).toEqual({
    outs: [100],
    ins: [60, 20, 20],
  });
});

test("priced legs beyond the value are scaled down and leave nothing", () => {
  // 150 of 100: scaled by 2/3.
  const value = valueTrade([leg(100, "stablecoin")], [leg(90), leg(60), leg(null)]);
  expect(value?.ins[0]).toBeCloseTo(60, 12);
  expect(value?.ins[1]).toBeCloseTo(40, 12);
  expect(value?.ins[2]).toBe(0);
});

test("a side with one unpriced leg cannot set the value", () => {
  expect(valueTrade([leg(100, "stablecoin"), leg(null)], [leg(30, "low")])).toEqual({ outs: [30, 0], ins: [30] });
  expect(valueTrade([leg(null)], [leg(5), leg(null)])).toBeNull();
});

test("legs worth nothing share equally", () => {
  expect(valueTrade([leg(10, "stablecoin")], [leg(0), leg(0)])).toEqual({ outs: [10], ins: [5, 5] });
});
