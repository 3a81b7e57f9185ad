import { expect, test } from "vitest";
import { movedFigures } from "./moved_figures.ts";

const OWN = "0x00000000000000000000000000000000badc0de1";
const NOTHING = { usd: 0, base_usd: 3_000, own: new Set([OWN]), own_usd: 10_000, traded_usd: 0 };
const paths = (before: unknown, after: unknown, usd = 0) =>
  movedFigures(before, after, { ...NOTHING, usd }).map(({ path }) => path);

const wallet = (usd_value: number, more: readonly object[] = []) => ({
  total_value_usd: usd_value,
  holdings: [{ token_address: "0x01", usd_value, price_usd: 2_000 }, ...more],
  metadata: { as_of: { block_number: usd_value } },
});

test("finds USD beyond the allowance wherever they are, and no others", () => {
  expect(paths(wallet(10), wallet(10.5))).toEqual([]);
  expect(paths(wallet(10), wallet(20))).toEqual(["total_value_usd", "holdings.[0x01#0].usd_value"]);
  expect(paths(wallet(10), wallet(20), 9)).toEqual([]);
});

test("finds a new row's USD, but not the price and the stated product that only the player has", () => {
  const gift = { token_address: "0x02", price_usd: 5e9, spot_value_usd: 5e12 };
  expect(paths(wallet(10), wallet(10, [{ ...gift, usd_value: 0 }]))).toEqual([]);
  expect(paths(wallet(10), wallet(10, [{ ...gift, usd_value: 5_100 }]))).toEqual(["holdings.[0x02#0].usd_value"]);
});

test("finds prices, scores, shares, ranks and lost knowledge", () => {
  expect(paths({ price_usd: 100 }, { price_usd: 100.9 })).toEqual([]);
  expect(paths({ price_usd: 100 }, { price_usd: 102 })).toEqual(["price_usd"]);
  expect(paths({ price: { high_24h_usd: 1 } }, { price: { high_24h_usd: 2 } })).toEqual(["price.high_24h_usd"]);
  expect(paths({ risk_score: 100 }, { risk_score: 33 })).toEqual(["risk_score"]);
  expect(paths({ share_percent: 96.8 }, { share_percent: 0 })).toEqual(["share_percent"]);
  expect(paths({ rank: 1 }, { rank: 2 })).toEqual(["rank"]);
  expect(paths({ total_value_usd: 7 }, { total_value_usd: null })).toEqual(["total_value_usd"]);
});

test("finds rows that change places, and rows that are pushed out", () => {
  const rows = [
    { address: "0xa", total_usd: 30 },
    { address: "0xb", total_usd: 25 },
  ];
  expect(paths({ top: rows }, { top: rows.toReversed() })).toEqual(["top.(order)"]);
  expect(paths({ top: rows }, { top: [{ address: "0xc", total_usd: 0 }, rows[0]] })).toEqual(["top.[0xb#0].total_usd"]);
});

test("lets rows change places by the figure that orders them, however far other figures are apart", () => {
  const row = (address: string, gain_usd: number, bought_usd: number) => ({ address, gain_usd, bought_usd });
  const before = { top: [row("0xa", 3, 10), row("0xb", 2.5, 5_000)] };
  const after = { top: [row("0xb", 2.6, 5_000), row("0xa", 2.4, 10)] };
  expect(paths(before, after)).toEqual([]);
});

test("lets volumes move by the player's trades, and no other sum", () => {
  const sums = (usd: number) => ({ volume: { usd }, dex_buy_usd: usd, total_usd: usd });
  const allowance = { ...NOTHING, traded_usd: 500 };
  expect(movedFigures(sums(0), sums(400), allowance).map(({ path }) => path)).toEqual(["total_usd"]);
  expect(movedFigures(sums(0), sums(600), allowance).length).toBe(3);
});

test("compares the rows that two pages share", () => {
  const page = (has_more: boolean, data: readonly object[], total_usd: number) => ({
    ...{ pagination: { has_more_data: has_more }, data, total_usd },
  });
  const [kept, gone] = [
    { tx_hash: "0x1", usd_value: 5 },
    { tx_hash: "0x2", usd_value: 50 },
  ];
  expect(paths(page(false, [kept, gone], 55), page(true, [kept], 5))).toEqual([]);
  expect(paths(page(false, [kept, gone], 55), page(true, [{ ...kept, usd_value: 50 }], 50))).toEqual([
    "data.[0x1#0].usd_value",
  ]);
  expect(paths(page(false, [kept, gone], 55), page(false, [kept], 5)).length).toBe(2);
});

test("lets a row about the player say what he has, and not more", () => {
  const row = (usd: number) => ({ top: [{ address: OWN, balance_usd: usd }] });
  expect(paths({ top: [] }, row(9_000))).toEqual([]);
  expect(paths({ top: [] }, row(90_000))).toEqual([`top.[${OWN}#0].balance_usd`]);
});
