import { describe, expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { effectsOf } from "./effects.ts";
import type { TrialState } from "./trials.ts";

const CALLER = hex("ca".repeat(20));
/** A supply of 10,000: the pool has 8,000, the caller 1,000, two holders 500 each. Everything works, without a tax. */
const BEFORE: TrialState = {
  ...{ supply: 10_000n, caller: 1_000n, victim: 500n, other: 500n, friend: 0n, payee: 8_000n, token: 0n },
  ...{ owner: null, allowance: 0n, native: 0n, is_replaced: false },
  ...{ victim_transfer: 1_000_000, other_transfer: 1_000_000, sale: 1_000_000, purchase: 1_000_000 },
};
const kindsOf = (more: Partial<TrialState>, before = BEFORE): readonly string[] =>
  effectsOf(before, { ...before, ...more }, CALLER).map(({ kind }) => kind);

describe("coins", () => {
  test("that appear are minted, with the supply or without it", () => {
    expect(kindsOf({ supply: 11_000n, caller: 2_000n })).toEqual(["mints"]);
    expect(kindsOf({ caller: 2_000n })).toEqual(["mints"]);
    // The caller paid a holder, or withdrew what the token itself had.
    expect(kindsOf({ caller: 900n, victim: 600n })).toEqual([]);
    expect(kindsOf({ caller: 1_100n, token: 0n }, { ...BEFORE, token: 100n })).toEqual([]);
  });

  test("that leave others are taken, from a holder or from the pool", () => {
    expect(kindsOf({ victim: 1n, supply: 9_501n })).toEqual(["takes_coins"]);
    expect(kindsOf({ victim: 0n, caller: 1_500n })).toEqual(["takes_coins"]);
    expect(kindsOf({ payee: 4_000n, caller: 5_000n })).toEqual(["drains_pool"]);
    expect(kindsOf({ allowance: 7n })).toEqual(["takes_allowance"]);
  });

  test("that all grow by the same ratio are rebased, and none was minted", () => {
    expect(kindsOf({ supply: 20_000n, caller: 2_000n, victim: 1_000n, other: 1_000n, payee: 16_000n })).toEqual([
      "rebases",
    ]);
  });
});

describe("steps that worked before", () => {
  test("are stopped for one holder, for all, or for sales and purchases", () => {
    expect(kindsOf({ victim_transfer: null, sale: null })).toEqual(["blocks_holder"]);
    expect(kindsOf({ victim_transfer: null, other_transfer: null, sale: null })).toEqual(["stops_transfers"]);
    expect(kindsOf({ sale: null })).toEqual(["stops_sales"]);
    expect(kindsOf({ purchase: null })).toEqual(["stops_purchases"]);
  });

  test("are stopped by a loss of more than 90 %", () => {
    expect(kindsOf({ sale: 99_999 })).toEqual(["stops_sales"]);
    expect(kindsOf({ sale: 100_000 })).toEqual(["raises_tax"]);
  });

  test("are not stopped by a holder that has nothing any more", () => {
    expect(kindsOf({ victim: 0n, supply: 9_500n, victim_transfer: null, sale: null })).toEqual(["takes_coins"]);
  });

  test("were never there for a token that is stopped already", () => {
    const stopped = { ...BEFORE, victim_transfer: null, other_transfer: null, sale: null };
    expect(kindsOf({}, stopped)).toEqual([]);
  });
});

test("a tax is raised for all, or for one holder; half a percent is rounding", () => {
  expect(effectsOf(BEFORE, { ...BEFORE, sale: 750_000 }, CALLER)).toEqual([{ kind: "raises_tax", percent: 25 }]);
  expect(effectsOf(BEFORE, { ...BEFORE, victim_transfer: 400_000, sale: 400_000 }, CALLER)).toEqual([
    { kind: "taxes_holder", percent: 60 },
  ]);
  expect(kindsOf({ sale: 995_000 })).toEqual([]);
  // Everyone pays 5 % in trades: so does a holder that is named as a pool.
  const taxed = { ...BEFORE, sale: 950_000, purchase: 950_000 };
  expect(kindsOf({ victim_transfer: 950_000 }, taxed)).toEqual([]);
  expect(kindsOf({ victim_transfer: 900_000 }, taxed)).toEqual(["taxes_holder"]);
});

test("the caller who becomes the owner takes the ownership; a new owner of his choice is no taking", () => {
  expect(kindsOf({ owner: BigInt(`0x${CALLER}`) })).toEqual(["takes_ownership"]);
  expect(kindsOf({ owner: 7n }, { ...BEFORE, owner: BigInt(`0x${CALLER}`) })).toEqual([]);
});

test("other code answers for the token, so no other effect counts", () => {
  expect(kindsOf({ is_replaced: true, supply: 0n, victim: 0n })).toEqual(["replaces_code"]);
});
