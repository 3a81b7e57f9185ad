import { afterAll, beforeAll, expect, test } from "vitest";
import { blockRows, openTestFacts, seedUpTo, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { diceOf } from "../../test/random.ts";
import { toHex } from "../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../lib/time.ts";
import { openEarliestBlocks } from "./earliest_block.ts";
import type { Facts } from "./facts.ts";

const T0 = 19_700 * DAY_S + 5 * HOUR_S;
const BLOCK_S = 900;
const [FINAL, HEAD] = [780, 880];
const [ALICE, BOB] = [testAddress(0xa11ce), testAddress(0xb0b)];

const dice = diceOf(11);
/** Producers' clocks differ by up to half an hour. */
const TIMES = Array.from({ length: HEAD + 1 }, (_, block) => T0 + block * BLOCK_S + dice(3_600) - 1_800);
const transfers = (network: string) =>
  TIMES.map((time, block_number) => ({
    ...{ network, block_number, tx_index: 0, position: 0, time, kind: "erc20" as const, token: testAddress(0x70) },
    ...{ token_id: 0n, source: ALICE, destination: BOB, amount: 1n, sender: ALICE },
  }));

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const counted = async (network: string, as_of: number | null, [since, until]: readonly [number, number]) => {
  const snapshot = await store.facts.snapshot(network, as_of);
  const [row] = await store.facts.ask(snapshot, "history/movement_count", {
    ...{ wallet: toHex(ALICE), since, until },
  });
  return row?.movements;
};

test("what happened since a time is whole, whatever day and hour it is, at every block, final or not, in any order of asking", async () => {
  const network = "drift";
  const made = blockRows({ network, from: 0, to: HEAD }).map((row, block) => ({ ...row, time: TIMES[block] ?? 0 }));
  await store.seed(
    { network, from: 0, to: FINAL },
    { transfers: transfers(network).slice(0, FINAL + 1), blocks: made.slice(0, FINAL + 1) },
  );
  await store.writer.insert("transfers", transfers(network).slice(FINAL + 1), { is_tail: true });
  await store.writer.insert("blocks", made.slice(FINAL + 1), { is_tail: true });
  for (let round = 0; round < 150; round += 1) {
    const as_of = dice(4) === 0 ? null : dice(HEAD + 1);
    const since = T0 - DAY_S + dice(HEAD * BLOCK_S + 2 * DAY_S);
    const until = since + dice(4 * DAY_S);
    const expected = TIMES.slice(0, (as_of ?? HEAD) + 1).filter((time) => time >= since && time < until).length;
    expect([as_of, since, await counted(network, as_of, [since, until])]).toEqual([as_of, since, expected]);
  }
});

test("reads a day once and caches a final block for it", async () => {
  const network = "days";
  await seedUpTo(store, { network, from: 0, final: FINAL, head: HEAD, time: T0, block_s: BLOCK_S }, {});
  const snapshot = await store.facts.snapshot(network, null);
  const asked: number[] = [];
  const facts: Pick<Facts, "ask"> = {
    ask: (of, query, params) => {
      asked.push(Number(Reflect.get(params, "time")));
      return store.facts.ask(of, query, params);
    },
  };
  const earliestBlock = openEarliestBlocks();
  const at = (since: number) => earliestBlock(facts, snapshot, ["history/movement_count", { since }]);
  const day = (nth: number): number => (19_700 + nth) * DAY_S;
  // Midnight is 19 hours behind the first block, an hour is four blocks.
  const first_of = (nth: number): number => 19 * 4 + (nth - 1) * 96;
  for (const since of [day(3), day(3) + 7, day(4) - 1])
    expect(await at(since)).toEqual({ earliest_block: first_of(3) - 3 });
  expect(asked).toEqual([day(3) - HOUR_S]);
  expect(await at(day(9) + 5)).toEqual({ earliest_block: first_of(9) - 3 });
  expect(await at(day(9) + 5)).toEqual({ earliest_block: FINAL + 1 });
  expect(asked).toEqual([day(3) - HOUR_S, day(9) - HOUR_S]);
  expect(await at(0)).toEqual({ earliest_block: 0 });
  expect(await at(day(-2))).toEqual({ earliest_block: 0 });
  expect(await earliestBlock(facts, snapshot, ["block_at_time", { time: day(3) }])).toEqual({});
});
