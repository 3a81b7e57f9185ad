import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../test/value_rows.ts";
import type { Hex } from "../lib/bytes.ts";
import type { TableRows } from "../store/tables.gen.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";

const WALLET = "10".repeat(20);
const STRANGER = "20".repeat(20);
const FRIEND = "30".repeat(20);
const SPAMMER = "40".repeat(20);
const USDC = "50".repeat(20);
const WETH = "60".repeat(20);
const SCAM = "70".repeat(20);
const NFT = "80".repeat(20);
const JUN = "90".repeat(20);
const COPY = "91".repeat(20);
const SITE = "92".repeat(20);

const ETH = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const HEAD = 104;
const NOW_HOUR = dayOf(HEAD) + 3_600;

const network = { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };

/** What the node says at the head: the ledger's sums. */
const state: FixedState = {
  network,
  accounts: { [WALLET]: { balance: ETH / 2n } },
  token_balances: { [`${USDC}:${WALLET}`]: 300n * DOLLAR, [`${WETH}:${WALLET}`]: ETH / 4n },
};

const got = (kind: "native" | "erc20" | "erc721", token: Hex, amount: bigint, destination = WALLET) => ({
  kind,
  token,
  source: FRIEND,
  destination,
  amount,
});

const airdrop = Array.from({ length: 101 }, (_, i) => ({
  ...got("erc20", SCAM, 9n * ETH, i === 0 ? WALLET : addressOf(0x9000 + i)),
  source: SPAMMER,
}));

const story = () => [
  ...transfersOf({ block: 100 }, FRIEND, [got("native", "", ETH / 2n), got("erc20", USDC, 300n * DOLLAR)]),
  ...transfersOf({ block: 101 }, FRIEND, [got("erc20", WETH, ETH / 4n), got("erc20", JUN, 7n * ETH)]),
  ...transfersOf({ block: 102 }, FRIEND, [got("erc721", NFT, 1n), got("erc20", COPY, ETH), got("erc20", SITE, ETH)]),
  ...transfersOf({ block: 103 }, SPAMMER, airdrop),
];

const tokens = (): TableRows["tokens"][] => [
  tokenRow(USDC, "USDC", 6),
  tokenRow(WETH, "WETH", 18),
  tokenRow(JUN, "JUN", 18),
  tokenRow(SCAM, "FREE", 18),
  tokenRow(COPY, "U\u0405DC", 18), // the S is Cyrillic
  { ...tokenRow(SITE, "WIN", 18), name: "visit win-prize.xyz" },
  { ...tokenRow(NFT, "ART", null), standard: "erc721" },
];

/** 500 WETH against a million USDC: 2,000 USD each, in a pool deep enough for high confidence. */
const pool = () => {
  const at = { network: "demo", pool: bytesOf("a0".repeat(20)), block_number: 100, log_index: 0, time: dayOf(100) };
  const made = { factory: "", creator: "", tx_hash: "", tx_index: 0, fee_ppm: 3_000, tick_spacing: 0 };
  const pools_final = [
    { ...at, ...made, family: "uniswap_v2", venue: "uniswap_v2", token0: bytesOf(USDC), token1: bytesOf(WETH) },
  ];
  const reserves = { reserve0: 1_000_000n * DOLLAR, reserve1: 500n * ETH };
  const pool_states_final = [{ ...at, ...reserves, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 }];
  return { pools_final, pool_states_final };
};

let store: TestFacts;

const on = <T extends { readonly network: Uint8Array | string }>(id: string, rows: readonly T[]): T[] =>
  rows.map((row) => ({ ...row, network: id }));

const seed = async (id: string) => {
  const { pools_final, pool_states_final } = pool();
  const facts = {
    blocks_final: on(id, dailyBlocks(HEAD)),
    transfers_final: on(id, story()),
    pools_final: on(id, pools_final),
    pool_states_final: on(id, pool_states_final),
  };
  await store.seed({ network: id, from: 100, to: HEAD }, facts);
  await store.writer.insert("tokens", on(id, tokens()));
  const hours = [NOW_HOUR - 3_600, NOW_HOUR - 86_400];
  await store.writer.insert(
    "prices",
    on(id, [
      ...hours.map((hour) => priceRow(USDC, hour, 1)),
      priceRow(WETH, NOW_HOUR - 3_600, 2_000),
      priceRow(WETH, NOW_HOUR - 86_400, 1_600),
    ]),
  );
};

