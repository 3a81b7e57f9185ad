import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "../../test/value_rows.ts";
import { SILENT_OPERATOR } from "../domain/operator.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { replaceList } from "../store/lists.ts";
import { getWalletPnl } from "./get_wallet_pnl/index.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletRiskOverview } from "./get_wallet_risk_overview.ts";
import { getWalletStats } from "./get_wallet_stats/index.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";

/**
 * An attacker puts 5,100 dollars into a pool against a millionth of a token of his own, which makes the token 5.1 billion
 * dollars dear, sends 1,000 of them to a wallet, and takes his dollars back three days later.
 */

const [USDC, FAKE] = [hex("cc".repeat(20)), hex("fa".repeat(20))];
const [WALLET, TWIN] = [addressOf(0xa1), addressOf(0xa2)];
const [LISTED, BANK, PLAYER, POOL] = [addressOf(0xb1), addressOf(0xb2), addressOf(0xb3), addressOf(0xb4)];
const DOLLAR = 10n ** 6n;
const TOKEN = 10n ** 18n;
const PAID_IN_USD = 5_100;
const GIFT_BLOCK = 103;
const REMOVED_BLOCK = 106;
const HEAD = 107;
const IMPORTED_MS = 1_000 * dayOf(HEAD);

const chain = fixedChain({
  network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
  tokens: {
    [USDC]: { standard: "erc20", decimals: 6, symbol: "USDC", total_supply: 10n ** 12n },
    [FAKE]: { standard: "erc20", decimals: 18, symbol: "DEAR", total_supply: 10n ** 27n },
  },
  token_balances: {
    ...{ [`${USDC}:${WALLET}`]: 3_100n * DOLLAR, [`${USDC}:${TWIN}`]: 3_100n * DOLLAR },
    [`${FAKE}:${WALLET}`]: 1_000n * TOKEN,
  },
});

const timeOf = (block: number): number => dayOf(block) + (block === HEAD ? 5_400 : 0);
const scope = (block: number) => ({ network: "demo", block_number: block, time: timeOf(block) });
const sent = (block: number, token: Hex, [source, destination, amount]: readonly [Hex, Hex, bigint]) =>
  transfersOf({ block }, source, [{ kind: "erc20", token, source, destination, amount }]);
const stateRow = (block: number, token: bigint, dollars: bigint) => ({
  ...scope(block),
  ...{ pool: bytesOf(POOL), log_index: 9, reserve0: token, reserve1: dollars * DOLLAR },
  ...{ sqrt_price_x96: 0n, liquidity: 0n, tick: 0 },
});

const seed = async (store: TestFacts): Promise<void> => {
  const both = [WALLET, TWIN].flatMap((wallet) => [
    ...sent(100, USDC, [LISTED, wallet, 3_000n * DOLLAR]),
    ...sent(101, USDC, [BANK, wallet, 100n * DOLLAR]),
  ]);
  const transfers = [
    ...both.map((row, i) => ({ ...row, tx_index: i })),
    ...sent(GIFT_BLOCK, FAKE, [PLAYER, WALLET, 1_000n * TOKEN]),
  ];
  const pool = {
    ...{ ...scope(102), pool: bytesOf(POOL), family: "uniswap_v2", venue: "uni2", factory: bytesOf(addressOf(0xfac)) },
    ...{ token0: bytesOf(FAKE), token1: bytesOf(USDC), fee_ppm: 3_000, tick_spacing: 0, hooks: "" },
    ...{ tx_index: 0, log_index: 1, tx_hash: blockHash(102_000), creator: bytesOf(PLAYER) },
  };
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers,
      pools: [pool],
      pool_states: [stateRow(102, 10n ** 12n, BigInt(PAID_IN_USD)), stateRow(REMOVED_BLOCK, 0n, 0n)],
      tokens: [tokenRow(USDC, "USDC", 6), tokenRow(FAKE, "DEAR", 18)],
    },
  );
  const entry = { family: "evm", address: LISTED, asset_code: "ETH", entity: "Entity", program: "P" };
  await replaceList(
    store,
    {
      ...{ list: "authority", kind: "sanctions", version: "v1", format: "sanctions-json", origin: "test" },
      ...{ licence: "CC0-1.0", published_on: "2026-01-01" },
    },
    {
      kind: "sanctions",
      entries: [{ ...entry, listed_on: "2024-01-02", delisted_on: "" }],
      now_ms: IMPORTED_MS,
    },
  );
};

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seed(store);
});
afterAll(() => store.close());

