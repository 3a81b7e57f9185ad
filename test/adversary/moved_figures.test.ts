import { expect, test } from "vitest";
import { movedFigures } from "./moved_figures.ts";

const OWN = "0x00000000000000000000000000000000badc0de1";
const NOTHING = { usd: 0, base_usd: 3_000, own: new Set([OWN]), own_usd: 10_000 };
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

test("lets a row about the player say what he has, and not more", () => {
  const row = (usd: number) => ({ top: [{ address: OWN, balance_usd: usd }] });
  expect(paths({ top: [] }, row(9_000))).toEqual([]);
  expect(paths({ top: [] }, row(90_000))).toEqual([`top.[${OWN}#0].balance_usd`]);
});
