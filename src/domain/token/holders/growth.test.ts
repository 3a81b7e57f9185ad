import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, seedUpTo, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf, type RandomBelow } from "../../../../test/random.ts";
import { type Hex, hex, toHex } from "../../../lib/bytes.ts";
import { readHolderGrowth } from "./growth.ts";

// Changes of the number of holders in each interval, on random movements, compared with balances in a plain loop: at
// the head, at a final block and at earlier ones, for all holders and for some, in one query and in several.

const network = "demo";
const T0 = 1_700_000_000;
const [FINAL, HEAD] = [60, 80];
const TOKEN = testAddress(0x70);
const PEOPLE = Array.from({ length: 12 }, (_, n) => testAddress(0xc00 + n));
const [VOID, LARGE] = [new Uint8Array(), 2n ** 255n];
const OPENED = 3n;

const drawn = (dice: RandomBelow, index: number) => {
  const block_number = 1 + dice(HEAD);
  const party = () => (dice(4) === 0 ? VOID : (PEOPLE[dice(PEOPLE.length)] ?? VOID));
  const amount = dice(12) === 0 ? LARGE : BigInt(dice(3));
  return {
    ...{ network, block_number, tx_index: index, position: index, kind: "erc20" as const, token_id: 0n },
    ...{ time: T0 + (block_number - 1) * 12, token: TOKEN, sender: testAddress(1) },
    ...{ source: party(), destination: party(), amount },
  };
};

type GrowthMovement = ReturnType<typeof drawn>;
let store: TestFacts;
let moves: readonly GrowthMovement[] = [];
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(11);
  moves = Array.from({ length: 400 }, (_, index) => drawn(dice, index));
  await store.writer.insert("openings", [
    { network, holder: PEOPLE[0] ?? VOID, token: TOKEN, amount: OPENED, block_number: 0 },
  ]);
  await seedUpTo(store, { network, from: 1, final: FINAL, head: HEAD, time: T0 }, { transfers: moves });
});
afterAll(() => store.close());

const expectedOf = (
  to: number,
  since_block: number,
  [interval_s, members]: readonly [number, readonly Hex[] | null],
) => {
  const since = T0 + (since_block - 1) * 12;
  const held = new Map<Hex, bigint>([[toHex(PEOPLE[0] ?? VOID), OPENED]]);
  const isMember = (party: Hex): boolean => party !== "" && (members === null || members.includes(party));
  const count = (): number => [...held].filter(([holder, amount]) => isMember(holder) && amount > 0n).length;
  const changes = new Map<number, number>();
  for (const part of [null, ...Array.from({ length: 100 }, (_, n) => n)]) {
    const before = count();
    const inside = moves.filter(({ block_number, time }) => {
      const own = block_number < since_block ? null : Math.floor((time - since) / interval_s);
      return block_number <= to && own === part;
    });
    for (const { source, destination, amount } of inside)
      for (const [party, change] of [
        [toHex(source), -amount],
        [toHex(destination), amount],
      ] as const)
        held.set(party, (held.get(party) ?? 0n) + change);
    if (part !== null && count() !== before) changes.set(part, count() - before);
  }
  return [...changes].map(([part, change]) => ({ part, change }));
};

/** The last block, the first one that counts, and the seconds of an interval. */
const CASES = [
  [HEAD, 1, 60],
  [HEAD, 70, 60],
  [HEAD - 5, 30, 240],
  [FINAL, 30, 60],
  [40, 1, 240],
  [40, 30, 60],
] as const;

test.each([
  ["everybody", null],
  ["some", PEOPLE.slice(0, 4).map(toHex)],
] as const)("the growth of holders among %s equals a plain count", async (_, members) => {
  let changes = 0;
  for (const [to, since_block, interval_s] of CASES) {
    const snapshot = await store.facts.snapshot(network, to);
    const window = { since: T0 + (since_block - 1) * 12, since_block, interval_s, members };
    const scope = { facts: store.facts, snapshot };
    const expected = expectedOf(to, since_block, [interval_s, members]);
    // Few, more than are processed one by one, and enough for three shards.
    const answers: (readonly unknown[])[] = [];
    for (const movements of [null, 2_001, 12_000_000]) {
      const rows = await readHolderGrowth(scope, hex(toHex(TOKEN)), { ...window, movements });
      expect(
        rows.filter(({ change }) => change !== 0),
        `${to} ${since_block} ${interval_s}`,
      ).toEqual(expected);
      answers.push(rows);
    }
    expect(answers[0]).toEqual(answers[1]);
    changes += expected.length;
  }
  expect(changes).toBeGreaterThan(10);
});
