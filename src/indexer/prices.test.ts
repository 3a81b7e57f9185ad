import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { priceKey, pricesAt, pricesAtHours } from "../analysis/price_now.ts";
import type { Network } from "../chains/chain.ts";
import { EMPTY, toHex } from "../lib/bytes.ts";
import { HOUR_S } from "../lib/time.ts";
import { openPricePass } from "./prices.ts";

const [USDC, WETH, TOK, POOL2, POOL3] = [0x1, 0x2, 0x3, 0xa2, 0xa3].map(testAddress) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]; // five numbers, five addresses
const hex = { USDC: toHex(USDC), WETH: toHex(WETH), TOK: toHex(TOK) };

const networkOf = (id: string): Network => ({
  id,
  name: id,
  family: "evm",
  chain_id: 1,
  caip2: "eip155:1",
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: hex.WETH,
  stablecoins: [{ symbol: "USDC", address: hex.USDC, peg: "USD" }],
  finality_blocks: 64,
  block_seconds: 12,
  multicall: null,
  ens: null,
});

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
/** First second of an hour. */
const T0 = 1_700_006_400;

const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** Block n stands at T0 + (n - 10) half hours: 10 and 11 in the first hour, 12 and 13 in the second … */
const timeOf = (block: number): number => T0 + (block - 10) * 1800;
const at = (network: string, block_number: number) => ({ network, block_number, time: timeOf(block_number) });
const inLog = (network: string, block_number: number, log_index = 0) => ({
  ...at(network, block_number),
  tx_index: 0,
  tx_hash: blockHash(block_number),
  log_index,
});

const blocks = (network: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    ...at(network, from + index),
    hash: blockHash(from + index),
    parent_hash: blockHash(from + index - 1),
    producer: testAddress(0xbeef),
    transaction_count: 1,
    has_traces: 1,
  }));

const pool = (
  network: string,
  where: { pool: Uint8Array; token0: Uint8Array; token1: Uint8Array; venue?: string },
) => ({
  ...inLog(network, 10),
  family: "uniswap_v2",
  venue: "uniswap_v2",
  factory: testAddress(0xf2),
  fee_ppm: 3000,
  tick_spacing: 0,
  creator: testAddress(0xc),
  ...where,
});

const sync = (network: string, block: number, [reserve0, reserve1]: readonly [bigint, bigint]) => ({
  ...at(network, block),
  log_index: 1,
  pool: POOL2,
  reserve0,
  reserve1,
  sqrt_price_x96: 0n,
  liquidity: 0n,
  tick: 0,
});

const swap = (network: string, block: number, [amount0, amount1]: readonly [bigint, bigint]) => ({
  ...inLog(network, block, 2),
  pool: POOL2,
  caller: testAddress(0xd),
  recipient: testAddress(0xd),
  trader: testAddress(0xd),
  amount0,
  amount1,
});

const token = (network: string, address: Uint8Array, decimals: number) => ({
  network,
  token: address,
  standard: "erc20",
  name: null,
  symbol: null,
  decimals,
  total_supply: null,
  read_at_block: 10,
});

const move = (network: string, block: number, to: { token: Uint8Array; amount: bigint }) => ({
  ...at(network, block),
  tx_index: 0,
  tx_hash: blockHash(block),
  position: 1_048_576 + (to.token === USDC ? 0 : 1),
  kind: "erc20" as const,
  token: to.token,
  token_id: 0n,
  source: testAddress(0xc),
  destination: POOL3,
  amount: to.amount,
  sender: testAddress(0xc),
});

const tokens = (network: string) => [token(network, USDC, 6), token(network, WETH, 18), token(network, TOK, 18)];

/** token0 USDC, token1 WETH: 100,000 USD against 50 WETH = 2,000. */
const usdcWeth = (network: string) => pool(network, { pool: POOL2, token0: USDC, token1: WETH });

