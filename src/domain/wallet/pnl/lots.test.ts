import { describe, expect, test } from "vitest";
import { buy, did, leg, of, run, sell, TOKEN, tx, VAULT } from "../../../../test/wallet_scenario.ts";
import type { Disposal } from "./ledger.ts";
import { addLot, copyLots, emptyLots, lotsCount, takeLots } from "./lots.ts";
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
    // Held before the first known movement: the day is unknown.
    [40, 3n, null, null],
  ]);
});

test("many lots of one cost leave in the order of acquisition, and are added in no time", () => {
  const lots = emptyLots("hifo");
  const count = 200_000;
  for (let since = 0; since < count; since += 1)
    addLot(lots, { quantity: 2n, cost_usd: since % 2 === 0 ? null : 2, since, is_opening: false });
  const taken = takeLots(lots, BigInt(count) + 3n);
  // The known costs first, the oldest of them first; then the oldest of the others.
  expect(taken.slice(0, 2).map(({ since }) => since)).toEqual([1, 3]);
  expect(taken.slice(-2).map(({ quantity, since, cost_usd }) => [quantity, since, cost_usd])).toEqual([
    [2n, 0, null],
    [1n, 2, null],
  ]);
  expect(lotsCount(copyLots(lots))).toBe(count / 2 - 1);
});

test("under average cost a sale of units that were partly held before has no holding time", () => {
  const parts: Disposal[] = [];
  run([buy(10, 5n, 5n), sell(20, 4n, 8n)], {
    ...{ basis: "average", openings: [{ bucket: TOKEN, amount: 5n, time: 5 }] },
    onDisposal: (part) => parts.push(part),
  });
  const own = parts.filter(({ bucket }) => bucket === TOKEN);
  expect(own.map(({ amount, held_s, unknown }) => [amount, held_s, unknown])).toEqual([
    [2n, null, "opening"],
    [2n, null, "opening"],
  ]);
});

test.each(["average", "fifo"] as const)("units of before the first movement stay such in a vault, by %s", (basis) => {
  const deposit = tx(2, [leg(TOKEN, -100n, VAULT), leg(VAULT, 80n, "")]);
  const withdrawal = tx(3, [leg(VAULT, -40n, ""), leg(TOKEN, 60n, VAULT)]);
  const book = run([did(deposit, { kind: "vault", vault: VAULT }), did(withdrawal, { kind: "vault", vault: VAULT })], {
    basis,
    openings: [{ bucket: TOKEN, amount: 100n, time: 1 }],
  });
  for (const { position } of [of(book, VAULT), of(book)]) {
    expect(position.has_opening).toBe(true);
    if (position.lots !== null)
      expect(position.lots.runs.flatMap(({ lots, first }) => lots.slice(first)).map((lot) => lot.is_opening)).toEqual([
        true,
      ]);
  }
});

describe("the parts of a sale", () => {
  const partsOf = (basis: CostBasis, story = STORY): readonly object[] => {
    const parts: Disposal[] = [];
    run(story, { basis, onDisposal: (part) => parts.push(part) });
    return parts.flatMap(({ bucket, place: _, ...part }) => (bucket === TOKEN ? [part] : []));
  };

  test("are its lots, each with its share of the proceeds", () => {
    expect(partsOf("fifo")).toEqual([
      { amount: 10n, acquired_at: 10, held_s: 30, disposed_at: 40, proceeds_usd: 40, cost_usd: 10, unknown: null },
      { amount: 5n, acquired_at: 20, held_s: 20, disposed_at: 40, proceeds_usd: 20, cost_usd: 15, unknown: null },
    ]);
    expect(partsOf("lifo")).toMatchObject([
      { amount: 10n, acquired_at: 30, cost_usd: 20 },
      { amount: 5n, acquired_at: 20, cost_usd: 15 },
    ]);
  });

  test("by average cost are one, held for the mean time", () => {
    expect(partsOf("average")).toEqual([
      { amount: 15n, acquired_at: null, held_s: 20, disposed_at: 40, proceeds_usd: 60, cost_usd: 30, unknown: null },
    ]);
  });

  test("name units that the wallet is not known to have had", () => {
    const story = [buy(10, 10n, 10n), sell(40, 15n, 60n)];
    const unseen = {
      ...{ amount: 5n, acquired_at: null, held_s: null, disposed_at: 40, proceeds_usd: 20, cost_usd: null },
      unknown: "unseen",
    };
    expect(partsOf("fifo", story)).toEqual([
      { amount: 10n, acquired_at: 10, held_s: 30, disposed_at: 40, proceeds_usd: 40, cost_usd: 10, unknown: null },
      unseen,
    ]);
    expect(partsOf("average", story)).toEqual([
      { amount: 10n, acquired_at: null, held_s: 30, disposed_at: 40, proceeds_usd: 40, cost_usd: 10, unknown: null },
      unseen,
    ]);
  });
});
