import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import {
  at,
  blocks,
  DOLLAR,
  ETHER,
  hex,
  networkOf,
  POOL3,
  pool,
  swap,
  sync,
  T0,
  TOK,
  tokens,
  transferRow,
  USDC,
  usdcWeth,
} from "../../test/priced_rows.ts";
import { priceKey, pricesAt, pricesAtHours } from "../domain/valuation/prices/price_now.ts";
import { EMPTY } from "../lib/bytes.ts";
import { HOUR_S } from "../lib/time.ts";
import type { Writer } from "../store/writer.ts";
import { openPricePass } from "./prices.ts";

const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

test("whole hours are stored once, with volume, mid and the carried price, and the native coin has both names", async () => {
  const network = "stored";
  await store.writer.insert("tokens", tokens(network));
  await store.seed(
    { network, from: 10, to: 16 },
    {
      blocks: blocks(network, 10, 16),
      pools: [usdcWeth(network)],
      pool_states: [
        sync(network, 10, [100_000n * DOLLAR, 50n * ETHER]),
        sync(network, 14, [4_000n * DOLLAR, 2n * ETHER]),
      ],
      // Hour 0: 1 WETH for 2,100 and 1 for 1,900, of which a flash swap in the same transaction returns 9 dollars.
      swaps: [
        swap(network, 10, [2_100n * DOLLAR, -ETHER]),
        swap(network, 11, [-1_900n * DOLLAR, ETHER]),
        { ...swap(network, 11, [9n * DOLLAR, 9n * ETHER]), log_index: 9 },
      ],
    },
  );
  const update = openPricePass({ network: networkOf(network), store });
  await update(signal);
  await update(signal);
  const rows = await store.query(
    `SELECT toUnixTimestamp(hour), lower(hex(token)), price_usd, volume_usd, depth_usd, method, confidence FROM prices WHERE network = '${network}' AND token != unhex('${hex.USDC}') ORDER BY hour, token`,
  );
  // Hour 0: traded. Hour 1: mid at 100,000 / 50. Hour 2: 4,000 is too thin, so the last price. Hour 3 is not over.
  const lines = (hour: number, said: readonly unknown[]) => [
    [T0 + hour * HOUR_S, "", ...said],
    [T0 + hour * HOUR_S, hex.WETH, ...said],
  ];
  expect(rows).toEqual([
    ...lines(0, [2000, 3991, 100_000, "market", "medium"]),
    ...lines(1, [2000, 0, 100_000, "market", "medium"]),
    ...lines(2, [2000, 0, 4_000, "last", "low"]),
  ]);
});

test("a price at a block does not depend on later blocks, whether hours are stored or not", async () => {
  const network = "past";
  await store.writer.insert("tokens", tokens(network));
  const seed = {
    blocks: blocks(network, 10, 16),
    pools: [usdcWeth(network)],
    pool_states: [
      sync(network, 10, [100_000n * DOLLAR, 50n * ETHER]),
      sync(network, 13, [120_000n * DOLLAR, 50n * ETHER]),
      sync(network, 16, [150_000n * DOLLAR, 50n * ETHER]),
    ],
  };
  await store.seed({ network, from: 10, to: 16 }, seed);
  const priceAt = async (block: number) => {
    const snapshot = await store.facts.snapshot(network, block);
    return (await pricesAt({ facts: store.facts, network: networkOf(network), snapshot }, [""])).get("");
  };
  const hourly = async () => {
    const snapshot = await store.facts.snapshot(network, 16);
    const wanted = [0, 1, 2, 3, 4].map((hour) => ({ token: hex.WETH, hour: T0 + hour * HOUR_S }));
    const prices = await pricesAtHours({ facts: store.facts, network: networkOf(network), snapshot }, wanted);
    return wanted.map(({ token, hour }) => prices.get(priceKey(token, hour))?.price_usd ?? null);
  };
  const look = async () => [await priceAt(12), await priceAt(13), await priceAt(16), await hourly()];
  const before = await look();
  // Blocks are half an hour apart; a price that changed in the newest second has not held yet. 100,000 / 50 for hour 0 and
  // half of hour 1, 120,000 / 50 until hour 3. Hour 4 has not begun.
  expect(before).toMatchObject([
    { price_usd: 2000, method: "market", hour: T0 + HOUR_S },
    { price_usd: 2000, hour: T0 + HOUR_S },
    { price_usd: 2400, hour: T0 + 3 * HOUR_S },
    [2000, expect.closeTo(Math.sqrt(2000 * 2400), 9), 2400, 2400, null],
  ]);
  await openPricePass({ network: networkOf(network), store })(signal);
  expect(await look()).toEqual(before);
});

