import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import {
  ALICE,
  chain,
  FORGED,
  HEAD,
  MARKET_ROWS,
  OLD,
  openMarketScenario,
  POOL,
  POOLLESS,
  TOKEN,
  UNIT,
  UNTOLD,
} from "../../../test/market_scenario.ts";
import type { Hex } from "../../lib/bytes.ts";
import { getTokenMarketAnalysis } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openMarketScenario();
});
afterAll(() => store.close());

const run = (token: string, more: object = {}, on = chain) =>
  runTool(
    getTokenMarketAnalysis,
    { token_address: token, network: "demo", ...more },
    callContext({ facts: store.facts, chain: () => on }),
  );

const dataOf = async (token: Hex = TOKEN, more: object = {}) => {
  const outcome = await run(`0x${token}`, more);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getTokenMarketAnalysis.output.parse(outcome.data);
};

describe("the price", () => {
  test("is compared with the hours before it", async () => {
    const { price } = await dataOf();
    // The pool held 1.6 for all but the last second of the last hour; 1.9 an hour ago, 1.6 a day ago, 2.5 a week ago.
    expect(price).toMatchObject({ usd: 1.6, confidence: "medium", source: "market", high_24h: 1.9, low_24h: 1.6 });
    // 200,000 USDC at the end: a tenth down takes 200,000 * (1 - 1 / sqrt(1.1)) out.
    expect(price.cost_to_move_usd).toBeCloseTo(9_307.48, 2);
    expect(price.change_percent["1h"]).toBeCloseTo(100 * (1.6 / 1.9 - 1), 10);
    expect(price.change_percent["24h"]).toBeCloseTo(0, 10);
    expect(price.change_percent["7d"]).toBeCloseTo(-36, 10);
    expect(price.change_percent["30d"]).toBeNull();
    // The pool's own: 320,000 / 200,000 = 1.6 five minutes ago, 2 now.
    expect(price.change_percent["5m"]).toBeCloseTo(25, 10);
    expect(price).toMatchObject({ ath_usd: 9, ath_at: "2026-01-21T00:00:00Z", updated_at: "2026-02-10T01:30:00Z" });
    // No wrapped coin, no price of the coin.
    expect(price.native).toBeNull();
  });
});

describe("volume and trades", () => {
  test("count every swap of the timeframe at its hour's price", async () => {
    const { volume, trades } = await dataOf();
    // Bought 1,000 + 300, sold 400 + 300, at 1.6; the day before 500 at 1.6 = 800.
    expect(volume).toEqual({
      usd: 3_200,
      buy_usd: 2_080,
      sell_usd: 1_120,
      amount: 2_000,
      amount_raw: (2_000n * UNIT).toString(),
      change_percent: 300,
    });
    // 1,600, 640 and six times 160.
    expect(trades).toEqual({
      count: 8,
      buys: 4,
      sells: 4,
      unique_buyers: 2,
      unique_sellers: 2,
      unique_traders: 3,
      avg_trade_usd: 400,
      median_trade_usd: 160,
    });
  });

  test("of an hour without a price have no value, and say so", async () => {
    const { volume, trades, unavailable } = await dataOf(TOKEN, { as_of_block: 139, timeframe: "1h" });
    // 500 at the pool's 1.6.
    expect(volume).toMatchObject({ usd: 800, amount: 500 });
    expect(trades.count).toBe(1);
    const bare = await openTestFacts();
    try {
      await bare.seed({ network: "demo", from: 100, to: HEAD }, { ...MARKET_ROWS, pool_states: [] });
      const outcome = await runTool(
        getTokenMarketAnalysis,
        { token_address: `0x${TOKEN}`, network: "demo" },
        callContext({ facts: bare.facts, chain: () => chain }),
      );
      if (outcome.kind !== "data") throw new Error(outcome.kind);
      expect(outcome.data).toMatchObject({
        price: { usd: null },
        volume: { usd: null, buy_usd: null, amount: 2_000 },
        trades: { count: 8, avg_trade_usd: null, median_trade_usd: null },
      });
      expect(outcome.data.unavailable.map(({ field }) => field)).toContain("volume.usd");
    } finally {
      await bare.close();
    }
    expect(unavailable.map(({ field }) => field)).not.toContain("volume.usd");
  });
});

