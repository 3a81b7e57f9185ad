import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import type { FixedState } from "../../test/fixed_chain.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { contextOf } from "../../test/holdings_world.ts";
import {
  ANSWERS,
  answering,
  BORROWER,
  DEBT,
  ETH,
  facts,
  HEAD,
  HELD,
  NFT,
  PICTURE,
  state,
  TRADED,
  USDC,
  WALLET,
  WETH,
} from "../../test/positions_world.ts";
import { dayOf, priceRow, tokenRow } from "../../test/value_rows.ts";
import { TOO_MUCH_DEBT, UNBACKED, UNNAMED_DEBT } from "../domain/wallet/positions/value.ts";
import { hex } from "../lib/bytes.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: HEAD }, facts());
  await store.writer.insert("tokens", [
    ...HELD.map(([token, symbol, decimals]) => tokenRow(token, symbol, decimals)),
    tokenRow(WETH, "WETH", 18),
    tokenRow(TRADED, "tUSDC", 6),
    ...[NFT, PICTURE].map((token) => ({ ...tokenRow(token, "ART", null), standard: "erc721" })),
  ]);
  await store.writer.insert("prices", [priceRow(USDC, dayOf(HEAD), 1), priceRow(WETH, dayOf(HEAD), 2_000)]);
});
afterAll(() => store.close());

const portfolio = async (changed: FixedState = {}, asked: object = {}) => {
  const args = { wallet_address: `0x${WALLET}`, network: "demo", ...asked };
  const outcome = await runTool(
    getWalletPortfolioBreakdown,
    args,
    contextOf(store.facts, { demo: { ...state, ...changed } }),
  );
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletPortfolioBreakdown.output.parse(outcome.data);
};

const lines = ({ positions }: Awaited<ReturnType<typeof portfolio>>) =>
  positions.map(({ symbol, kind, usd_value }) => [symbol, kind, usd_value]);

