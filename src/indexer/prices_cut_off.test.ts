import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { blocks, DOLLAR, ETHER, hex, networkOf, swap, sync, tokens, usdcWeth } from "../../test/priced_rows.ts";
import { EMPTY } from "../lib/bytes.ts";
import { openPricePass } from "./prices.ts";

const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** Hours in which the native coin has another price than its wrapped form, or the same one by another method. */
const strayHours = (network: string) =>
  store.query(`SELECT count() FROM (SELECT hour FROM prices FINAL WHERE network = '${network}' AND token IN ('', unhex('${hex.WETH}'))
    GROUP BY hour HAVING uniqExact(price_usd, method, depth_usd) > 1)`);

/** 160 whole hours whose first one determines the price of all others; the pass of the last 110 did not have it. */
const seedGrown = async (network: string): Promise<() => Promise<unknown>> => {
  await store.writer.insert("tokens", tokens(network));
  const from = { blocks: blocks(network, 110, 330), pool_states: [], swaps: [] };
  await store.seed({ network, from: 110, to: 330, first: 10 }, from);
  await openPricePass({ network: networkOf(network), store })(signal);
  await store.seed(
    { network, from: 10, to: 109, first: 10 },
    {
      blocks: blocks(network, 10, 109),
      pools: [{ ...usdcWeth(network), tx_hash: EMPTY }],
      pool_states: [sync(network, 10, [100_000n * DOLLAR, 50n * ETHER])],
    },
  );
  return () =>
    store.query(
      `SELECT count(), min(price_usd), max(price_usd) FROM prices FINAL WHERE network = '${network}' AND token = unhex('${hex.WETH}')`,
    );
};

/** A store that writes the first windows of prices and refuses the one after them, once. */
const failsAfter = (windows: number) => {
  let left = windows;
  return {
    facts: store.facts,
    writer: {
      insert: (...written: Parameters<typeof store.writer.insert>) => {
        left -= 1;
        return left === -1 ? Promise.reject(new Error("the engine is gone")) : store.writer.insert(...written);
      },
    },
  };
};

test("an interrupted pass over grown history continues at the start of the older pass and prices the rest", async () => {
  const network = "cut_off";
  const look = await seedGrown(network);
  // Windows of 48 and 96 hours: 0 to 143 are written, 144 to 159 are still the older pass's, without a price.
  const cut = openPricePass({ network: networkOf(network), store: failsAfter(2) });
  await expect(cut(signal)).rejects.toThrow("the engine is gone");
  expect(await look()).toEqual([["144", 2000, 2000]]);
  await openPricePass({ network: networkOf(network), store })(signal);
  expect(await look()).toEqual([["160", 2000, 2000]]);
  expect(await strayHours(network)).toEqual([["0"]]);
});

test("a window that could not be written is priced again by the next call", async () => {
  const network = "refused";
  const look = await seedGrown(network);
  const update = openPricePass({ network: networkOf(network), store: failsAfter(1) });
  await expect(update(signal)).rejects.toThrow("the engine is gone");
  await update(signal);
  expect(await look()).toEqual([["160", 2000, 2000]]);
});

/** A pool of its own address at 2,000 with one trade of `cents` in the hour of block 40. */
const pool = (network: string, [nth, announced, cents]: readonly [number, number, bigint]) => {
  const own = { pool: testAddress(0xb0 + nth), block_number: announced };
  return {
    pools: [{ ...usdcWeth(network), ...own, log_index: nth, tx_hash: EMPTY }],
    pool_states: [{ ...sync(network, announced, [100_000n * DOLLAR, 50n * ETHER]), pool: own.pool }],
    swaps: [{ ...swap(network, 40, [cents * 10_000n, -cents * 5_000_000_000_000n]), pool: own.pool, log_index: nth }],
  };
};

test("no digit of a volume depends on when its pools became known", async () => {
  const seed = async (network: string, updates_early: boolean) => {
    const update = openPricePass({ network: networkOf(network), store });
    await store.writer.insert("tokens", tokens(network));
    const [first, second, third] = [
      pool(network, [1, 20, 10n]),
      pool(network, [2, 10, 20n]),
      pool(network, [3, 10, 30n]),
    ];
    await store.seed(
      { network, from: 10, to: 15, first: 10 },
      {
        blocks: blocks(network, 10, 15),
        pools: [...second.pools, ...third.pools],
        pool_states: [...second.pool_states, ...third.pool_states],
      },
    );
    if (updates_early) await update(signal);
    await store.seed(
      { network, from: 16, to: 50, first: 10 },
      {
        blocks: blocks(network, 16, 50),
        pools: first.pools,
        pool_states: first.pool_states,
        swaps: [...first.swaps, ...second.swaps, ...third.swaps],
      },
    );
    await update(signal);
    const where = `network = '${network}' AND token = unhex('${hex.WETH}') AND volume_usd > 0`;
    return store.query(`SELECT toString(volume_usd) FROM prices FINAL WHERE ${where}`);
  };
  // 0.1 + 0.2 + 0.3 is another double than 0.2 + 0.3 + 0.1.
  expect(await seed("grown", true)).toEqual([["0.6000000000000001"]]);
  expect(await seed("whole", false)).toEqual([["0.6000000000000001"]]);
});
