import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import type { Action } from "../actions/action.ts";
import { type BlockSwap, mevOf } from "./mev.ts";

const swap = (tx_hash: string, trader: string, tx_index: number, amount0: bigint): BlockSwap => ({
  ...{ tx_hash: named(tx_hash), trader: named(trader), tx_index, amount0, pool: named("p") },
});
const kinds = (swaps: readonly BlockSwap[]) =>
  ["front", "victim", "back"].map((tx_hash) => mevOf({ tx_hash: named(tx_hash), actions: [], swaps }).kind);

const FRONT = swap("front", "m", 0, 5n);
const VICTIM = swap("victim", "a", 1, 1n);
const BACK = swap("back", "m", 2, -5n);

test("one trader buys before and sells after another in one pool", () => {
  expect(kinds([FRONT, VICTIM, BACK])).toEqual(["sandwich_attacker", "sandwich_victim", "sandwich_attacker"]);
  expect(mevOf({ tx_hash: named("victim"), actions: [], swaps: [FRONT, VICTIM, BACK] }).related_tx).toEqual([
    "front",
    "back",
  ]);
});

test.each([
  ["the victim sells while the others buy and sell", [FRONT, { ...VICTIM, amount0: -1n }, BACK]],
  ["another trader sells after it", [FRONT, VICTIM, { ...BACK, trader: named("x") }]],
  ["the sale is in another pool", [FRONT, VICTIM, { ...BACK, pool: named("q") }]],
  ["all three are one trader's", [FRONT, { ...VICTIM, trader: named("m") }, BACK]],
  ["no trader sells after it", [FRONT, VICTIM]],
  ["both are before it", [FRONT, { ...BACK, tx_index: 0 }, VICTIM]],
])("it is no sandwich when %s", (_, swaps) => {
  expect(kinds(swaps)).toEqual([null, null, null]);
});

const action = (contract: string, given: [string, bigint], received: [string, bigint]): Action => ({
  ...{ type: "swap", protocol: null, actor: named("a"), contract: named(contract), log_index: 0 },
  given: [{ token: named(given[0]), token_id: null, amount: given[1] }],
  received: [{ token: named(received[0]), token_id: null, amount: received[1] }],
});

test("arbitrage ends with more of its first token, through two pools", () => {
  const kind = (actions: readonly Action[]) => mevOf({ tx_hash: named("x"), actions, swaps: null }).kind;
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("q", ["t", 5n], ["w", 11n])])).toBe("arbitrage");
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("q", ["t", 5n], ["w", 10n])])).toBeNull();
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("p", ["t", 5n], ["w", 11n])])).toBeNull();
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("q", ["t", 5n], ["u", 11n])])).toBeNull();
});
