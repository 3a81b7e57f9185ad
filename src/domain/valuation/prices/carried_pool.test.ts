import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { toHex } from "../../../lib/bytes.ts";
import { HOUR_S } from "../../../lib/time.ts";
import { storedPoolEvents } from "./pool_events.ts";
import { PriceCalculator } from "./price_calculator.ts";

const network = "ranges";
const [USDC, TOK, POOL, TRADER] = [testAddress(1), testAddress(2), testAddress(3), testAddress(4)];
const UNIT = 10n ** 6n;
const START = 1_700_006_400;
const TRADE_BLOCK = 10;
const LAST_BLOCK = 12;

const timeOf = (block_number: number): number => START + (block_number - TRADE_BLOCK) * 12;
const at = (block_number: number, log_index: number) => ({
  ...{ network, block_number, tx_index: 0, log_index, time: timeOf(block_number), tx_hash: blockHash(block_number) },
  pool: POOL,
});
const token = (address: Uint8Array) => ({
  ...{ network, token: address, standard: "erc20", name: null, symbol: null, decimals: 6, total_supply: null },
  ...{ read_at_block: TRADE_BLOCK, has_hidden: 0 },
});

const change = (
  place: readonly [number, number],
  kind: "mint" | "burn",
  [liquidity, low, high]: readonly [bigint, number, number],
) => ({
  ...at(...place),
  ...{ kind, owner: TRADER, actor: TRADER, amount0: 0n, amount1: 0n, liquidity, tick_lower: low, tick_upper: high },
});

/** The trade leaves the price at 1, tick 0, with 5,000 units in range. */
const TRADED = 5_000n * UNIT;
const CHANGES = [
  // Before the trade, in its block and an earlier one: the trade's state includes them.
  change([TRADE_BLOCK - 1, 1], "mint", [7_000n * UNIT, -60, 60]),
  change([TRADE_BLOCK, 1], "mint", [900n * UNIT, -60, 60]),
  // After it: in range, with the price at the lower end, at the upper end (outside), and left again.
  change([TRADE_BLOCK, 3], "mint", [1_000n * UNIT, -60, 60]),
  change([TRADE_BLOCK + 1, 0], "mint", [400n * UNIT, 0, 60]),
  change([TRADE_BLOCK + 1, 1], "mint", [50_000n * UNIT, -60, 0]),
  change([LAST_BLOCK, 0], "burn", [300n * UNIT, -60, 60]),
];
const IN_RANGE = 5_000 + 1_000 + 400 - 300;

const block = (number: number) => ({
  ...{
    network,
    block_number: number,
    time: timeOf(number),
    hash: blockHash(number),
    parent_hash: blockHash(number - 1),
  },
  ...{ producer: TRADER, transaction_count: 1, has_traces: 1, verified: "full" as const },
});

const payment = (coin: Uint8Array, position: number) => ({
  ...{ network, block_number: TRADE_BLOCK - 1, tx_index: 0, position, time: timeOf(TRADE_BLOCK - 1) },
  ...{ kind: "erc20" as const, token_id: 0n, sender: TRADER, source: TRADER, destination: POOL },
  ...{ token: coin, amount: 100_000n * UNIT },
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.writer.insert("tokens", [token(USDC), token(TOK)]);
  const read = { network, pool: POOL, family: "uniswap_v3", venue: "uniswap_v3", factory: testAddress(6) };
  await store.writer.insert("pools_read", [{ ...read, token0: USDC, token1: TOK, fee_ppm: 3000, tick_spacing: 60 }]);
  const state = { reserve0: 0n, reserve1: 0n, sqrt_price_x96: 2n ** 96n, liquidity: TRADED, tick: 0 };
  const numbers = [TRADE_BLOCK - 1, TRADE_BLOCK, TRADE_BLOCK + 1, LAST_BLOCK];
  await store.seed(
    { network, from: TRADE_BLOCK - 1, to: LAST_BLOCK },
    {
      blocks: numbers.map(block),
      transfers: [payment(USDC, 0), payment(TOK, 1)],
      pool_states: [{ ...at(TRADE_BLOCK, 2), ...state }],
      liquidity_events: CHANGES,
    },
  );
});
afterAll(() => store.close());

const contextOf = async () => {
  const coin = { symbol: "USDC", address: toHex(USDC), peg: "USD" };
  const chain = fixedChain({ network: { id: network, stablecoins: [coin] } });
  const snapshot = await store.facts.snapshot(network, null);
  return { facts: store.facts, network: chain.network, snapshot };
};
const PRICED = {
  ...{ pool: toHex(POOL), family: "uniswap_v3", token0: toHex(USDC), token1: toHex(TOK) },
  ...{ decimals0: 6, decimals1: 6 },
};

test.each([
  { name: "opened before the trade", hour: START },
  { name: "opened in the hour after the trade", hour: START + HOUR_S },
])("a book $name counts the liquidity in range that no trade reported", async ({ hour }) => {
  const context = await contextOf();
  const events = storedPoolEvents(context);
  const book = await PriceCalculator.open(events, [PRICED], { hour, is_all: false });
  const prices = (await book.advance(events, START + HOUR_S)).at(-1)?.prices.get(toHex(TOK));
  // At price 1 and equal decimals, liquidity is the reserve of the curve (v3 whitepaper, 6.2).
  expect(prices?.price_usd).toBeCloseTo(1, 9);
  expect(prices?.sells?.reserve).toBeCloseTo(IN_RANGE, 6);
});
