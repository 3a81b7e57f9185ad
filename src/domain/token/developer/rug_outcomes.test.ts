import { describe, expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { DAY_S } from "../../../lib/time.ts";
import {
  couldBeRug,
  heaviestPeriods,
  judgeRecord,
  medianOf,
  type PoolEvent,
  priceFallPercent,
  type RugEvent,
  rugRatePercent,
  type TokenRecord,
} from "./rug_outcomes.ts";

const NOW = 100 * DAY_S;
const event = (day: number, amount: bigint): PoolEvent => ({
  time: day * DAY_S,
  block_number: Math.round(day * 100),
  tx_hash: named(`${day}`),
  amount,
});
const rug_event = (more: Partial<RugEvent> & { readonly percent: bigint }): RugEvent => ({
  cause: "liquidity_removal",
  spell: { events: [event(20, more.percent)], amount: more.percent },
  whole: 100n,
  price_before: 10,
  price_after: 0,
  ...more,
});
const LIVING: TokenRecord = {
  created_s: 10 * DAY_S,
  now_s: NOW,
  was_listed: true,
  last_swap_s: 99 * DAY_S,
  depth_usd: 10_000,
  rug_events: [],
  mints: [],
  replay: null,
  is_drained: false,
  is_counterfeit: false,
};
const outcomeOf = (more: Partial<TokenRecord>) => judgeRecord({ ...LIVING, ...more });

describe("a spell", () => {
  test("is the heaviest day", () => {
    // Day 1: 10; days 5 and 5.5 together 50; day 9: 30, the last.
    const events = [event(1, 10n), event(5, 20n), event(5.5, 30n), event(9, 30n)];
    expect(heaviestPeriods(events).map(({ amount }) => amount)).toEqual([50n, 30n]);
  });

  test("includes an event exactly one day later, and no later one", () => {
    expect(heaviestPeriods([event(1, 10n), event(2, 10n)]).map(({ amount }) => amount)).toEqual([20n]);
    expect(heaviestPeriods([event(1, 10n), event(2.01, 9n)]).map(({ amount }) => amount)).toEqual([10n, 9n]);
  });

  test("is empty without events", () => {
    expect(heaviestPeriods([])).toEqual([]);
  });
});

describe("rugged", () => {
  test("is a removal of 80 % of the liquidity with a price fall of 80 %", () => {
    expect(outcomeOf({ rug_events: [rug_event({ percent: 80n, price_after: 2 })] })).toMatchObject({
      outcome: "rugged",
      cause: "liquidity_removal",
      ended_s: 20 * DAY_S,
      events: [{ tx_hash: "20" }],
    });
  });

  test.each([
    ["a smaller removal", { percent: 79n }],
    ["a smaller price fall", { percent: 100n, price_after: 2.01 }],
    ["an unknown price", { percent: 100n, price_after: null }],
    ["a token that never had a price", { percent: 100n, price_before: 0 }],
  ])("is no removal of liquidity when %s", (_, more) => {
    expect(outcomeOf({ rug_events: [rug_event(more)] }).outcome).toBe("alive");
  });

  test("is a sale of 30 % of the supply with a price fall of 80 %", () => {
    const sale = (percent: bigint): RugEvent => rug_event({ cause: "creator_sale", percent, price_after: 1 });
    expect(outcomeOf({ rug_events: [sale(30n)] })).toMatchObject({ outcome: "rugged", cause: "creator_sale" });
    expect(outcomeOf({ rug_events: [sale(29n)] }).outcome).toBe("alive");
  });

  test("is a mint of half of the supply to the developer", () => {
    const mint = (amount: bigint) => ({ mints: [{ ...event(30, amount), supply_before: 100n }] });
    expect(outcomeOf(mint(50n))).toMatchObject({ outcome: "rugged", cause: "hidden_mint", ended_s: 30 * DAY_S });
    expect(outcomeOf(mint(49n)).outcome).toBe("alive");
  });

  test("is a token that nine of ten holders can no longer sell", () => {
    expect(outcomeOf({ replay: { tested: 10, failed: 9 } })).toMatchObject({ outcome: "rugged", cause: "honeypot" });
    expect(outcomeOf({ replay: { tested: 10, failed: 8 } }).outcome).toBe("alive");
    expect(outcomeOf({ replay: { tested: 0, failed: 0 } }).outcome).toBe("alive");
  });

  test("counts from the first rug, and also for a token of yesterday", () => {
    const late = rug_event({ percent: 100n, spell: { events: [event(40, 100n)], amount: 100n } });
    expect(outcomeOf({ rug_events: [late, rug_event({ percent: 90n })] }).ended_s).toBe(20 * DAY_S);
    expect(outcomeOf({ created_s: 99 * DAY_S, rug_events: [late] }).outcome).toBe("rugged");
  });
});

test("is undecided at an unknown price if enough was taken", () => {
  const could = (more: Partial<RugEvent> & { readonly percent?: bigint }) =>
    couldBeRug({ ...LIVING, rug_events: [rug_event({ percent: 80n, ...more })] });
  expect(could({ price_after: null })).toBe(true);
  expect(could({ price_before: null })).toBe(true);
  expect(could({ percent: 79n, price_after: null })).toBe(false);
  expect(could({ price_after: 9 })).toBe(false);
  expect(could({ price_before: 0, price_after: null })).toBe(false);
});

describe("without a rug", () => {
  test("a token is too new within its first week", () => {
    expect(outcomeOf({ created_s: NOW - 7 * DAY_S + 1 }).outcome).toBe("too_new");
    expect(outcomeOf({ created_s: NOW - 7 * DAY_S }).outcome).toBe("alive");
  });

  test("a token is dead after 30 days without a swap and with less than 500 dollars", () => {
    const quiet = { last_swap_s: NOW - 30 * DAY_S, depth_usd: 499 };
    expect(outcomeOf(quiet)).toMatchObject({ outcome: "dead", ended_s: NOW - 30 * DAY_S });
    expect(outcomeOf({ ...quiet, depth_usd: 500 }).outcome).toBe("alive");
    expect(outcomeOf({ ...quiet, last_swap_s: NOW - 30 * DAY_S + 1 }).outcome).toBe("alive");
    expect(outcomeOf({ ...quiet, depth_usd: null }).outcome).toBeNull();
    // Never traded at all: quiet since its creation.
    expect(outcomeOf({ ...quiet, last_swap_s: null })).toMatchObject({ outcome: "dead", ended_s: 10 * DAY_S });
  });

  test("a token that no exchange ever traded has no outcome", () => {
    expect(outcomeOf({ was_listed: false, last_swap_s: null, depth_usd: null }).outcome).toBeNull();
  });
});

test("a price that rose did not fall", () => {
  expect(priceFallPercent(rug_event({ percent: 1n, price_before: 1, price_after: 3 }))).toBe(0);
  expect(priceFallPercent(rug_event({ percent: 1n, price_before: 4, price_after: 1 }))).toBe(75);
});

test("the rug rate covers the judged tokens", () => {
  // rugged, dead, alive, rugged: two of four; the young and the unlisted do not count.
  expect(rugRatePercent(["rugged", "dead", "alive", "rugged", "too_new", null])).toBe(50);
  expect(rugRatePercent(["too_new", null])).toBeNull();
});

test("the median of an even number is the mean of the two middle values", () => {
  expect(medianOf([9, 1, 5])).toBe(5);
  expect(medianOf([4, 1, 2, 9])).toBe(3);
  expect(medianOf([])).toBeNull();
});
