import { describe, expect, test } from "vitest";
import { buy, of, run, sell, TOKEN } from "../../../../test/wallet_scenario.ts";
import type { Disposal } from "./ledger.ts";
import { COST_BASES, type CostBasis } from "./position.ts";

/** 10 at 1, 10 at 3 and 10 at 2 dollars each; then 15 are sold at 4. */
const STORY = [buy(10, 10n, 10n), buy(20, 10n, 30n), buy(30, 10n, 20n), sell(40, 15n, 60n)];

const trading = (basis: CostBasis, story = STORY) => of(run(story, { basis })).trading;

describe("the cost of 15 of 30 units", () => {
  test.each([
    // 15 of 30 that cost 60.
    ["average", 30],
    // 10 at 1 and 5 at 3.
    ["fifo", 25],
    // 10 at 2 and 5 at 3.
    ["lifo", 35],
    // 10 at 3 and 5 at 2.
    ["hifo", 40],
  ] as const)("by %s is %i", (basis, cost) => {
    expect(trading(basis)).toMatchObject({ sold_usd: 60, cost_out_usd: cost, realized_usd: 60 - cost });
  });

  test.each(COST_BASES)("and that of the rest makes 60, by %s", (basis) => {
    const rest = trading(basis, [...STORY, sell(50, 15n, 60n)]);
    expect(rest).toMatchObject({ sold_usd: 120, cost_out_usd: 60, realized_usd: 60 });
  });
});

test("units of unknown cost leave last by highest cost, and of equal costs the oldest leaves first", () => {
  const parts: Disposal[] = [];
  run([buy(10, 2n, 4n), buy(20, 2n, 4n), sell(30, 3n, 9n), sell(40, 4n, 12n)], {
    ...{ basis: "hifo", openings: [{ bucket: TOKEN, amount: 5n, time: 15 }] },
    onDisposal: (part) => parts.push(part),
  });
  expect(
    parts
      .filter(({ bucket }) => bucket === TOKEN)
      .map(({ amount, acquired_at, cost_usd, disposed_at }) => [disposed_at, amount, acquired_at, cost_usd]),
  ).toEqual([
    [30, 2n, 10, 4],
    [30, 1n, 20, 2],
    [40, 1n, 20, 2],
    [40, 3n, 15, null],
  ]);
});

describe("the parts of a sale", () => {
  const partsOf = (basis: CostBasis, story = STORY): readonly object[] => {
    const parts: Disposal[] = [];
    run(story, { basis, onDisposal: (part) => parts.push(part) });
    return parts.flatMap(({ bucket, place: _, ...part }) => (bucket === TOKEN ? [part] : []));
  };

  test("are its lots, each with its share of the proceeds", () => {
    expect(partsOf("fifo")).toEqual([
      { amount: 10n, acquired_at: 10, held_s: 30, disposed_at: 40, proceeds_usd: 40, cost_usd: 10 },
      { amount: 5n, acquired_at: 20, held_s: 20, disposed_at: 40, proceeds_usd: 20, cost_usd: 15 },
    ]);
    expect(partsOf("lifo")).toMatchObject([
      { amount: 10n, acquired_at: 30, cost_usd: 20 },
      { amount: 5n, acquired_at: 20, cost_usd: 15 },
    ]);
  });

  test("by average cost are one, held for the mean time", () => {
    expect(partsOf("average")).toEqual([
      { amount: 15n, acquired_at: null, held_s: 20, disposed_at: 40, proceeds_usd: 60, cost_usd: 30 },
    ]);
  });

  test("name units that the wallet is not known to have had", () => {
    const story = [buy(10, 10n, 10n), sell(40, 15n, 60n)];
    const unseen = { amount: 5n, acquired_at: null, held_s: null, disposed_at: 40, proceeds_usd: 20, cost_usd: null };
    expect(partsOf("fifo", story)).toEqual([
      { amount: 10n, acquired_at: 10, held_s: 30, disposed_at: 40, proceeds_usd: 40, cost_usd: 10 },
      unseen,
    ]);
    expect(partsOf("average", story)).toEqual([
      { amount: 10n, acquired_at: null, held_s: 30, disposed_at: 40, proceeds_usd: 40, cost_usd: 10 },
      unseen,
    ]);
  });
});
