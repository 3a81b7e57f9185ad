import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testAddress } from "../../../../test/facts_store.ts";
import { sized } from "../../../../test/long.ts";
import { columnsOf, movementsOf, rowTexts } from "../../../../test/movements.ts";
import { type MutableWorld, openWorld, WALLET } from "../../../../test/moving_world.ts";
import { hex, toHex } from "../../../lib/bytes.ts";
import { atOnce } from "../../../lib/turns.ts";
import type { Facts } from "../../../store/facts.ts";
import { firstAtLeast } from "./movements.ts";
import { type MovementPeriod, readMovements } from "./read_movements.ts";

let world: MutableWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Facts without a cache between calls. */
const forgetful = (facts: Facts): Facts => ({ ...facts, own: (kind) => new kind() });

/** Facts that record the first block of each ledger query. */
const listening = (facts: Facts) => {
  const asked_from: number[] = [];
  const columns: Facts["columns"] = (snapshot, query, params) => {
    asked_from.push(snapshot.from_block);
    return facts.columns(snapshot, query, params);
  };
  const owned = forgetful(facts);
  const objects = new Map<unknown, object>();
  const own: Facts["own"] = (kind) => {
    const made = owned.own(kind);
    const known = objects.get(kind) ?? made;
    objects.set(kind, known);
    // A class's object was made by the class.
    return known as typeof made;
  };
  return { asked_from, facts: { ...facts, columns, own } };
};

/** Facts that return the identical answer for the same query at the same block, as serving processes do. */
const remembering = (facts: Facts): Facts => {
  const held = new Map<string, Promise<never>>();
  const columns: Facts["columns"] = (snapshot, query, params) => {
    const { block, from_block, final_block } = snapshot;
    const key = JSON.stringify([block.hash, from_block, final_block, query, params]);
    // Keyed by the name of the query.
    const answer = held.get(key) ?? (facts.columns(snapshot, query, params) as Promise<never>);
    held.set(key, answer);
    return answer;
  };
  return { ...facts, columns };
};

const ALWAYS: MovementPeriod = { since: 0, until: 4_294_967_295 };

const rowsOf = async (facts: Facts, period: MovementPeriod, as_of: number | null = null) => {
  const snapshot = await facts.snapshot("demo", as_of);
  const { movements, whole_from_block, ...rows } = await readMovements({ facts, snapshot }, WALLET, period);
  return { rows: rowTexts(movements, rows), whole_from_block };
};

type MovementTestStep = (seed: number) => Promise<void>;

const STEPS: Readonly<Record<string, MovementTestStep>> = {
  grow: (seed) => world.grow(5, seed),
  finalize: () => world.finalize(6),
  reorganise: (seed) => world.reorganise(3, seed),
};

const START = Date.UTC(2026, 0, 1) / 1000;
const HOUR_S = 3_600;
const step = fc.record({
  what: fc.constantFrom(...Object.keys(STEPS)),
  seed: fc.nat({ max: 1_000_000 }),
  since: fc.integer({ min: -5, max: 20 }),
  hours: fc.integer({ min: 1, max: 40 }),
  back: fc.nat({ max: 8 }),
});

describe("movements that were kept", () => {
  test("equal those of a cold read for every window, after any change between two calls", async () => {
    const kept = remembering(listening(world.store.facts).facts);
    const cold = forgetful(world.store.facts);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
        for (const { what, seed, since, hours, back } of steps) {
          await STEPS[what]?.(seed);
          const { block, from_block } = await cold.snapshot("demo", null);
          const from = Math.max(0, START + since * HOUR_S);
          for (const period of [ALWAYS, { since: from, until: from + hours * HOUR_S }]) {
            for (const as_of of [null, Math.max(from_block, block.number - back), null]) {
              expect(await rowsOf(kept, period, as_of)).toEqual(await rowsOf(cold, period, as_of));
            }
          }
        }
      }),
      { numRuns: sized({ slice: 1, long: 3 }), endOnFailure: true },
    );
  }, 600_000);

  test("are read once: later reads query only newer rows", async () => {
    await world.grow(12, 1);
    await world.finalize(10);
    const { facts, asked_from } = listening(world.store.facts);
    await rowsOf(facts, ALWAYS);
    await world.grow(1, 2);
    await rowsOf(facts, ALWAYS);
    const { final_block } = await facts.snapshot("demo", null);
    expect(asked_from[1]).toBe(final_block + 1);
    await rowsOf(facts, ALWAYS, final_block);
    expect(asked_from).toHaveLength(2);
  }, 120_000);

  test("are copied once per block, with the rows after the final ones", async () => {
    await world.finalize(1);
    await world.grow(3, 7);
    const facts = remembering(listening(world.store.facts).facts);
    const read = async () => readMovements({ facts, snapshot: await facts.snapshot("demo", null) }, WALLET, ALWAYS);
    await read();
    const { movements } = await read();
    expect((await read()).movements).toBe(movements);
    for (const change of [() => world.grow(1, 8), () => world.reorganise(2, 9), () => world.finalize(2)]) {
      await change();
      const { movements: next, ...rows } = await read();
      expect(rowTexts(next, rows)).toEqual((await rowsOf(forgetful(world.store.facts), ALWAYS)).rows);
    }
  }, 120_000);

  test("expire with their history: the next answer contains backfilled blocks", async () => {
    const { facts } = listening(world.store.facts);
    const before = await rowsOf(facts, ALWAYS);
    await world.backfill(20);
    const after = await rowsOf(facts, ALWAYS);
    expect(after).toEqual(await rowsOf(forgetful(world.store.facts), ALWAYS));
    expect(after.rows.length).toBeGreaterThan(before.rows.length);
  }, 120_000);
});