test("whole hours are stored once, with volume, mid and the carried price, and the native coin has both names", async () => {
  const network = "stored";
  await store.writer.insert("tokens", tokens(network));
  await store.seed(
    { network, from: 10, to: 16 },
    {
      blocks_final: blocks(network, 10, 16),
      pools_final: [usdcWeth(network)],
      pool_states_final: [
        sync(network, 10, [100_000n * DOLLAR, 50n * ETHER]),
        sync(network, 14, [4_000n * DOLLAR, 2n * ETHER]),
      ],
      // Hour 0: 1 WETH for 2,100 and 1 for 1,900 (and a flash swap, which is no trade): 2,000 each.
      swaps_final: [
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
    `SELECT toUnixTimestamp(hour), lower(hex(token)), price_usd, volume_usd, depth_usd, method, confidence, version FROM prices WHERE network = '${network}' AND token != unhex('${hex.USDC}') ORDER BY hour, token`,
  );
  // Hour 0: traded. Hour 1: rests at 100,000 / 50. Hour 2: 4,000 is too thin, so the last price. Hour 3 is not over.
  const lines = (hour: number, said: readonly unknown[]) => [
    [T0 + hour * HOUR_S, "", ...said],
    [T0 + hour * HOUR_S, hex.WETH, ...said],
  ];
  expect(rows).toEqual([
    ...lines(0, [2000, 4000, 100_000, "vwap", "medium", "11"]),
    ...lines(1, [2000, 0, 100_000, "mid", "medium", "13"]),
    ...lines(2, [2000, 0, 4_000, "last", "low", "15"]),
  ]);
});

test("a price at a block knows nothing of later blocks, whether hours are stored or not", async () => {
  const network = "past";
  await store.writer.insert("tokens", tokens(network));
  const seed = {
    blocks_final: blocks(network, 10, 16),
    pools_final: [usdcWeth(network)],
    pool_states_final: [
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
  // 100,000 / 50; 120,000 / 50; 150,000 / 50. Hour 4 has not begun.
  expect(before).toMatchObject([
    { price_usd: 2000, method: "mid", hour: T0 + HOUR_S },
    { price_usd: 2400, hour: T0 + HOUR_S },
    { price_usd: 3000, hour: T0 + 3 * HOUR_S },
    [2000, 2400, 2400, 3000, null],
  ]);
  await openPricePass({ network: networkOf(network), store })(signal);
  expect(await look()).toEqual(before);
});

test("the depth of a concentrated pool is what the ledger says it holds, openings included", async () => {
  const network = "deep";
  await store.writer.insert("tokens", tokens(network));
  await store.writer.insert("openings", [
    { network, holder: POOL3, token: USDC, amount: 20_000n * DOLLAR, block_number: 9 },
  ]);
  await store.seed(
    { network, from: 10, to: 13 },
    {
      blocks_final: blocks(network, 10, 13),
      pools_final: [{ ...pool(network, { pool: POOL3, token0: USDC, token1: TOK }), family: "uniswap_v3" }],
      transfers_final: [
        move(network, 10, { token: USDC, amount: 7_000n * DOLLAR }),
        move(network, 12, { token: USDC, amount: 1_000n * DOLLAR }),
        move(network, 12, { token: TOK, amount: 5n * ETHER }),
      ],
      pool_states_final: [
        {
          ...at(network, 11),
          pool: POOL3,
          log_index: 0,
          reserve0: 0n,
          reserve1: 0n,
          // Root 5 * 10^5: 2.5 * 10^11 raw TOK per raw USDC, 0.25 TOK per USDC, 4 USD per TOK.
          sqrt_price_x96: 500_000n << 96n,
          liquidity: 1n,
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
      blocks_final: blocks(network, 10, 13),
      pools_final: [{ ...usdcWeth(network), venue: "" }],
      pool_states_final: [sync(network, 10, [100_000n * DOLLAR, 50n * ETHER])],
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

test("when history grows at its old end the hours are priced anew from there", async () => {
  const network = "grown";
  await store.writer.insert("tokens", tokens(network));
  const pools = [{ ...usdcWeth(network), tx_hash: EMPTY }];
  await store.seed(
    { network, from: 14, to: 20, first: 10 },
    { blocks_final: blocks(network, 14, 20), pool_states_final: [], swaps_final: [] },
  );
  const update = openPricePass({ network: networkOf(network), store });
  await update(signal);
  await store.seed(
    { network, from: 10, to: 13, first: 10 },
    {
      blocks_final: blocks(network, 10, 13),
      pools_final: pools,
      pool_states_final: [sync(network, 10, [100_000n * DOLLAR, 50n * ETHER])],
    },
  );
  await update(signal);
  const rows = await store.query(
    `SELECT toUnixTimestamp(hour), price_usd FROM prices FINAL WHERE network = '${network}' AND token = unhex('${hex.WETH}') ORDER BY hour`,
  );
  expect(rows).toEqual([0, 1, 2, 3, 4].map((hour) => [T0 + hour * HOUR_S, 2000]));
});
