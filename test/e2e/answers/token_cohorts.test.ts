import { getAddress } from "viem";
import { beforeAll, expect, test } from "vitest";
import { ADDRESSES, DEMO_CONTRACTS, NEWCOMER } from "../../../src/demo/evm/characters.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

const ALDER = DEMO_CONTRACTS.alder;

let stage: SharedWorldService;
beforeAll(async () => {
  stage = await sharedWorld();
}, 120_000);

const callTool = async (tool: string, args: object) => {
  const { status, body } = await stage.ask(tool, { network: "demo", ...args });
  expect(status).toBe(200);
  return body;
};

/*
 * Each pool opens with 200,000 tokens and 200,000 USDC and charges 0.3 %. marco pays 10,000 USDC:
 *   200,000 · 9,970 / 209,970 = 9,496.594752 tokens; the pool holds 190,503.405248 and 210,000 USDC.
 * paula pays 80,000 USDC: 190,503.405248 · 79,760 / 289,760 = 52,438.562018; 138,064.843230 and 290,000 are left.
 * marco sells 2,374.148688 tokens four times (2,367.026242 after the fee):
 *   290,000    · 2,367.026242 / 140,431.869472 = 4,888.046; 140,438.991918 tokens and 285,111.954 USDC
 *   285,111.954 · 2,367.026242 / 142,806.018160 = 4,725.756; 142,813.140606 and 280,386.198
 *   280,386.198 · 2,367.026242 / 145,180.166848 = 4,571.428; 145,187.289294 and 275,814.770
 *   275,814.770 · 2,367.026242 / 147,554.315536 = 4,424.540; 147,561.437982 and 271,390.230
 * Together 18,609.77: a gain of 8,609.77 on each of five tokens, 43,048.85.
 */
const GAIN = 8_609.77;
/** The hour of the fourth sale ended at 271,390.230 / 147,561.437982; the pool would have paid this for as much again. */
const FOURTH = (271_390.23 * 2_374.148688) / (147_561.437982 + 2_374.148688);

test("counts marco as a smart trader by the numbers of get_wallet_pnl", async () => {
  const { summary, data, metadata } = await callTool("get_wallet_pnl", { address: ADDRESSES.marco });
  expect(summary.total_realized_pnl_usd).toBeCloseTo(5 * GAIN, 1);
  // They include twenty sales with a gain, and six payments in dollars without one.
  expect(summary.win_rate_percent).toBeCloseTo((100 * 20) / 26, 6);
  expect(metadata.cost_coverage_percent).toBe(100);
  const sold = data.filter((row: { token_symbol: string }) => !["USDC", "ETH"].includes(row.token_symbol));
  expect(sold).toHaveLength(5);
  const { segment, summary: flows } = await callTool("get_token_flows", {
    token_address: ALDER,
    segment: "smart_trader",
    from_date: "2026-09-01",
  });
  expect(segment).toMatchObject({ name: "smart_trader", member_count: 1 });
  // In September and October he sold four quarters of 9,496.594752 and bought 270.55 on the last day.
  expect(flows.outflow_amount).toBeCloseTo(9_496.594752, 4);
  expect(flows.inflow_amount).toBeCloseTo(270.5499, 3);
});