const context = () =>
  callContext({
    facts: store.facts,
    chain: () => chain,
    operator: { ...SILENT_OPERATOR, sanctions: { max_age_hours: 168, now_ms: () => IMPORTED_MS } },
  });

const dataOf = <D>(outcome: { readonly kind: string; readonly data?: D }): D => {
  if (outcome.kind !== "data" || outcome.data === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.data;
};

const holdingsAt = async (as_of_block: number) =>
  dataOf(
    await runTool(
      getWalletTokenHoldings,
      { wallet_address: `0x${WALLET}`, network: "demo", include_spam: true, as_of_block },
      context(),
    ),
  );

test("the tokens are worth at most what the pool can pay, and nothing once it is empty", async () => {
  const before = await holdingsAt(REMOVED_BLOCK - 1);
  const dear = before.holdings.find(({ symbol }) => symbol === "DEAR");
  expect(dear?.usd_value ?? 0).toBeLessThanOrEqual(PAID_IN_USD);
  expect(before.summary.total_value_usd).toBeLessThanOrEqual(3_100 + PAID_IN_USD);
  // A pool of so little may give no price at all; where it does, the answer says why the value is not price times amount.
  if (dear?.price_usd != null) {
    expect(dear).toMatchObject({ value_limit: "low_liquidity", spot_value_usd: 1_000 * dear.price_usd });
  }
  const after = await holdingsAt(HEAD);
  expect(after.holdings.find(({ symbol }) => symbol === "DEAR")?.usd_value ?? 0).toBe(0);
  expect(after.summary.total_value_usd).toBe(3_100);
});

test("the portfolio and the inflow hold no more than the pool can pay", async () => {
  const asked = { wallet_address: `0x${WALLET}`, network: "demo", include_spam: true, as_of_block: REMOVED_BLOCK - 1 };
  const portfolio = dataOf(await runTool(getWalletPortfolioBreakdown, asked, context()));
  expect(portfolio.total_value_usd).toBeLessThanOrEqual(3_100 + PAID_IN_USD);
  const stats = dataOf(await runTool(getWalletStats, { address: `0x${WALLET}`, network: "demo" }, context()));
  expect(stats.total_in_usd).toBeGreaterThanOrEqual(3_100);
  expect(stats.total_in_usd).toBeLessThanOrEqual(3_100 + PAID_IN_USD);
});

test("a wallet with sanctioned money has the score and the share of its twin without the tokens", async () => {
  const riskOf = async (wallet: Hex) => {
    const asked = { address: `0x${wallet}`, network: "demo" };
    const { risk_score, categories } = dataOf(await runTool(getWalletRiskOverview, asked, context()));
    return { risk_score, shares: categories.map((found) => [found.category, found.share_in_percent]) };
  };
  const twin = await riskOf(TWIN);
  // 3,000 of 3,100 dollars.
  expect(twin.shares).toEqual([["sanctioned", expect.closeTo((100 * 3_000) / 3_100, 9)]]);
  expect(await riskOf(WALLET)).toEqual(twin);
});

test("neither the gift nor the end of its liquidity is a profit or a loss", async () => {
  for (const as_of_block of [REMOVED_BLOCK - 1, HEAD]) {
    const asked = { address: `0x${WALLET}`, network: "demo", as_of_block, include_spam: true };
    const found = dataOf(await runTool(getWalletPnl, asked, context()));
    expect(found.summary).toMatchObject({ total_pnl_usd: 0, total_realized_pnl_usd: 0, losing_tokens: 0 });
  }
});