test("the depth of a concentrated pool is its balance in the ledger, openings included", async () => {
  const network = "deep";
  await store.writer.insert("tokens", tokens(network));
  await store.writer.insert("openings", [
    { network, holder: POOL3, token: USDC, amount: 20_000n * DOLLAR, block_number: 9 },
    { network, holder: POOL3, token: TOK, amount: 6_000n * ETHER, block_number: 9 },
  ]);
  await store.seed(
    { network, from: 10, to: 13 },
    {
      blocks: blocks(network, 10, 13),
      pools: [{ ...pool(network, { pool: POOL3, token0: USDC, token1: TOK }), family: "uniswap_v3" }],
      transfers: [
        transferRow(network, 10, { token: USDC, amount: 7_000n * DOLLAR }),
        transferRow(network, 12, { token: USDC, amount: 1_000n * DOLLAR }),
        transferRow(network, 12, { token: TOK, amount: 5n * ETHER }),
      ],
      pool_states: [
        {
          ...at(network, 10),
          pool: POOL3,
          log_index: 0,
          reserve0: 0n,
          reserve1: 0n,
          // Root 5 * 10^5: 2.5 * 10^11 raw TOK per raw USDC, 0.25 TOK per USDC, 4 USD per TOK.
          sqrt_price_x96: 500_000n << 96n,
          // 100,000 USDC on the curve.
          liquidity: 500_000n * 100_000n * DOLLAR,
          tick: 0,
        },
      ],
    },
  );
  const depthAt = async (block: number) => {
    const snapshot = await store.facts.snapshot(network, block);
    const price = (await pricesAt({ facts: store.facts, network: networkOf(network), snapshot }, [hex.TOK])).get(
      hex.TOK,
    );
    return [price?.price_usd, price?.depth_usd];
  };
  // 20,000 + 7,000, and 1,000 more from block 12 on.
  expect(await depthAt(11)).toEqual([4, 27_000]);
  expect(await depthAt(13)).toEqual([4, 28_000]);
  await openPricePass({ network: networkOf(network), store })(signal);
  const rows = await store.query(
    `SELECT depth_usd FROM prices WHERE network = '${network}' AND token = unhex('${hex.TOK}')`,
  );
  expect(rows).toEqual([[27_000]]);
});

test("a pool of an unknown factory makes no price", async () => {
  const network = "strange";
  await store.writer.insert("tokens", tokens(network));
  await store.seed(
    { network, from: 10, to: 13 },
    {
      blocks: blocks(network, 10, 13),
      pools: [{ ...usdcWeth(network), venue: "" }],
      pool_states: [sync(network, 10, [100_000n * DOLLAR, 50n * ETHER])],
    },
  );
  const snapshot = await store.facts.snapshot(network, 13);
  const prices = await pricesAt({ facts: store.facts, network: networkOf(network), snapshot }, [
    hex.WETH,
    hex.USDC,
    "",
  ]);
  expect([...prices.keys()]).toEqual([hex.USDC]);
});

test.each([
  ["grown", 1],
  ["grown_unopened", 0],
] as const)(
  "when history has grown at its old end the hours are priced again from there (%s)",
  async (network, is_opened) => {
    await store.writer.insert("tokens", tokens(network));
    const pools = [{ ...usdcWeth(network), tx_hash: EMPTY }];
    await store.seed(
      { network, from: 14, to: 20, first: 10, is_opened },
      { blocks: blocks(network, 14, 20), pool_states: [], swaps: [] },
    );
    const update = openPricePass({ network: networkOf(network), store });
    await update(signal);
    await store.seed(
      { network, from: 10, to: 13, first: 10, is_opened },
      {
        blocks: blocks(network, 10, 13),
        pools: pools,
        pool_states: [sync(network, 10, [100_000n * DOLLAR, 50n * ETHER])],
      },
    );
    await update(signal);
    const rows = await store.query(
      `SELECT toUnixTimestamp(hour), price_usd FROM prices FINAL WHERE network = '${network}' AND token = unhex('${hex.WETH}') ORDER BY hour`,
    );
    expect(rows).toEqual([0, 1, 2, 3, 4].map((hour) => [T0 + hour * HOUR_S, 2000]));
  },
);

test("tells how much is priced while it derives a long history, and nothing before and after it", async () => {
  const network = "again";
  await store.writer.insert("tokens", tokens(network));
  // 101 blocks, half an hour each: the hours 0 to 49 are over. The first window has 48 of them.
  await store.seed({ network, from: 10, to: 110 }, { blocks: blocks(network, 10, 110), pools: [usdcWeth(network)] });
  const shares: (number | null)[] = [];
  const writer: Pick<Writer, "insert"> = {
    insert: (...asked) => {
      shares.push(pass.share());
      return store.writer.insert(...asked);
    },
  };
  const pass = openPricePass({ network: networkOf(network), store: { facts: store.facts, writer } });
  expect(pass.share()).toBeNull();
  await pass(signal);
  expect(shares).toEqual([0, 0.96]);
  expect(pass.share()).toBeNull();
});