beforeAll(async () => {
  store = await openTestFacts();
  await seed("demo");
  await seed("other");
});
afterAll(() => store.close());

const contextOf = (states: Readonly<Record<string, FixedState>>, facts = store.facts) => ({
  facts,
  chain: (id: string) => fixedChain({ ...states[id], network: { ...states[id]?.network, id } }),
  networks: Object.keys(states),
  signal: AbortSignal.timeout(30_000),
});

const holdingsOf = (asked: object = {}, context = contextOf({ demo: state })) =>
  getWalletTokenHoldings.run(
    getWalletTokenHoldings.input.parse({ wallet_address: `0x${WALLET}`, network: "demo", ...asked }),
    context,
  );

const holdings = async (...args: Parameters<typeof holdingsOf>) => {
  const outcome = await holdingsOf(...args);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletTokenHoldings.output.parse(outcome.data);
};

const portfolioOf = (asked: object = {}, context = contextOf({ demo: state })) =>
  getWalletPortfolioBreakdown.run(
    getWalletPortfolioBreakdown.input.parse({ wallet_address: `0x${WALLET}`, network: "demo", ...asked }),
    context,
  );

const portfolio = async (...args: Parameters<typeof portfolioOf>) => {
  const outcome = await portfolioOf(...args);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletPortfolioBreakdown.output.parse(outcome.data);
};

describe("holdings", () => {
  test("stand by value, unpriced ones behind, spam hidden and counted", async () => {
    const answer = await holdings();
    // 0.5 ETH and 0.25 WETH at 2,000, 300 USDC: 1,800 USD in all.
    expect(answer.holdings.map(({ symbol, balance, usd_value }) => [symbol, balance, usd_value])).toEqual([
      ["ETH", 0.5, 1_000],
      ["WETH", 0.25, 500],
      ["USDC", 300, 300],
      ["JUN", 7, null],
      ["ART", 1, null],
    ]);
    expect(answer.summary).toEqual({
      total_value_usd: 1_800,
      token_count: 5,
      returned_count: 5,
      tokens_without_price: 2,
      hidden_spam: 3,
      networks: ["demo"],
    });
    // 1,600 to 2,000 is a quarter more.
    expect(answer.holdings[0]).toMatchObject({
      is_native: true,
      token_address: "native",
      price_change_24h_percent: 25,
    });
    expect(answer.holdings[2]).toMatchObject({ is_stablecoin: true, last_change_at: "2026-01-01T00:00:00Z" });
    expect(answer.holdings[2]?.share_percent).toBeCloseTo(16.6667, 4);
    expect(answer.metadata.warnings).toEqual([]);
  });

  test("spam is shown with its reasons when asked for, and never counted in the total", async () => {
    const { holdings: rows, summary } = await holdings({ include_spam: true });
    const reasons = Object.fromEntries(rows.map(({ name, spam_reasons }) => [name, spam_reasons]));
    expect(reasons).toMatchObject({
      FREE: ["mass_airdrop"],
      "U\u0405DC": ["symbol_copy"],
      "visit win-prize.xyz": ["url_in_name", "claim_wording"],
      JUN: [],
    });
    expect(summary).toMatchObject({ total_value_usd: 1_800, hidden_spam: 0, token_count: 5, returned_count: 8 });
  });

  test("limit and min_usd cut rows, not totals", async () => {
    const { holdings: rows, summary } = await holdings({ limit: 2, min_usd: 400 });
    expect(rows.map(({ symbol }) => symbol)).toEqual(["ETH", "WETH"]);
    expect(summary).toMatchObject({ total_value_usd: 1_800, token_count: 5, returned_count: 2 });
  });

  test("a live balance that differs replaces the indexed one and says so", async () => {
    const rebased = { ...state, token_balances: { ...state.token_balances, [`${USDC}:${WALLET}`]: 330n * DOLLAR } };
    const answer = await holdings({}, contextOf({ demo: rebased }));
    expect(answer.holdings.find(({ symbol }) => symbol === "USDC")).toMatchObject({ balance: 330 });
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["BALANCE_RECONCILED"]);
    // One part in a million is tolerated: 300 USDC + 300 base units.
    const rounded = { ...state, token_balances: { ...state.token_balances, [`${USDC}:${WALLET}`]: 300_000_300n } };
    expect((await holdings({}, contextOf({ demo: rounded }))).metadata.warnings).toEqual([]);
  });

  test("without a node the index answers alone and says so", async () => {
    const answer = await holdings({}, contextOf({ demo: { ...state, down: true } }));
    expect(answer.summary.total_value_usd).toBe(1_800);
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["BALANCE_UNVERIFIED"]);
  });

  test("an earlier block shows what was held then", async () => {
    const answer = await holdings({ as_of_block: 100 });
    expect(answer.metadata.as_of?.block_number).toBe(100);
    expect(answer.holdings.some(({ symbol }) => symbol === "JUN")).toBe(false);
  });

  test("a wallet without anything is no data, as long as the index is whole", async () => {
    expect(await holdingsOf({ wallet_address: `0x${STRANGER}` })).toMatchObject({
      kind: "no_data",
      type: "token_holdings",
    });
  });

  test("a partial index reads known tokens live, and proves no absence", async () => {
    const partial = await openTestFacts();
    try {
      const blocks_final = dailyBlocks(HEAD).slice(2);
      const transfers_final = story().filter(({ block_number }) => Number(block_number) >= 102);
      await partial.seed({ network: "demo", from: 102, to: HEAD, first: 1 }, { blocks_final, transfers_final });
      await partial.writer.insert("tokens", tokens());
      const context = contextOf({ demo: state }, partial.facts);
      const answer = await holdings({}, context);
      expect(answer.holdings.map(({ symbol }) => symbol)).toEqual(
        expect.arrayContaining(["ETH", "USDC", "WETH", "ART"]),
      );
      expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["BALANCES_READ_LIVE"]);
      expect(answer.metadata.coverage?.complete).toBe(false);
      const nothing = await holdingsOf({ wallet_address: `0x${STRANGER}` }, context);
      expect(nothing).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
      const away = holdingsOf({}, contextOf({ demo: { ...state, down: true } }, partial.facts));
      await expect(away).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    } finally {
      await partial.close();
    }
  });

  test("a block is asked of one network only", () => {
    const parsed = getWalletTokenHoldings.input.parse({ wallet_address: "x", network: "all", as_of_block: 1 });
    expect(getWalletTokenHoldings.check?.(parsed, { networks: ["demo"], today: "2026-01-01" })).toContain(
      "single network",
    );
  });
});

