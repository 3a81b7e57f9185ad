import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { isTrade, paymentsOf } from "./value_events.ts";
import { type LedgerTransfer, valueEventsOf } from "./value_events_of.ts";

let position = 0;
const transfer = (source: string, destination: string, more: Partial<LedgerTransfer>): LedgerTransfer => ({
  block_number: 1,
  tx_index: 0,
  position: position++,
  time: 100,
  source: named(source),
  destination: named(destination),
  token: named("usdc"),
  is_collectible: false,
  bucket: named("usdc"),
  amount: 10n,
  usd: 10,
  is_limited: false,
  ...more,
});

const flagged = new Set([named("mixer")]);
const eventsOf = (transfers: readonly LedgerTransfer[]) =>
  valueEventsOf(transfers, {
    actors: new Set(["wallet", "purse"].map(named)),
    flagged,
    venueOf: (address) =>
      ["pool", "router"].includes(address) ? "service" : ["vault", "mixer"].includes(address) ? "contract" : null,
  });
const moved = (transfers: readonly LedgerTransfer[]) =>
  paymentsOf(eventsOf(transfers), flagged).map(({ source, destination, usd }) => [source, destination, usd]);
/** Trades as `[actor, gave, got]`, each side as `[asset, amount, part of the value]`. */
const traded = (transfers: readonly LedgerTransfer[]) =>
  eventsOf(transfers)
    .filter(isTrade)
    .map(({ actor, ...sides }) => [
      actor,
      ...[sides.gave, sides.got].map((side) => side.map(({ asset, amount, part }) => [asset, amount, part])),
    ]);

test("a transfer moves its amount, in the order of the chain", () => {
  const later = transfer("wallet", "purse", { block_number: 2, usd: 5 });
  expect(moved([later, transfer("a", "wallet", {})])).toEqual([
    ["a", "wallet", 10],
    ["wallet", "purse", 5],
  ]);
});

test("a swap with a service turns one asset into the other, and is no payment", () => {
  const gave = transfer("purse", "router", { bucket: "", usd: 100 });
  const got = transfer("pool", "purse", { bucket: "dai", usd: 97, amount: 97n });
  expect(moved([gave, got])).toEqual([]);
  expect(traded([gave, got])).toEqual([["purse", [["", 10, 1]], [["dai", 97, 1]]]]);
});

test("an asset without a price is worth what is missing to the other side", () => {
  const gave = transfer("purse", "router", { bucket: "", usd: 100 });
  const dai = transfer("pool", "purse", { bucket: "dai", usd: 25, amount: 25n });
  const receipt = transfer("pool", "purse", { bucket: "receipt", usd: null, amount: 3n });
  expect(traded([gave, receipt])).toEqual([["purse", [["", 10, 1]], [["receipt", 3, 1]]]]);
  // 25 of 100 in dollars, so the receipt is worth 75.
  expect(traded([gave, dai, receipt])).toEqual([
    [
      "purse",
      [["", 10, 1]],
      [
        ["dai", 25, 0.25],
        ["receipt", 3, 0.75],
      ],
    ],
  ]);
});

test("shares that come from the void are what a pool gives for a deposit", () => {
  const paid = [
    transfer("purse", "pool", { bucket: "", usd: 60 }),
    transfer("purse", "pool", { bucket: "dai", usd: 40 }),
  ];
  const shares = transfer("", "purse", { bucket: "shares", usd: null, amount: 7n });
  expect(traded([...paid, shares])).toEqual([
    [
      "purse",
      [
        ["", 10, 0.6],
        ["dai", 10, 0.4],
      ],
      [["shares", 7, 1]],
    ],
  ]);
});

test("a contract without a label trades only at prices: for a worthless coin it was paid", () => {
  const gave = transfer("purse", "vault", { bucket: "", usd: 100 });
  const junk = transfer("vault", "purse", { bucket: "junk", usd: null });
  expect(traded([gave, junk])).toEqual([]);
  expect(moved([gave, junk])).toEqual([["purse", "vault", 100]]);
  const got = (usd: number) => transfer("vault", "purse", { bucket: "dai", usd });
  expect(traded([gave, got(50)])).toHaveLength(1);
  expect(traded([gave, got(49)])).toEqual([]);
});

test("the trade comes before the payment of what it gave, and after the receipt of what it took", () => {
  const order = eventsOf([
    transfer("a", "purse", { bucket: "", usd: 100 }),
    transfer("purse", "router", { bucket: "", usd: 100 }),
    transfer("pool", "purse", { bucket: "dai", usd: 100 }),
    transfer("purse", "wallet", { bucket: "dai", usd: 100 }),
  ]);
  expect(order.map((event) => (isTrade(event) ? "trade" : `${event.source}>${event.destination}`))).toEqual([
    "a>purse",
    "trade",
    "purse>wallet",
  ]);
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

test("what pools do not take at its price is no payment, unless a flagged address moved it", () => {
  const thin = { bucket: named("thin"), usd: 5_100, is_limited: true };
  expect(moved([transfer("stranger", "wallet", thin), transfer("wallet", "stranger", thin)])).toEqual([]);
  expect(moved([transfer("mixer", "wallet", thin)])).toEqual([["mixer", "wallet", 5_100]]);
});
