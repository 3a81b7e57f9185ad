import { expect, test } from "vitest";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { ranked, smartTrader, type TradeRecord } from "./smart_trader.ts";

const A = hex("aa".repeat(20));
const B = hex("bb".repeat(20));
const C = hex("cc".repeat(20));
/** Exactly at every threshold of the rule. */
const JUST: TradeRecord = {
  closed_trades: 20,
  tokens: 5,
  win_rate_percent: 55,
  realized_usd: 25_000,
  cost_coverage_percent: 80,
};

test("a record exactly at every threshold is smart", () => {
  expect(smartTrader(A, JUST)).toEqual({ ...JUST, address: A });
});

test.each([
  { closed_trades: 19 },
  { tokens: 4 },
  { win_rate_percent: 54.9 },
  { realized_usd: 24_999.99 },
  { cost_coverage_percent: 79.9 },
  { win_rate_percent: null },
  { cost_coverage_percent: null },
])("a record short of one threshold is not: %o", (short) => {
  expect(smartTrader(A, { ...JUST, ...short })).toBeNull();
});

test("the best come first, equals by address", () => {
  const of = (address: Hex, realized_usd: number) => ({
    ...JUST,
    address,
    realized_usd,
    win_rate_percent: 60,
    cost_coverage_percent: 90,
  });
  const order = ranked([of(C, 30_000), of(B, 30_000), of(A, 26_000)]).map(({ address }) => address);
  expect(order).toEqual([B, C, A]);
});
