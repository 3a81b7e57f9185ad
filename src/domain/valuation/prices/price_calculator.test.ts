import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { type Bytes, toHex } from "../../../lib/bytes.ts";
import { pricesAt } from "./price_now.ts";

const network = "untold";
const [USDC, TOK, POOL, TRADER] = [testAddress(1), testAddress(2), testAddress(3), testAddress(4)];
/** Pairs of pools whose events do not report their holdings. */
const CURVE_PAIR = Uint8Array.from([...testAddress(5), 0, 1]);
const BALANCER_PAIR = Uint8Array.from([...new Uint8Array(32).fill(7), ...USDC, ...TOK]);
const UNIT = 10n ** 6n;
const at = { network, block_number: 10, time: 1_700_006_400 };
const inLog = (log_index: number) => ({ ...at, tx_index: 0, tx_hash: blockHash(10), log_index });

const read = (pool: Bytes, family: string) => ({
  network,
  pool,
  family,
  venue: family,
  factory: testAddress(6),
  token0: USDC,
  token1: TOK,
  fee_ppm: 3000,
  tick_spacing: 0,
});

/** Nine million dollars for one coin. */
const trade = (pool: Bytes, log_index: number) => ({
  ...inLog(log_index),
  pool,
  caller: TRADER,
  recipient: TRADER,
  trader: TRADER,
  amount0: 9_000_000n * UNIT,
  amount1: -UNIT,
});

const token = (address: Bytes) => ({
  network,
  token: address,
  standard: "erc20",
  name: null,
  symbol: null,
  decimals: 6,
  total_supply: null,
  read_at_block: 10,
  has_hidden: 0,
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.writer.insert("tokens", [token(USDC), token(TOK)]);
  const told = read(POOL, "uniswap_v2");
  const untold = [read(CURVE_PAIR, "curve"), read(BALANCER_PAIR, "balancer_v2")];
  await store.writer.insert("pools_read", [told, ...untold]);
  const state = { reserve0: 100_000n * UNIT, reserve1: 50n * UNIT, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 };
  await store.seed(
    { network, from: 10, to: 10 },
    {
      blocks: [
        {
          ...at,
          hash: blockHash(10),
          parent_hash: blockHash(9),
          producer: TRADER,
          transaction_count: 1,
          has_traces: 1,
          verified: "full" as const,
        },
      ],
      pool_states: [{ ...at, log_index: 1, pool: POOL, ...state }],
      swaps: [trade(CURVE_PAIR, 3), trade(BALANCER_PAIR, 4)],
    },
  );
});
afterAll(() => store.close());

test("a pool with unknown holdings gives no price, however much it trades", async () => {
  const coin = { symbol: "USDC", address: toHex(USDC), peg: "USD" };
  const chain = fixedChain({ network: { id: network, stablecoins: [coin] } });
  const snapshot = await store.facts.snapshot(network, 10);
  const prices = await pricesAt({ facts: store.facts, network: chain.network, snapshot }, [toHex(TOK)]);
  // 100,000 / 50 by the one pool with reported reserves, which had no trade: not nine million.
  expect(prices.get(toHex(TOK))).toMatchObject({ price_usd: 2000, depth_usd: 100_000, method: "market" });
});
