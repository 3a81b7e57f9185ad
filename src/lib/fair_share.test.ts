import { describe, expect, test } from "vitest";
import { FairShare, interleave, RateBudget } from "./fair_share.ts";

describe("slots", () => {
  const share = () => new FairShare({ shared: 4, per_account: 3, accounts: 60 });

  test("stay within the maximum of an account, even when others are idle", () => {
    const one = share();
    expect(one.room("a")).toBe(3);
    expect([one.take("a"), one.take("a"), one.take("a"), one.take("a")]).toEqual([true, true, true, false]);
    one.free("a");
    expect(one.room("a")).toBe(1);
  });

  test("include one reserved slot for each account", () => {
    const one = share();
    for (let hostile = 0; hostile < 50; hostile += 1) while (one.take(`hostile ${hostile}`));
    // 50 first slots and the 4 shared ones.
    expect(one.room("hostile 49")).toBe(0);
    expect(one.take("victim")).toBe(true);
    expect(one.room("victim")).toBe(0);
  });

  test("return to the pool they came from", () => {
    const one = share();
    for (const account of ["a", "b", "c"]) while (one.take(account));
    // 3 + 3 + 1: c has its first slot, and the shared ones are in use.
    expect(["a", "b", "c"].map((account) => one.held(account))).toEqual([3, 3, 1]);
    for (let times = 0; times < 3; times += 1) one.free("a");
    expect([one.room("c"), one.room("a")]).toEqual([2, 3]);
  });

  test("are limited in total", () => {
    const one = new FairShare({ shared: 1, per_account: 2, accounts: 2 });
    expect(["a", "b", "c"].map((account) => one.take(account))).toEqual([true, true, false]);
  });
});

test("gives turns to the account with the fewest slots, then to the least recently served", () => {
  const share = new FairShare({ shared: 10, per_account: 5, accounts: 10 });
  expect(share.inTurn(["a", "b"])).toEqual(["a", "b"]);
  share.take("a");
  share.take("a");
  share.take("b");
  expect(share.inTurn(["a", "b", "new"])).toEqual(["new", "b", "a"]);
  for (const account of ["a", "a", "b"]) share.free(account);
  expect(share.inTurn(["b", "a", "new"])).toEqual(["new", "a", "b"]);
});

test("refills each account's budget over time", () => {
  const budget = new RateBudget({ times: 2, window_ms: 60 });
  budget.spend("a", 0);
  budget.spend("a", 30);
  expect([budget.left("a", 59), budget.left("b", 59), budget.left("a", 60), budget.left("a", 90)]).toEqual([
    0, 2, 1, 2,
  ]);
});

test("lets queues take turns and reads none ahead of its turn", () => {
  expect(interleave([["a1", "a2", "a3", "a4"], ["b1"], ["c1", "c2"]], 5)).toEqual(["a1", "b1", "c1", "a2", "c2"]);
  expect(interleave([["a1"], []], 5)).toEqual(["a1"]);
});
