import { expect, test } from "vitest";
import type { Action } from "./actions/action.ts";
import { type BlockSwap, mevOf } from "./mev.ts";

const swap = (tx_hash: string, trader: string, tx_index: number, amount0: bigint, pool = "p"): BlockSwap => ({
  ...{ tx_hash, trader, tx_index, amount0, pool },
});
const kinds = (swaps: readonly BlockSwap[]) =>
  ["front", "victim", "back"].map((tx_hash) => mevOf({ tx_hash, actions: [], swaps }).kind);

const FRONT = swap("front", "m", 0, 5n);
const VICTIM = swap("victim", "a", 1, 1n);
const BACK = swap("back", "m", 2, -5n);

test("one trader buys before and sells behind another in one pool", () => {
  expect(kinds([FRONT, VICTIM, BACK])).toEqual(["sandwich_attacker", "sandwich_victim", "sandwich_attacker"]);
  expect(mevOf({ tx_hash: "victim", actions: [], swaps: [FRONT, VICTIM, BACK] }).related_tx).toEqual(["front", "back"]);
});

test.each([
  ["the victim sells while the others buy and sell", [FRONT, { ...VICTIM, amount0: -1n }, BACK]],
  ["somebody else sells behind", [FRONT, VICTIM, { ...BACK, trader: "x" }]],
  ["the sale is in another pool", [FRONT, VICTIM, { ...BACK, pool: "q" }]],
  ["all three are one trader's", [FRONT, { ...VICTIM, trader: "m" }, BACK]],
  ["nobody sells behind", [FRONT, VICTIM]],
  ["both stand before", [FRONT, { ...BACK, tx_index: 0 }, VICTIM]],
])("it is no sandwich when %s", (_, swaps) => {
  expect(kinds(swaps)).toEqual([null, null, null]);
});

const action = (contract: string, given: [string, bigint], received: [string, bigint]): Action => ({
  ...{ type: "swap", protocol: null, actor: "a", contract, log_index: 0 },
  given: [{ token: given[0], token_id: null, amount: given[1] }],
  received: [{ token: received[0], token_id: null, amount: received[1] }],
});

test("arbitrage ends in more of what it began with, through two pools", () => {
  const kind = (actions: readonly Action[]) => mevOf({ tx_hash: "x", actions, swaps: null }).kind;
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("q", ["t", 5n], ["w", 11n])])).toBe("arbitrage");
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("q", ["t", 5n], ["w", 10n])])).toBeNull();
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("p", ["t", 5n], ["w", 11n])])).toBeNull();
  expect(kind([action("p", ["w", 10n], ["t", 5n]), action("q", ["t", 5n], ["u", 11n])])).toBeNull();
});
