import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import type { FixedState } from "../../test/fixed_chain.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { contextOf } from "../../test/holdings_world.ts";
import { bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../test/value_rows.ts";
import type { ContractCall } from "../chains/chain.ts";
import { TOO_MUCH_DEBT, UNBACKED, UNNAMED_DEBT } from "../domain/wallet/positions/value.ts";
import { type Hex, hex, intToHex, padHex } from "../lib/bytes.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";

const addr = (byte: string): Hex => hex(byte.repeat(20));
const WALLET = addr("10");
const [USDC, WETH, JUN] = [addr("50"), addr("60"), addr("90")];
const [PAIR, VAULT, SIMPLE_VAULT, LENT, DEBT] = [addr("a0"), addr("a1"), addr("a2"), addr("a3"), addr("a4")];
const [LIAR, MADE_UP_DEBT, COPY, NFT, PICTURE] = [addr("b1"), addr("b2"), addr("b3"), addr("b4"), addr("b5")];
const [MARKET, SHAM_MARKET] = [addr("c0"), addr("c1")];
const FRIEND = addr("30");
/** Borrows against a receipt that has a market of its own. */
const [BORROWER, TRADED] = [addr("11"), addr("a5")];
const HEAD = 104;
const ETH = 10n ** 18n;
const DOLLAR = 10n ** 6n;

const word = (value: bigint | Hex): Hex => (typeof value === "bigint" ? intToHex(value, 32) : padHex(value, 32));

/** Aave v2 returns twelve words, with the receipt in the eighth and debts in the ninth and tenth. */
const reserve = (receipt: Hex, debt: Hex): Hex =>
  hex(Array.from({ length: 12 }, (_, i) => word(i === 7 ? receipt : i === 9 ? debt : 1n)).join(""));

/** First four bytes of keccak-256 of the signatures, as any public list of selectors has them. */
const SELECTORS = {
  "18160ddd": "totalSupply()",
  "38d52e0f": "asset()",
  "07a2d13a": "convertToAssets(uint256)",
  "01e1d114": "totalAssets()",
  b16a19de: "UNDERLYING_ASSET_ADDRESS()",
  b9a7b622: "DEBT_TOKEN_REVISION()",
  "7535d246": "POOL()",
  "35ea6a75": "getReserveData(address)",
} as const;

const ANSWERS: Readonly<Record<string, Readonly<Record<string, Hex>>>> = {
  [PAIR]: { "totalSupply()": word(1_000n) },
  [VAULT]: { "asset()": word(USDC), "convertToAssets(uint256)": word(440n * DOLLAR) },
  // 50 of 200 shares of 1,000 dollars.
  [SIMPLE_VAULT]: {
    "asset()": word(USDC),
    "totalAssets()": word(1_000n * DOLLAR),
    "totalSupply()": word(200n * DOLLAR),
  },
  [LENT]: { "UNDERLYING_ASSET_ADDRESS()": word(USDC), "POOL()": word(MARKET) },
  [DEBT]: { "UNDERLYING_ASSET_ADDRESS()": word(WETH), "DEBT_TOKEN_REVISION()": word(1n), "POOL()": word(MARKET) },
  [TRADED]: { "UNDERLYING_ASSET_ADDRESS()": word(USDC), "POOL()": word(MARKET) },
  [LIAR]: { "asset()": word(USDC), "convertToAssets(uint256)": word(1_000_000n * DOLLAR) },
  [MADE_UP_DEBT]: {
    "UNDERLYING_ASSET_ADDRESS()": word(USDC),
    "DEBT_TOKEN_REVISION()": word(1n),
    "POOL()": word(SHAM_MARKET),
  },
  [COPY]: { "asset()": word(USDC), "convertToAssets(uint256)": word(DOLLAR) },
  [MARKET]: { [`getReserveData(address)${word(USDC)}`]: reserve(LENT, TRADED) },
  [SHAM_MARKET]: { [`getReserveData(address)${word(USDC)}`]: reserve(addr("d2"), MADE_UP_DEBT) },
};
const WETH_RESERVE = `getReserveData(address)${word(WETH)}`;

const answering =
  (answers: Readonly<Record<string, Readonly<Record<string, Hex>>>>) =>
  ({ to, data }: ContractCall): { readonly ok: boolean; readonly data: Hex } => {
    // Texts that are no key find nothing.
    const name = SELECTORS[data.slice(0, 8) as keyof typeof SELECTORS] ?? "";
    const found = answers[to]?.[name] ?? answers[to]?.[name + data.slice(8)];
    return found === undefined ? { ok: false, data: "" } : { ok: true, data: found };
  };

const state: FixedState = {
  network: { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
  token_balances: {
    [`${USDC}:${PAIR}`]: 1_000_000n * DOLLAR,
    [`${WETH}:${PAIR}`]: 500n * ETH,
    [`${USDC}:${VAULT}`]: 5_000n * DOLLAR,
    [`${USDC}:${SIMPLE_VAULT}`]: 1_000n * DOLLAR,
    [`${USDC}:${LENT}`]: 9_000n * DOLLAR,
    [`${USDC}:${TRADED}`]: 9_000n * DOLLAR,
    [`${USDC}:${LIAR}`]: 3n * DOLLAR,
    [`${USDC}:${COPY}`]: 3n * DOLLAR,
  },
  answer: answering({ ...ANSWERS, [MARKET]: { ...ANSWERS[MARKET], [WETH_RESERVE]: reserve(addr("d3"), DEBT) } }),
};

const HELD: readonly (readonly [Hex, string, number, bigint])[] = [
  [USDC, "USDC", 6, 300n * DOLLAR],
  [PAIR, "UNI-V2", 18, 10n],
  [VAULT, "vUSDC", 6, 400n * DOLLAR],
  [SIMPLE_VAULT, "sUSDC", 6, 50n * DOLLAR],
  [LENT, "aUSDC", 6, 2_000n * DOLLAR],
  [DEBT, "dWETH", 18, ETH / 2n],
  [LIAR, "RICH", 18, ETH],
  [MADE_UP_DEBT, "OWED", 6, 77n * DOLLAR],
  [COPY, "U\u0405DC", 6, DOLLAR], // the S is Cyrillic
  [JUN, "JUN", 18, 7n * ETH],
];

const got = (kind: "erc20" | "erc721", token: Hex, amount: bigint, destination = WALLET) => ({
  kind,
  token,
  source: FRIEND,
  destination,
  amount,
});

let store: TestFacts;

/** 500 WETH against a million USDC: 2,000 USD each; a million of the traded receipt against 1,100,000 USDC. */
const facts = () => {
  const at = { network: "demo", pool: bytesOf(PAIR), block_number: 100, log_index: 0, time: dayOf(100) };
  const made = { factory: "", creator: "", tx_hash: "", tx_index: 0, fee_ppm: 3_000, tick_spacing: 0, hooks: "" };
  const sides = { token0: bytesOf(USDC), token1: bytesOf(WETH) };
  const reserves = { reserve0: 1_000_000n * DOLLAR, reserve1: 500n * ETH };
  const second = { ...at, pool: bytesOf(addr("a6")) };
  const second_sides = { token0: bytesOf(USDC), token1: bytesOf(TRADED) };
  const second_reserves = { reserve0: 1_100_000n * DOLLAR, reserve1: 1_000_000n * DOLLAR };
  const venue = { ...made, family: "uniswap_v2", venue: "uniswap_v2" };
  const rest = { sqrt_price_x96: 0n, liquidity: 0n, tick: 0 };
  const increase = {
    ...{ network: "demo", block_number: 102, tx_index: 0, log_index: 1, time: dayOf(102), tx_hash: "" },
    ...{ kind: "increase" as const, contract: bytesOf(NFT), pool: bytesOf(PAIR), asset: "" },
    ...{ amount0: 1n, amount1: 1n, liquidity: 1n, subject: Buffer.concat([bytesOf(NFT), Buffer.from("0")]) },
  };
  return {
    blocks: dailyBlocks(HEAD),
    transfers: [
      ...transfersOf(
        { block: 101 },
        FRIEND,
        HELD.map(([token, , , amount]) => got("erc20", token, amount)),
      ),
      ...transfersOf({ block: 101, tx_index: 1 }, FRIEND, [
        got("erc20", TRADED, 1_000n * DOLLAR, BORROWER),
        got("erc20", DEBT, ETH / 4n, BORROWER),
      ]),
      ...transfersOf({ block: 102 }, FRIEND, [got("erc721", NFT, 1n), got("erc721", PICTURE, 1n)]),
    ],
    pools: [
      { ...at, ...venue, ...sides },
      { ...second, ...venue, ...second_sides },
    ],
    pool_states: [
      { ...at, ...reserves, ...rest },
      { ...second, ...second_reserves, ...rest },
    ],
    position_events: [increase],
  };
};

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
