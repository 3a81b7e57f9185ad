import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { diceOf } from "../../../../test/random.ts";
import { hex, toHex } from "../../../lib/bytes.ts";
import { LATELY_BLOCKS, type PoolState, poolStatesAt } from "../../valuation/prices/pool_states.ts";
import { type DeveloperMarket, readPeaks } from "./markets.ts";

// Newest states that come with the peaks, compared with states that a query of their own reads: of pools with and
// without reserves in their events, that changed lately, long ago and never, at the head and before.

const network = "demo";
const HEAD = LATELY_BLOCKS + 2_000;
const POOLS = Array.from({ length: 24 }, (_, number) => testAddress(0xb00 + number));
const NONE = hex("");
const isTold = (number: number): boolean => number % 2 === 0;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(7);
  const pool_states = Array.from({ length: 600 }, (_, index) => {
    const number = dice(20);
    const block_number = number < 10 ? dice(HEAD + 1) : dice(1_500);
    const [reserve0, reserve1] = isTold(number) ? [BigInt(1 + dice(500)), BigInt(1 + dice(500))] : [0n, 0n];
    const rest = isTold(number) ? [0n, 0n, 0] : [BigInt(dice(900)), BigInt(dice(900)), dice(9) - 4];
    const [sqrt_price_x96, liquidity, tick] = rest as [bigint, bigint, number];
    return {
      ...{ network, pool: POOLS[number] ?? testAddress(0), block_number, log_index: index, reserve0, reserve1 },
      ...{ time: 1_700_000_000 + block_number, sqrt_price_x96, liquidity, tick },
    };
  });
  await store.seed({ network, from: 0, to: HEAD }, { pool_states });
});
afterAll(() => store.close());

const marketOf = (number: number): DeveloperMarket => {
  const [token, other] = [hex("aa".repeat(20)), hex("bb".repeat(20))];
  const family = isTold(number) ? "uniswap_v2" : "uniswap_v3";
  const pool = {
    ...{ pool: toHex(POOLS[number] ?? testAddress(0)), family, venue: "x", factory: NONE, token0: token },
    ...{ token1: other, fee_ppm: 3_000, tick_spacing: 60, created_block: 0, created_at: 0, last_created: 0 },
    ...{ is_first: true, other, hooks: NONE, creator: NONE, tx_hash: NONE },
  };
  return { token, pool } as unknown as DeveloperMarket; // the query must not read pools that it does not list
};

test("the newest states that come with the peaks equal those of a query of their own", async () => {
  const markets = POOLS.map((_, number) => marketOf(number));
  for (const at of [HEAD, HEAD - 700, 1_800, 900, 3]) {
    const snapshot = await store.facts.snapshot(network, at);
    const scope = { facts: store.facts, snapshot, chain: fixedChain(), signal: AbortSignal.timeout(20_000) };
    const { states, fullest } = await readPeaks(scope, [...markets, ...markets.slice(0, 3)]);
    const alone = await poolStatesAt(scope, POOLS.map(toHex), at);
    expect(new Set(states.keys())).toEqual(new Set(POOLS.map(toHex)));
    const known = [...states.values()].flatMap((state) => (state === null ? [] : [state]));
    const inOrder = (list: readonly PoolState[]) =>
      list
        .map(({ pool, reserve0, reserve1, sqrt_price_x96, liquidity, tick, time }) => {
          return { pool, reserve0, reserve1, sqrt_price_x96, liquidity, tick, time };
        })
        .sort((a, b) => (a.pool < b.pool ? -1 : 1));
    expect(inOrder(known)).toEqual(inOrder(alone));
    expect([...fullest.keys()].every((pool) => isTold(POOLS.map(toHex).indexOf(pool)))).toBe(true);
    expect(fullest.size).toBeGreaterThan(0);
  }
});

test("without a pool that reports its reserves no query runs", async () => {
  const snapshot = await store.facts.snapshot(network, null);
  const scope = { facts: store.facts, snapshot, chain: fixedChain(), signal: AbortSignal.timeout(20_000) };
  expect((await readPeaks(scope, [marketOf(1), marketOf(3)])).states.size).toBe(0);
});