test("splits a token's last day by kind of wallet", async () => {
  const { flows, unclassified, definitions, window, ...rest } = await callTool("get_token_flow_intelligence", {
    token_address: ALDER,
  });
  expect(window).toEqual({ from: "2026-10-28T21:36:00Z", to: "2026-10-29T21:36:00Z" });
  // 500 USDC: 147,561.437982 · 498.5 / (271,390.230 + 498.5) = 270.5499 tokens.
  expect(flows.smart_trader).toMatchObject({ outflow_usd: 0, wallet_count: 1 });
  // The pool held 1.839168 for the first half of the hour and 1.84594 for the other.
  const held = Math.sqrt(1.839168 * 1.84594);
  expect(flows.smart_trader.inflow_usd).toBeCloseTo(270.5499 * held, 2);
  expect(flows.smart_trader.net_flow_amount).toBeCloseTo(270.5499, 3);
  expect(flows.smart_trader.top_wallets.map(({ address }: { address: string }) => address)).toEqual([ADDRESSES.marco]);
  // The fourth sale is within the 30 days before.
  expect(flows.smart_trader.avg_flow_usd).toBeCloseTo(-FOURTH / 30, 2);
  // paula holds most of the supply and gave 1,000 to a fresh wallet.
  expect(flows.whale).toMatchObject({ net_flow_amount: -1_000, inflow_usd: 0, wallet_count: 1, avg_flow_usd: 0 });
  expect(flows.fresh_wallets).toMatchObject({ net_flow_amount: 1_000, outflow_usd: 0, wallet_count: 1 });
  expect(flows.fresh_wallets.top_wallets[0].address).toBe(getAddress(NEWCOMER));
  // marco made money with it. paula paid 80,000 and holds 51,438.562018, for which the pool would pay
  // 271,890.230 · 51,438.562018 / (147,290.888 + 51,438.562018) = 70,375.
  expect(flows.top_pnl.wallet_count).toBe(1);
  expect(flows.top_pnl.net_flow_amount).toBeCloseTo(270.5499, 3);
  expect(rest.overlap_wallet_count).toBe(1);
  // Only the pool remains.
  expect(unclassified).toMatchObject({ wallet_count: 1, outflow_usd: flows.smart_trader.inflow_usd });
  // (271,390.230 + 500) / (147,561.437982 - 270.5499) held for most of the last sixty minutes; 271,390.230 / 147,561.437982
  // a day before.
  expect(rest.price_usd).toBeCloseTo(1.845939, 4);
  expect(rest.price_change_percent).toBeCloseTo(100 * (1.845939 / 1.839168 - 1), 2);
  expect(definitions).toMatchObject({ version: "cohorts@1", average_windows: 30 });
  expect(
    definitions.rules.find(({ cohort }: { cohort: string }) => cohort === "smart_trader").thresholds,
  ).toContainEqual({ name: "realized_usd_min", value: 25_000 });
});

test("reports fresh wallets for a day and a week only", async () => {
  const week = await callTool("get_token_flow_intelligence", { token_address: ALDER, timeframe: "7d" });
  expect(week.flows.fresh_wallets.wallet_count).toBe(1);
  expect(week.definitions.average_windows).toBe(4);
  const half = await callTool("get_token_flow_intelligence", { token_address: ALDER, timeframe: "12h" });
  expect(half.flows.fresh_wallets).toBeNull();
  expect(half.unavailable).toContainEqual({ field: "flows.fresh_wallets", reason: "available for 1d and 7d only" });
});

test("has no data for an hour without a transfer, twice with the same answer", async () => {
  const asked = { token_address: ALDER, network: "demo", timeframe: "1h" };
  expect((await callTool("get_token_flow_intelligence", asked)).status).toBe("no_data");
  const one = await stage.ask("get_token_flow_intelligence", { ...asked, timeframe: "1d" });
  const two = await stage.ask("get_token_flow_intelligence", { ...asked, timeframe: "1d" });
  expect(two.text).toBe(one.text);
});

test("has no cohorts before the first list, and rejects an account as a token", async () => {
  const { block_number } = await callTool("get_contract_creation", { contract_address: ALDER });
  const atBlock = (as_of_block: number) =>
    callTool("get_token_flow_intelligence", { token_address: ALDER, as_of_block });
  expect(await atBlock(block_number)).toMatchObject({ status: "error", code: "COVERAGE_INCOMPLETE" });
  expect(await atBlock(block_number - 1)).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
  const account = await callTool("get_token_flow_intelligence", { token_address: ADDRESSES.alice });
  expect(account).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
});

test("rejects an invalid timeframe before it is charged", async () => {
  const { status } = await stage.ask("get_token_flow_intelligence", {
    token_address: ALDER,
    network: "demo",
    timeframe: "2d",
  });
  expect(status).toBe(422);
});
