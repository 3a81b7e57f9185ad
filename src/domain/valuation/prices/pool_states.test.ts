import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import { LATELY_BLOCKS, poolStatesAt, poolStatesAtEach } from "./pool_states.ts";

const network = "demo";
const HEAD = LATELY_BLOCKS + 3_000;
const POOLS = Array.from({ length: 40 }, (_, number) => testAddress(0xa00 + number));

/**
 * Generated states: many of some pools, none near the head of others, and none at all of the last ones; several in one
 * block too.
 */
const drawnStates = () => {
  const dice = diceOf(11);
  return Array.from({ length: 1_500 }, (_, index) => {
    const pool = dice(35);
    const block_number = pool < 15 ? dice(HEAD + 1) : dice(pool < 30 ? 2_500 : 10);
    return {
      ...{ network, pool: POOLS[pool] ?? testAddress(0), block_number, tx_index: dice(3), log_index: index },
      ...{ time: 1_700_000_000 + block_number, tx_hash: testAddress(index) },
      ...{
        reserve0: BigInt(dice(1_000)),
        reserve1: BigInt(index),
        sqrt_price_x96: 0n,
        liquidity: 0n,
        tick: dice(9) - 4,
      },
    };
  });
};

let store: TestFacts;
let states: ReturnType<typeof drawnStates> = [];
beforeAll(async () => {
  store = await openTestFacts();
  states = drawnStates();
  await store.seed(
    { network, from: 0, to: HEAD - 5 },
    { pool_states: states.filter((s) => s.block_number <= HEAD - 5) },
  );
  await store.seed(
    { network, from: HEAD - 4, to: HEAD, first: 0 },
    { pool_states: states.filter((s) => s.block_number > HEAD - 5) },
  );
});
afterAll(() => store.close());

test("the state of a pool is the last one up to the block, however long ago", async () => {
  const snapshot = await store.facts.snapshot(network, null);
  for (const at of [HEAD, HEAD - 300, LATELY_BLOCKS, LATELY_BLOCKS - 1, 1_200, 3]) {
    const wanted = POOLS.map(toHex);
    const found = await poolStatesAt({ facts: store.facts, snapshot }, wanted, at);
    const last = new Map<string, (typeof states)[number]>();
    for (const state of states.filter(({ block_number }) => block_number <= at)) {
      const [key, before] = [toHex(state.pool), last.get(toHex(state.pool))];
      // `log_index` grows with the generation, so the later state of a block wins.
      if (before === undefined || state.block_number >= before.block_number) last.set(key, state);
    }
    expect(new Map(found.map(({ pool, reserve1, tick, time }) => [pool, { reserve1, tick, time }]))).toEqual(
      new Map([...last].map(([pool, { reserve1, tick, time }]) => [pool, { reserve1, tick, time }])),
    );
    expect(found.length).toBe(last.size);
  }
});

test("states at several near and far blocks equal those of single reads, for different pools", async () => {
  const scope = { facts: store.facts, snapshot: await store.facts.snapshot(network, null) };
  const wanted = POOLS.map(toHex);
  const asked = [
    { pools: wanted, at: HEAD },
    { pools: wanted.slice(0, 20), at: 1_200 },
    { pools: wanted.slice(5), at: HEAD - 300 },
    { pools: wanted.slice(0, 3), at: HEAD },
    { pools: [], at: 7 },
    { pools: wanted, at: LATELY_BLOCKS + 1_500 },
  ];
  const inOrder = (found: Awaited<ReturnType<typeof poolStatesAt>>) =>
    found
      .map(({ pool, reserve0, reserve1, tick, time }) => ({ pool, reserve0, reserve1, tick, time }))
      .sort((a, b) => (a.pool < b.pool ? -1 : 1));
  const each = await poolStatesAtEach(scope, asked);
  const alone = await Promise.all(asked.map(({ pools, at }) => poolStatesAt(scope, pools, at)));
  expect(each.map(inOrder)).toEqual(alone.map(inOrder));
  expect(each.map(({ length }) => length > 0)).toEqual([true, true, true, true, false, true]);
});
