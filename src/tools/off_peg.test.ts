import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { toHex } from "../lib/bytes.ts";
import { getTokenInfo } from "./get_token_info/index.ts";
import { getTokenMarketAnalysis } from "./get_token_market_analysis/index.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";

const network = "demo";
const UNIT = 10n ** 6n;
const SUPPLY = 10_000_000n * UNIT;
const BLOCK = 10;
const TIME = 1_700_006_400;
const [ONE, TWO, LOW, HOLDER] = [testAddress(1), testAddress(2), testAddress(3), testAddress(9)];
const COINS = [ONE, TWO, LOW];
/** LOW trades at 0.95 against both others, which agree. */
const POOLS = [
  { coins: [ONE, TWO], reserves: [1_000_000n, 1_000_000n] },
  { coins: [ONE, LOW], reserves: [95_000n, 100_000n] },
  { coins: [TWO, LOW], reserves: [95_000n, 100_000n] },
] as const;

const at = { network, block_number: BLOCK, tx_index: 0, time: TIME, tx_hash: blockHash(BLOCK) };
const poolOf = (number: number) => testAddress(0x20 + number);
const face = { standard: "erc20", name: "Coin", symbol: "COIN", decimals: 6, total_supply: SUPPLY };

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.writer.insert(
    "tokens",
    COINS.map((token) => ({ network, token, ...face, read_at_block: BLOCK, has_hidden: 0 })),
  );
  await store.writer.insert(
    "pools_read",
    POOLS.map(({ coins: [token0, token1] }, number) => ({
      ...{ network, pool: poolOf(number), family: "uniswap_v2", venue: "uniswap_v2", factory: testAddress(6) },
      ...{ token0, token1, fee_ppm: 3000, tick_spacing: 0 },
    })),
  );
  await store.seed(
    { network, from: 0, to: BLOCK, time: TIME - 12 * BLOCK },
    {
      transfers: COINS.map((token, position) => ({
        ...{ ...at, position, kind: "erc20" as const, token_id: 0n, sender: HOLDER },
        ...{ source: new Uint8Array(), destination: HOLDER, token, amount: SUPPLY },
      })),
      pool_states: POOLS.map(({ reserves: [reserve0, reserve1] }, number) => ({
        ...{ ...at, log_index: number, pool: poolOf(number) },
        ...{ reserve0: reserve0 * UNIT, reserve1: reserve1 * UNIT, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 },
      })),
    },
  );
});
afterAll(() => store.close());

const chain = fixedChain({
  network: {
    id: network,
    stablecoins: COINS.map((coin, n) => ({ symbol: ["ONE", "TWO", "LOW"][n] ?? "", address: toHex(coin), peg: "USD" })),
  },
  accounts: Object.fromEntries(COINS.map((coin) => [toHex(coin), { code: new Uint8Array([1]) }])),
  tokens: Object.fromEntries(COINS.map((coin) => [toHex(coin), face])),
});

const warningsOf = async (outcome: ReturnType<typeof runTool>): Promise<readonly string[]> => {
  const answer = await outcome;
  if (answer.kind !== "data") throw new Error(JSON.stringify(answer));
  // Standard metadata of every answer.
  const { warnings } = answer.data.metadata as { warnings: { code: string; message: string }[] };
  return warnings.flatMap(({ code, message }) => (code === "OFF_PEG" ? [message] : []));
};

test("every tool that shows the price of a dollar coin off its peg warns of it, and of no other coin", async () => {
  const context = callContext({ facts: store.facts, chain: () => chain });
  const about = (coin: Uint8Array) => ({ token_address: `0x${toHex(coin)}`, network });
  const told = ["LOW on demo traded 5.0 % below its peg of 1 USD over the hour; values use its market price."];
  expect(await warningsOf(runTool(getTokenInfo, about(LOW), context))).toEqual(told);
  expect(await warningsOf(runTool(getTokenInfo, about(ONE), context))).toEqual([]);
  expect(await warningsOf(runTool(getTokenMarketAnalysis, about(LOW), context))).toEqual(told);
  expect(await warningsOf(runTool(getTokenMarketAnalysis, about(TWO), context))).toEqual([]);
  const holdings = { wallet_address: `0x${toHex(HOLDER)}`, network };
  expect(await warningsOf(runTool(getWalletTokenHoldings, holdings, context))).toEqual(told);
});