describe("liquidity", () => {
  test("is unknown, not low, when the reserves of the only pool are unknown; its trades count", async () => {
    const { liquidity, trades, quality, signals, unavailable } = await dataOf(UNTOLD);
    expect(liquidity).toMatchObject({ total_usd: null, pool_count: 1, pools_without_value: 1, top_pools: [] });
    expect(trades).toMatchObject({ count: 1, buys: 1, unique_traders: 1 });
    expect(quality.single_pool).toBe(true);
    expect(signals.map(({ code }) => code)).not.toContain("low_liquidity");
    expect(unavailable.map(({ field }) => field)).toContain("liquidity.total_usd");
  });

  test("is both sides of the pool, with its shares at burn addresses", async () => {
    const { liquidity } = await dataOf();
    expect(liquidity).toMatchObject({ total_usd: 400_000, pool_count: 1, pools_without_value: 0 });
    expect(liquidity.top_pools).toEqual([
      {
        address: chain.formatAddress(POOL),
        dex: "uni2",
        pair: "JUN/USDC",
        fee_percent: 0.3,
        liquidity_usd: 400_000,
        volume_24h_usd: 3_200,
        created_at: "2026-01-02T00:00:00Z",
        // (1,000 + 1,000) of 4,000.
        lp_locked_percent: 50,
      },
    ]);
  });

  test("has the depth that the quadratic of the pool's formula gives", async () => {
    const { depth } = (await dataOf()).liquidity;
    // x = 1 and y = 1 of both reserves, g = 0.997: after dx in, price keeps r when (1 + g dx)(1 + dx) = 1 / r.
    const saleOf = (r: number): number => {
      const g = 0.997;
      return (-(1 + g) + Math.sqrt((1 + g) ** 2 + 4 * g * (1 / r - 1))) / (2 * g);
    };
    const sold = saleOf(0.98);
    expect(depth.minus_2pct_usd).toBeCloseTo((200_000 * 0.997 * sold) / (1 + 0.997 * sold), 4);
    expect(depth.plus_2pct_usd).toBeCloseTo(200_000 * saleOf(1 / 1.02), 4);
  });
});

describe("signals", () => {
  test("are those beyond their thresholds", async () => {
    const { signals, thresholds, quality, unavailable } = await dataOf();
    const found = (code: string) => signals.find((signal) => signal.code === code)?.value;
    expect(signals.map(({ code }) => code)).toEqual(["volume_spike", "liquidity_drop", "wash_suspected"]);
    // 30 days before: one of 500, others of nothing. Mean 16.67, variance 500^2 / 30 - mean^2.
    const mean = 500 / 30;
    expect(found("volume_spike")).toBeCloseTo((2_000 - mean) / Math.sqrt(500 ** 2 / 30 - mean ** 2), 8);
    // 200,000 at 1.6 and 320,000 dollars a day ago.
    expect(found("liquidity_drop")).toBeCloseTo(100 * (400_000 / 640_000 - 1), 8);
    // Carol's 600 of 2,000. Bought 65 %: at the threshold, not beyond it.
    expect(found("wash_suspected")).toBeCloseTo(30, 10);
    expect(thresholds.buy_pressure).toBe(65);
    expect(quality).toMatchObject({ volume_to_liquidity_ratio: 0.008, single_pool: true });
    expect(unavailable.map(({ field }) => field)).toContain("signals.price_dislocation");
  });
});

test("supply, holders and age are those of the block", async () => {
  const answer = await dataOf();
  expect(answer).toMatchObject({
    token: { symbol: "JUN", decimals: 18 },
    supply: { total: { amount: 1_000_000 }, burned: { amount: 200_000 }, circulating: { amount: 800_000 }, max: null },
    market_cap_usd: 1_280_000,
    fdv_usd: 1_600_000,
    // Alice, Bob and Dave; Carol has none any more.
    holders_count: 3,
    holders_change_24h: 1,
    token_age_days: 40,
  });
});

test("as of an earlier block the market is the one of that block", async () => {
  const answer = await dataOf(TOKEN, { as_of_block: 139 });
  // The one swap of that hour was at 2; the pool, 200,000 for 320,000 dollars, held 1.6: twice 320,000. Of the shares and tokens: Alice and Carol.
  expect(answer).toMatchObject({ price: { usd: 1.6 }, liquidity: { total_usd: 640_000 }, holders_count: 2 });
  expect(answer.metadata.as_of?.block_number).toBe(139);
});

describe("other tokens", () => {
  test("a token that never had a pool is no data", async () => {
    expect(await run(`0x${POOLLESS}`)).toMatchObject({
      kind: "no_data",
      type: "token_market",
      message: expect.stringContaining("are not searched"),
    });
  });

  test("no pool of a token that is older than the index proves nothing", async () => {
    expect(await run(`0x${OLD}`)).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
  });

  test("leaves out a pool of an unknown factory, and reports it", async () => {
    const { liquidity, metadata, price } = await dataOf(FORGED);
    expect(liquidity).toMatchObject({ pool_count: 0, top_pools: [], total_usd: 0 });
    expect(price.usd).toBeNull();
    expect(metadata.warnings.map(({ code }) => code)).toEqual(["UNVERIFIED_POOLS"]);
  });

  test("an account that is no token is refused, a silent node is a failure", async () => {
    expect(await run(`0x${ALICE}`)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
    await expect(run(`0x${TOKEN}`, {}, fixedChain({ down: true }))).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

test("the same question has the same answer, byte for byte", async () => {
  expect(JSON.stringify(await dataOf())).toBe(JSON.stringify(await dataOf()));
});
