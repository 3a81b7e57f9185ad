import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { runTool } from "../../../../test/fixtures/run_tool.ts";
import {
  contextOf,
  DOLLAR,
  HEAD,
  holdingsRows,
  STRANGER,
  seedHoldings,
  state,
  tokens,
  USDC,
  WALLET,
  WETH,
} from "../../../../test/holdings_world.ts";
import { dailyBlocks } from "../../../../test/value_rows.ts";
import { getWalletTokenHoldings } from "../../../tools/get_wallet_token_holdings/index.ts";

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  await seedHoldings(store, "demo");
  await seedHoldings(store, "other");
});
afterAll(() => store.close());

const holdingsOf = (asked: object = {}, context = contextOf(store.facts, { demo: state })) =>
  runTool(getWalletTokenHoldings, { wallet_address: `0x${WALLET}`, network: "demo", ...asked }, context);

const holdings = async (...args: Parameters<typeof holdingsOf>) => {
  const outcome = await holdingsOf(...args);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletTokenHoldings.output.parse(outcome.data);
};

describe("holdings", () => {
  test("are sorted by value with unpriced ones last, spam hidden and counted", async () => {
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
      holdings_value_usd: 1_800,
      positions_value_usd: 0,
      total_value_usd: 1_800,
      token_count: 5,
      returned_count: 5,
      // JUN: an NFT has no price that could be missing.
      tokens_without_price: 1,
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

  test("a balance that an alias reports too is counted once, under the token that owns it", async () => {
    // WETH as a contract of the native coin, as CELO is: its 0.25 are part of the 0.5 ETH.
    const aliased = { ...state, network: { ...state.network, aliases: [{ token: WETH, same_as: "" as const }] } };
    const answer = await holdings({}, contextOf(store.facts, { demo: aliased }));
    expect(answer.holdings.map(({ symbol, usd_value }) => [symbol, usd_value])).toEqual([
      ["ETH", 1_000],
      ["USDC", 300],
      ["JUN", null],
      ["ART", null],
    ]);
    expect(answer.summary).toMatchObject({ total_value_usd: 1_300, token_count: 4 });
    expect(answer.holdings.map(({ aliases }) => aliases.map((alias) => alias.toLowerCase()))).toEqual([
      [`0x${WETH}`],
      ...[[], [], []],
    ]);
  });

  test("spam is shown with its reasons on request, and never counted in the total", async () => {
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
    const answer = await holdings({}, contextOf(store.facts, { demo: rebased }));
    expect(answer.holdings.find(({ symbol }) => symbol === "USDC")).toMatchObject({ balance: 330 });
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["BALANCE_RECONCILED"]);
    // One part in a million is tolerated: 300 USDC + 300 base units.
    const rounded = { ...state, token_balances: { ...state.token_balances, [`${USDC}:${WALLET}`]: 300_000_300n } };
    expect((await holdings({}, contextOf(store.facts, { demo: rounded }))).metadata.warnings).toEqual([]);
  });

  test("without a node the answer comes from the index alone and says so", async () => {
    const answer = await holdings({}, contextOf(store.facts, { demo: { ...state, down: true } }));
    expect(answer.summary.total_value_usd).toBe(1_800);
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["BALANCE_UNVERIFIED", "POSITIONS_UNVALUED"]);
  });

  test("an earlier block shows the holdings of that time", async () => {
    const answer = await holdings({ as_of_block: 100 });
    expect(answer.metadata.as_of?.block_number).toBe(100);
    expect(answer.holdings.some(({ symbol }) => symbol === "JUN")).toBe(false);
  });

  test("an empty wallet is no data, provided that the index is complete", async () => {
    expect(await holdingsOf({ wallet_address: `0x${STRANGER}` })).toMatchObject({
      kind: "no_data",
      type: "token_holdings",
    });
  });

  test("a partial index reads known tokens live, and proves no absence", async () => {
    const partial = await openTestFacts();
    try {
      const blocks = dailyBlocks(HEAD).slice(2);
      const transfers = holdingsRows().filter(({ block_number }) => Number(block_number) >= 102);
      await partial.seed({ network: "demo", from: 102, to: HEAD, first: 1 }, { blocks, transfers });
      await partial.writer.insert("tokens", tokens());
      const context = contextOf(partial.facts, { demo: state });
      const answer = await holdings({}, context);
      expect(answer.holdings.map(({ symbol }) => symbol)).toEqual(
        expect.arrayContaining(["ETH", "USDC", "WETH", "ART"]),
      );
      expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["BALANCES_READ_LIVE"]);
      expect(answer.metadata.coverage?.complete).toBe(false);
      const nothing = await holdingsOf({ wallet_address: `0x${STRANGER}` }, context);
      expect(nothing).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
      const away = holdingsOf({}, contextOf(partial.facts, { demo: { ...state, down: true } }));
      await expect(away).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    } finally {
      await partial.close();
    }
  });

  test("a block number is accepted for one network only", () => {
    const parsed = getWalletTokenHoldings.input.parse({ wallet_address: "x", network: "all", as_of_block: 1 });
    expect(getWalletTokenHoldings.check?.(parsed, { networks: ["demo"], today: "2026-01-01" })).toContain(
      "single network",
    );
  });
});

describe("several networks", () => {
  test("are added up and each reports its block", async () => {
    const answer = await holdings({ network: "all" }, contextOf(store.facts, { demo: state, other: state }));
    expect(answer.summary).toMatchObject({ total_value_usd: 3_600, networks: ["demo", "other"] });
    expect(answer.metadata).toMatchObject({ chain: "all", chain_id: null, as_of: null, coverage: null });
    expect(answer.metadata.networks?.map(({ network, as_of }) => [network, as_of?.block_number])).toEqual([
      ["demo", HEAD],
      ["other", HEAD],
    ]);
  });

  test("one that is not indexed is a warning beside data, and an error beside nothing", async () => {
    const states = { demo: state, unknown: state };
    const answer = await holdings({ network: "evm" }, contextOf(store.facts, states));
    expect(answer.summary.networks).toEqual(["demo"]);
    expect(answer.metadata.warnings.map(({ code }) => code)).toEqual(["NETWORK_UNAVAILABLE"]);
    expect(answer.metadata.networks?.[1]).toMatchObject({ network: "unknown", as_of: null, coverage: null });
    const nothing = await holdingsOf(
      { wallet_address: `0x${STRANGER}`, network: "all" },
      contextOf(store.facts, states),
    );
    expect(nothing).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
    await expect(holdingsOf({ network: "unknown" }, contextOf(store.facts, states))).rejects.toMatchObject({
      code: "COVERAGE_INCOMPLETE",
    });
  });
});
