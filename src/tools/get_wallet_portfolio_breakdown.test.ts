import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { contextOf, STRANGER, seedHoldings, state, WALLET } from "../../test/holdings_world.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  await seedHoldings(store, "demo");
  await seedHoldings(store, "other");
});
afterAll(() => store.close());

const portfolioOf = (asked: object = {}, context = contextOf(store.facts, { demo: state })) =>
  runTool(getWalletPortfolioBreakdown, { wallet_address: `0x${WALLET}`, network: "demo", ...asked }, context);

const portfolio = async (...args: Parameters<typeof portfolioOf>) => {
  const outcome = await portfolioOf(...args);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletPortfolioBreakdown.output.parse(outcome.data);
};

describe("portfolio", () => {
  test("native and wrapped are one asset in the composition", async () => {
    const answer = await portfolio();
    // ETH + WETH 1,500 of 1,800, USDC 300: HHI = 25/36 + 1/36 = 26/36.
    expect(answer).toMatchObject({
      total_value_displayed: "$1,800.00",
      total_value_usd: 1_800,
      tokens_without_price: 1,
      hidden_spam: 3,
      positions: [],
      composition_analysis: { diversification: "highly_concentrated", unpriced_count: 1 },
    });
    expect(answer.composition_analysis.hhi).toBeCloseTo(26 / 36, 12);
    expect(answer.composition_analysis.stablecoin_percent).toBeCloseTo(100 / 6, 10);
    expect(answer.composition_analysis.by_category.map(({ category, holdings }) => [category, holdings])).toEqual([
      ["native", 2],
      ["stablecoin", 1],
      ["nft_excluded", 1],
    ]);
    expect(answer.major_holdings).toEqual([
      { symbol: "ETH", name: "ETH", usd_value: 1_000 },
      { symbol: "WETH", name: "WETH", usd_value: 500 },
      { symbol: "USDC", name: "USDC", usd_value: 300 },
    ]);
  });

  test("staked coins are positions, and the total is holdings plus positions", async () => {
    // 1,000 dollars of ETH are one coin (holdings_world): two more are staked.
    const [eth] = (await portfolio()).top_holdings;
    const price = (eth?.usd_value ?? 0) / (eth?.amount ?? 1);
    const staked = { [WALLET]: 2n * 10n ** 18n };
    const answer = await portfolio({}, contextOf(store.facts, { demo: { ...state, staked } }));
    expect(answer).toMatchObject({
      holdings_value_usd: 1_800,
      positions_value_usd: 2 * price,
      total_value_usd: 1_800 + 2 * price,
      positions: [{ kind: "staked_coins", is_debt: false, token_address: "native", amount: 2, usd_value: 2 * price }],
    });
    expect(answer.top_holdings.map(({ amount_raw }) => amount_raw)).toEqual(
      (await portfolio()).top_holdings.map(({ amount_raw }) => amount_raw),
    );
    const alone = { [STRANGER]: 10n ** 18n };
    const only = await portfolio(
      { wallet_address: `0x${STRANGER}` },
      contextOf(store.facts, { demo: { ...state, staked: alone } }),
    );
    expect(only).toMatchObject({ holdings_value_usd: 0, positions_value_usd: price, top_holdings: [] });
  });

  test("max_holdings cuts the list and nothing else; a value that is not known is left out and named", async () => {
    const whole = await portfolio();
    expect(whole.top_holdings.map(({ symbol }) => symbol)).toEqual(["ETH", "WETH", "USDC", "JUN"]);
    expect(whole.top_holdings[3]).not.toHaveProperty("usd_value");
    expect(whole.unavailable).toContainEqual({ field: "top_holdings[3].usd_value", reason: "the token has no price" });
    const cut = await portfolio({ max_holdings: 1 });
    expect(cut.top_holdings).toHaveLength(1);
    expect(cut).toMatchObject({ total_value_usd: 1_800, composition_analysis: whole.composition_analysis });
  });

  test("of an empty wallet is no data", async () => {
    expect(await portfolioOf({ wallet_address: `0x${STRANGER}` })).toMatchObject({
      kind: "no_data",
      type: "portfolio_breakdown",
    });
  });

  test("gives the same bytes at the same block", async () => {
    const ask = () => portfolioOf({ network: "all" }, contextOf(store.facts, { demo: state, other: state }));
    expect(JSON.stringify(await ask())).toBe(JSON.stringify(await ask()));
  });
});
