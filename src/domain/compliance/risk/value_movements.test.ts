import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { type LedgerTransfer, valueMovementsOf } from "./value_movements.ts";

let position = 0;
const transfer = (source: string, destination: string, more: Partial<LedgerTransfer>): LedgerTransfer => ({
  block_number: 1,
  tx_index: 0,
  position: position++,
  time: 100,
  source: named(source),
  destination: named(destination),
  bucket: named("usdc"),
  amount: 10n,
  usd: 10,
  is_limited: false,
  ...more,
});

const moved = (transfers: readonly LedgerTransfer[]) =>
  valueMovementsOf(transfers, {
    actors: new Set(["wallet", "purse"].map(named)),
    flagged: new Set([named("mixer")]),
    isVenue: (address) => ["pool", "router", "mixer"].includes(address),
  }).map(({ source, destination, usd }) => [source, destination, usd]);

test("a transfer moves its amount, in the order of the chain", () => {
  const later = transfer("wallet", "purse", { block_number: 2, usd: 5 });
  expect(moved([later, transfer("a", "wallet", {})])).toEqual([
    ["a", "wallet", 10],
    ["wallet", "purse", 5],
  ]);
});

test("a swap moves only the difference of its sides", () => {
  const gave = transfer("purse", "router", { bucket: "", usd: 100 });
  expect(moved([gave, transfer("pool", "purse", { bucket: "dai", usd: 97 })])).toEqual([["purse", "", 3]]);
  expect(moved([gave, transfer("pool", "purse", { bucket: "dai", usd: 102 })])).toEqual([["", "purse", 2]]);
});

test("an unpriced side is worth what was given for it", () => {
  const gave = transfer("purse", "router", { bucket: "", usd: 100 });
  expect(moved([gave, transfer("pool", "purse", { bucket: "receipt", usd: null })])).toEqual([]);
});

test("change in the same coin is not a trade", () => {
  const paid = transfer("purse", "router", { bucket: "", usd: 100, amount: 100n });
  expect(moved([paid, transfer("router", "purse", { bucket: "", usd: 1, amount: 1n })])).toEqual([
    ["purse", "router", 100],
    ["router", "purse", 1],
  ]);
});

test("a gift of worthless coins in the same transaction does not hide a payment to a person", () => {
  const junk = transfer("pool", "purse", { bucket: "junk", usd: null });
  expect(moved([transfer("purse", "wallet", { usd: 500 }), junk])).toEqual([["purse", "wallet", 500]]);
});

test("a payment of a flagged address is never a side of a trade", () => {
  const given = transfer("mixer", "wallet", { bucket: "", usd: 100 });
  expect(moved([given, transfer("wallet", "router", { bucket: "usdc", usd: 1 })])).toEqual([
    ["mixer", "wallet", 100],
    ["wallet", "router", 1],
  ]);
});

test("what pools do not take at its price is no clean money, unless a flagged address moved it", () => {
  const thin = { bucket: named("thin"), usd: 5_100, is_limited: true };
  expect(moved([transfer("stranger", "wallet", thin), transfer("wallet", "stranger", thin)])).toEqual([]);
  expect(moved([transfer("mixer", "wallet", thin)])).toEqual([["mixer", "wallet", 5_100]]);
});

test("a trade against a token that pools do not take has no remainder", () => {
  const paid = transfer("wallet", "pool", { bucket: named("usdc"), usd: 1, amount: 1n });
  const got = { bucket: named("thin"), usd: 5_100, amount: 9n };
  expect(moved([paid, transfer("pool", "wallet", { ...got, is_limited: true })])).toEqual([]);
  // With a token that they take, the gain of 5,099 came in.
  expect(moved([paid, transfer("pool", "wallet", got)])).toEqual([["", "wallet", 5_099]]);
});
