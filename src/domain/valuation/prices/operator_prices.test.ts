import { expect, test } from "vitest";
import { OperatorPrices, operatorUses } from "./operator_prices.ts";

const HOUR = 1_800_000_000;
const at = (time: number, price_usd: number) => ({ time, price_usd });
const source = (id: string, points: readonly { time: number; price_usd: number }[], is_standing = false) => ({
  id,
  version: "v1",
  is_standing,
  series: [{ network: "n", token: "" as const, points }],
});
const opened = (...sources: readonly ReturnType<typeof source>[]) => {
  const prices = new OperatorPrices();
  prices.replace(sources);
  const snapshot = { network: "n" };
  return { prices, snapshot, of: (hour: number) => prices.at(snapshot, [""], hour)?.price_usd ?? null };
};

test("an hour has the newest price before its end, and a price is carried for a day", () => {
  // Written in any order; the last second of the hour counts, the first of the next does not.
  const { of } = opened(source("book", [at(HOUR + 3_600, 12), at(HOUR + 3_599, 11), at(HOUR, 10)]));
  expect([of(HOUR - 3_600), of(HOUR), of(HOUR + 3_600)]).toEqual([null, 11, 12]);
  // The newest price is of the hour HOUR + 3,600: it holds 24 hours later, but not an hour more.
  expect([of(HOUR + 3_600 + 86_400), of(HOUR + 7_200 + 86_400)]).toEqual([12, null]);
});

test("a fixed price holds at every time", () => {
  const { of, prices } = opened(source("fixed", [at(Number.NEGATIVE_INFINITY, 7)], true));
  expect([of(0), of(HOUR)]).toEqual([7, 7]);
  expect([prices.has("n"), prices.has("other")]).toEqual([true, false]);
});

test("of two sources the first one counts where it has a price, the second one elsewhere", () => {
  const { of, snapshot } = opened(source("a", [at(HOUR, 1)]), source("b", [at(HOUR - 3_600, 2)]));
  expect([of(HOUR - 3_600), of(HOUR)]).toEqual([2, 1]);
  expect(operatorUses(snapshot)).toEqual([
    { id: "a", version: "v1", time: HOUR },
    { id: "b", version: "v1", time: HOUR - 3_600 },
  ]);
  expect(operatorUses({ network: "n" })).toEqual([]);
});

test("a price has low confidence, because nothing on the chain backs it", () => {
  const { prices, snapshot } = opened(source("a", [at(HOUR, 1)]));
  expect(prices.at(snapshot, [""], HOUR)).toEqual({
    price_usd: 1,
    depth_usd: 0,
    cost_to_move_usd: null,
    sells: null,
    method: "operator",
    confidence: "low",
    hour: HOUR,
  });
});

test("the mark of the past does not change with a newer price, and changes with the version", () => {
  const { prices } = opened(source("a", [at(HOUR, 1)]));
  const before = prices.mark("n", HOUR);
  prices.replace([source("a", [at(HOUR, 1), at(HOUR + 1, 2)])]);
  expect(prices.mark("n", HOUR)).toBe(before);
  expect(prices.mark("n", HOUR + 1)).not.toBe(before);
  prices.replace([{ ...source("a", [at(HOUR, 1)]), version: "v2" }]);
  expect(prices.mark("n", HOUR)).not.toBe(before);
});
