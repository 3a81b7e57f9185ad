import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { drawsOf } from "../../../test/random.ts";
import { storedPoolEvents } from "../../domain/valuation/prices/pool_events.ts";
import { EMPTY, toHex } from "../../lib/bytes.ts";
import { HOUR_S } from "../../lib/time.ts";
import { emptyRows } from "../rows.ts";
import { poolNewsOf } from "./pool_news.ts";

/** Rows from logs are summed as the queries of a whole network sum theirs. */

const NETWORK = "news";
const START = 1_700_006_400;
const POOLS = [
  { pool: testAddress(1), family: "uniswap_v2" },
  { pool: testAddress(2), family: "uniswap_v3" },
];
const [FIRST, SECOND] = [testAddress(8), testAddress(9)];
const BLOCKS = 60;

/** Some events in most blocks; a block every four minutes, so that they fall into several hours. */
const drawRows = () => {
  const draw = drawsOf(11);
  const rows = emptyRows();
  const upTo = (limit: number): number => Math.floor(draw() * limit);
  for (let block_number = 1; block_number <= BLOCKS; block_number += 1) {
    const at = { network: NETWORK, block_number, time: START + 240 * block_number };
    for (let log_index = 0; log_index < upTo(6); log_index += 1) {
      const { pool, family } = POOLS[upTo(2)] ?? { pool: EMPTY, family: "" };
      const placed = { ...at, log_index, tx_index: upTo(2), tx_hash: blockHash(block_number) };
      const amount = (): bigint => BigInt(upTo(2_000) - 1_000) * 10n ** 20n;
      const who = { caller: FIRST, recipient: FIRST, trader: FIRST };
      rows.swaps.push({ ...placed, pool, ...who, amount0: amount(), amount1: amount() });
      const is_range = family === "uniswap_v3";
      rows.pool_states.push({
        ...{ network: NETWORK, block_number, time: at.time, log_index, pool },
        ...{ reserve0: is_range ? 0n : BigInt(upTo(9)), reserve1: is_range ? 0n : BigInt(upTo(9_000)) },
        sqrt_price_x96: is_range ? BigInt(1 + upTo(9)) << 96n : 0n,
        ...{ liquidity: is_range ? BigInt(upTo(3)) : 0n, tick: is_range ? upTo(100) - 50 : 0 },
      });
      if (!is_range) continue;
      const kind = (["mint", "burn", "collect"] as const)[upTo(3)] ?? "mint";
      rows.liquidity_events.push({
        ...{ ...placed, pool, kind, owner: FIRST, actor: FIRST, amount0: 1n, amount1: 1n, liquidity: BigInt(upTo(99)) },
        ...{ tick_lower: -60, tick_upper: 60 },
      });
    }
  }
  return rows;
};

let store: TestFacts;
const rows = drawRows();
beforeAll(async () => {
  store = await openTestFacts();
  const { swaps, pool_states, liquidity_events } = rows;
  await store.seed(
    { network: NETWORK, from: 1, to: BLOCKS, time: START + 240, block_s: 240 },
    { swaps, pool_states, liquidity_events },
  );
});
afterAll(() => store?.close());

const sorted = <T extends object>(list: readonly T[]): readonly T[] => {
  const keyOf = (one: T): string => JSON.stringify(one, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return list
    .map((one) => Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) as T)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

test("states at block ends, net volumes and changes of ranges equal those of the queries", async () => {
  const { network } = fixedChain({ network: { id: NETWORK } });
  const snapshot = await store.facts.snapshot(NETWORK, BLOCKS);
  const pools = POOLS.map(({ pool, family }) => ({
    ...{ pool: toHex(pool), family, token0: toHex(FIRST), token1: toHex(SECOND), decimals0: 18, decimals1: 18 },
  }));
  const stored = await storedPoolEvents({ facts: store.facts, network, snapshot }).between(
    { pools, is_all: false },
    { after: null, end: START + 100 * HOUR_S },
  );
  const told = poolNewsOf(rows, pools);
  expect(told.states.length).toBeGreaterThan(6);
  for (const kind of ["states", "volumes", "ranges"] as const)
    expect(sorted<object>(told[kind]), kind).toEqual(sorted<object>(stored.rows[kind]));
});