describe("positions", () => {
  test("describe holdings; debts are subtracted from the total and are in no share", async () => {
    const answer = await portfolio();
    // 10 of 1,000 shares: 10,000 USDC and 5 WETH at 2,000. The debt: half an ether.
    expect(lines(answer)).toEqual([
      ["UNI-V2", "pool_share", 20_000],
      ["aUSDC", "lending_receipt", 2_000],
      ["dWETH", "debt", 1_000],
      ["vUSDC", "vault_share", 440],
      ["sUSDC", "vault_share", 250],
      ["RICH", "vault_share", null],
      ["OWED", "debt", null],
    ]);
    expect(answer.positions[0]).toMatchObject({
      protocol: "uniswap_v2",
      is_debt: false,
      chain: "demo",
      amount_raw: "10",
      underlying: [
        { symbol: "USDC", amount: 10_000, amount_raw: "10000000000", usd_value: 10_000 },
        { symbol: "WETH", amount: 5, amount_raw: "5000000000000000000", usd_value: 10_000 },
      ],
    });
    expect(answer.positions[2]).toMatchObject({ protocol: "aave", is_debt: true, amount: 0.5 });
    // 300 + 20,000 + 2,000 + 440 + 250 = 22,990, less 1,000.
    expect(answer).toMatchObject({ total_value_usd: 21_990, total_value_displayed: "$21,990.00" });
    const gross = 22_990;
    const hhi = [20_000, 2_000, 440, 300, 250].reduce((sum, usd) => sum + (usd / gross) ** 2, 0);
    expect(answer.composition_analysis.hhi).toBeCloseTo(hhi, 12);
    expect(answer.composition_analysis.by_category.map(({ category, usd_value }) => [category, usd_value])).toEqual([
      ["lp", 20_000],
      ["other", 2_690],
      ["stablecoin", 300],
      ["nft_excluded", null],
    ]);
    // A position has no price of its own; what it stands for is in position_value_usd, in both tools.
    expect(
      answer.top_holdings.map(({ symbol, usd_value, position_value_usd }) => [symbol, usd_value, position_value_usd]),
    ).toEqual([
      ["UNI-V2", undefined, 20_000],
      ["aUSDC", undefined, 2_000],
      ["vUSDC", undefined, 440],
      ["USDC", 300, null],
      ["sUSDC", undefined, 250],
      ["JUN", undefined, null],
      ["RICH", undefined, null],
    ]);
    expect(answer.top_holdings[0]?.share_percent).toBeCloseTo((100 * 20_000) / gross, 10);
    // Juniper and the vault that does not hold what it claims.
    expect(answer.tokens_without_price).toBe(2);
  });

  test("are the same values in the list of holdings, where no row counts twice", async () => {
    const args = { wallet_address: `0x${WALLET}`, network: "demo" };
    const outcome = await runTool(getWalletTokenHoldings, args, contextOf(store.facts, { demo: state }));
    if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
    const { holdings, summary } = getWalletTokenHoldings.output.parse(outcome.data);
    const valued = holdings.filter(({ usd_value, position_value_usd }) => (usd_value ?? position_value_usd) !== null);
    expect(
      new Map(valued.map(({ symbol, usd_value, position_value_usd }) => [symbol, [usd_value, position_value_usd]])),
    ).toEqual(
      new Map([
        ["USDC", [300, null]],
        ["UNI-V2", [null, 20_000]],
        ["aUSDC", [null, 2_000]],
        ["vUSDC", [null, 440]],
        ["sUSDC", [null, 250]],
        ["dWETH", [null, -1_000]],
      ]),
    );
    expect(summary).toMatchObject({ holdings_value_usd: 300, positions_value_usd: 21_690, tokens_without_price: 2 });
  });

  test("that are not valued say why, and unknown debts and NFT positions are warned of", async () => {
    const { unavailable, metadata } = await portfolio();
    expect(unavailable).toContainEqual({ field: "positions[5].usd_value", reason: UNBACKED });
    expect(unavailable).toContainEqual({ field: "positions[6].usd_value", reason: UNNAMED_DEBT });
    expect(metadata.warnings.map(({ code }) => code)).toEqual(["DEBT_UNVALUED", "NFT_POSITIONS_UNVALUED"]);
    // One collection is positions, the other one is pictures.
    expect(metadata.warnings[1]?.message).toMatch(new RegExp(`: 0x${NFT}\\.$`, "i"));
  });

  test("are never made of spam, also when it is shown", async () => {
    const answer = await portfolio({}, { include_spam: true });
    const copy = answer.top_holdings.find(({ symbol }) => symbol?.startsWith("U\u0405"));
    expect(copy).toBeDefined();
    expect(copy).not.toHaveProperty("usd_value");
    expect(answer.positions).toHaveLength(7);
    expect(answer.total_value_usd).toBe(21_990);
  });

  test("lose a debt that its market does not name, and one that is larger than what is lent there", async () => {
    const unnamed = await portfolio({ answer: answering(ANSWERS) });
    expect(lines(unnamed)).toContainEqual(["dWETH", "debt", null]);
    expect(unnamed.total_value_usd).toBe(22_990);
    // 1.5 ether are 3,000 dollars; 2,000 are lent.
    const balances = { ...state.token_balances, [`${DEBT}:${WALLET}`]: (3n * ETH) / 2n };
    const deep = await portfolio({ token_balances: balances });
    expect(lines(deep)).toContainEqual(["dWETH", "debt", null]);
    expect(deep.unavailable.map(({ reason }) => reason)).toContain(TOO_MUCH_DEBT);
  });

  test("of pools are listed without a value when no node answers or none keeps the block; the rest stays", async () => {
    const without_archive: FixedState = {
      can: { archive: false },
      blocks: [{ number: HEAD + 101, hash: hex("00"), parent_hash: hex("00"), time: dayOf(HEAD) }],
    };
    for (const changed of [{ down: true }, without_archive]) {
      const answer = await portfolio(changed);
      expect(lines(answer)).toEqual([["UNI-V2", "pool_share", null]]);
      expect(answer.total_value_usd).toBe(300);
      expect(answer.metadata.warnings.map(({ code }) => code)).toEqual([
        "BALANCE_UNVERIFIED",
        "POSITIONS_UNVALUED",
        "NFT_POSITIONS_UNVALUED",
      ]);
    }
  });

  test("leave a receipt with a market of its own at that market's price; it is a pledge of debts all the same", async () => {
    const answer = await portfolio({}, { wallet_address: `0x${BORROWER}` });
    // 1,000 at 1.10, and a quarter of an ether owed.
    expect(answer.top_holdings.map(({ symbol, usd_value }) => [symbol, usd_value])).toEqual([
      ["tUSDC", expect.closeTo(1_100, 9)],
    ]);
    expect(lines(answer)).toEqual([["dWETH", "debt", 500]]);
    expect(answer.total_value_usd).toBeCloseTo(600, 9);
    expect(answer.metadata.warnings).toEqual([]);
  });

  test("are the same bytes at the same block", async () => {
    expect(JSON.stringify(await portfolio())).toBe(JSON.stringify(await portfolio()));
  });
});