test("of too many only the newest are read, in whole blocks, and the first block is reported", async () => {
  const all = await rowsOf(world.store.facts, ALWAYS);
  const rows_max = Math.floor(all.rows.length / 2);
  const cut = await rowsOf(world.store.facts, { ...ALWAYS, rows_max });
  const from = cut.whole_from_block ?? 0;
  expect(from).toBeGreaterThan(0);
  const blockOf = (row: string): number => Number(row.split(" ")[0]);
  expect(cut.rows).toEqual(all.rows.filter((row) => blockOf(row) >= from));
  expect(cut.rows.length).toBeLessThanOrEqual(rows_max);
  expect(all.whole_from_block).toBeNull();
}, 120_000);

test("a late period is read with its past when that is small, and alone when it is large", async () => {
  const [network, wallet, other] = ["busy", testAddress(0xb5), testAddress(0xb6)];
  const transfers = Array.from({ length: 2_600 }, (_, n) => ({
    ...{ network, block_number: 1 + Math.floor(n / 7), tx_index: 0, position: n, kind: "native" as const, token: "" },
    ...{ time: START + 60 * Math.floor(n / 50), token_id: 0n, source: other, destination: wallet, amount: BigInt(n) },
    sender: other,
  }));
  const to = 1 + Math.floor(2_599 / 7);
  await world.store.seed({ network, from: 1, to, time: START }, { transfers });
  const snapshot = await world.store.facts.snapshot(network, null);
  const read = async (facts: Facts, minute: number, rows_max?: number) => {
    const period = {
      since: START + 60 * minute,
      until: START + 60 * 50,
      ...(rows_max === undefined ? {} : { rows_max }),
    };
    return readMovements({ facts, snapshot }, toHex(wallet), period);
  };
  const rowsIn = ({ movements, ...rows }: Awaited<ReturnType<typeof read>>) => rowTexts(movements, rows);
  // The newest 2,001 rows begin within minute 11: they contain all of minute 12.
  for (const [minute, asked, since] of [
    [30, 1, 12],
    [12, 1, 12],
    [11, 2, 11],
    [3, 2, 3],
  ] as const) {
    const { facts, asked_from } = listening(world.store.facts);
    const found = await read(facts, minute);
    expect(rowsIn(found)).toEqual(rowsIn(await read(forgetful(world.store.facts), minute, 1_999_999)));
    const alone = await world.store.facts.columns(snapshot, "movements/movements", {
      ...{ wallet: toHex(wallet), since: START + 60 * minute, until: START + 60 * 50, limit: 9_999 },
    });
    expect(rowsIn(found)).toHaveLength(alone.length);
    expect([asked_from.length, found.since]).toEqual([asked, START + 60 * since - (since === 12 ? 59 : 0)]);
  }
}, 120_000);

test("an amount as a double is the nearest one, however many bits it has", () => {
  const bits = fc.integer({ min: 0, max: 255 });
  const amounts = fc.tuple(bits, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })).map(([n, any]) => any >> BigInt(n));
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1, maxLength: 8 }), (drawn) => {
      // Halfway between two doubles, and beside it: 2^53 + 1 and 2^64 - 2^10, where rounding twice would show.
      const all = [...drawn, 2n ** 53n + 1n, 2n ** 53n + 3n, 2n ** 64n - 2n ** 10n, 2n ** 64n - 2n ** 10n - 1n];
      // One amount above 128 bits changes the encoding of all of them.
      for (const list of [all, all.filter((amount) => amount < 2n ** 128n)]) {
        const rows = list.map((amount, block) => ({ block, time: block, direction: 1 as const, amount }));
        const movements = movementsOf(rows);
        expect(list.map((_, row) => movements.amountNumberAt(row))).toEqual(list.map(Number));
      }
    }),
  );
});

test("columns are reversed, and amounts of 256 bits are exact", () => {
  const rows = [0n, 1n, 2n ** 64n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n].map((amount, block) => ({
    block,
    time: block * 12,
    direction: 1 as const,
    token: block % 2 === 0 ? "" : hex("aa".repeat(20)),
    amount,
  }));
  const movements = movementsOf(rows);
  expect(rows.map((_, row) => movements.amountAt(row))).toEqual(rows.map(({ amount }) => amount));
  expect(rows.map((_, row) => movements.tokenAt(row))).toEqual(rows.map(({ token }) => token));
  expect([...movements.block_number]).toEqual([0, 1, 2, 3, 4, 5]);
  const newer = columnsOf([{ block: 9, time: 100, direction: -1, token: hex("bb".repeat(20)), amount: 2n ** 200n }]);
  const longer = atOnce(movements.with(4, newer, { from: 0, to: 1 }));
  expect([longer.length, longer.amountAt(3), longer.amountAt(4), longer.tokenAt(4)]).toEqual([
    5,
    2n ** 128n - 1n,
    2n ** 200n,
    "bb".repeat(20),
  ]);
  expect(movements.length).toBe(6);
  expect([firstAtLeast(movements.time, 12), firstAtLeast(movements.time, 13), firstAtLeast([], 1)]).toEqual([1, 2, 0]);
});