describe("several networks", () => {
  test("are added up and each tells its block", async () => {
    const answer = await holdings({ network: "all" }, contextOf({ demo: state, other: state }));
    expect(answer.summary).toMatchObject({ total_value_usd: 3_600, networks: ["demo", "other"] });
    expect(answer.metadata).toMatchObject({ chain: "all", chain_id: null, as_of: null, coverage: null });
    expect(answer.metadata.networks?.map(({ network, as_of }) => [network, as_of?.block_number])).toEqual([
      ["demo", HEAD],
      ["other", HEAD],
    ]);
  });

  test("one that is not indexed is a warning beside data, and an error beside nothing", async () => {
    const states = { demo: state, unknown: state };
    const answer = await holdings({ network: "evm" }, contextOf(states));
    expect(answer.summary.networks).toEqual(["demo"]);
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["NETWORK_UNAVAILABLE"]);
    expect(answer.metadata.networks?.[1]).toMatchObject({ network: "unknown", as_of: null, coverage: null });
    const nothing = await holdingsOf({ wallet_address: `0x${STRANGER}`, network: "all" }, contextOf(states));
    expect(nothing).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
    await expect(holdingsOf({ network: "unknown" }, contextOf(states))).rejects.toMatchObject({
      code: "COVERAGE_INCOMPLETE",
    });
  });
});

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
      { symbol: "ETH", usd_value: 1_000 },
      { symbol: "WETH", usd_value: 500 },
      { symbol: "USDC", usd_value: 300 },
    ]);
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
    const ask = () => portfolioOf({ network: "all" }, contextOf({ demo: state, other: state }));
    expect(JSON.stringify(await ask())).toBe(JSON.stringify(await ask()));
  });
});
