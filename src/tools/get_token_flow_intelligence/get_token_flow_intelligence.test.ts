import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import {
  ALICE,
  BOB,
  CAROL,
  chain,
  HEAD,
  LONELY_TOKEN,
  openTokenScenario,
  TOKEN,
  UNIT,
} from "../../../test/token_scenario.ts";
import { addressOf, bytesOf, dayOf, priceRow } from "../../../test/value_rows.ts";
import { COHORT_RULES } from "../../domain/address/cohorts/definitions.ts";
import { sumsOf, windowsBefore } from "../../domain/wallet/flows/groups/sums.ts";
import type { Hex } from "../../lib/bytes.ts";
import { getTokenFlowIntelligence } from "./index.ts";

const DAY = dayOf(HEAD) / 86_400;

let store: TestFacts;
beforeAll(async () => {
  store = await openTokenScenario();
});
afterAll(() => store.close());

const run = (token: string, more: object = {}) =>
  runTool(
    getTokenFlowIntelligence,
    { token_address: token, network: "demo", ...more },
    callContext({ facts: store.facts, chain: () => chain }),
  );

const dataOf = async (more: object = {}) => {
  const outcome = await run(`0x${TOKEN}`, more);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getTokenFlowIntelligence.output.parse(outcome.data);
};

const listRow = (address: Hex, rank: number) => ({
  network: "demo",
  cohort: "smart_trader",
  day: DAY - 1,
  address: bytesOf(address),
  rank,
  closed_trades: 20,
  tokens: 5,
  win_rate_percent: 60,
  realized_usd: 30_000,
  cost_coverage_percent: 100,
  rules: COHORT_RULES,
  block_number: HEAD - 1,
});

test("fails until the smart-trader list is built", async () => {
  expect(await run(`0x${TOKEN}`)).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
});

describe("with a list", () => {
  beforeAll(async () => {
    await store.writer.insert("cohorts_daily", [listRow("", 2), listRow(ALICE, 1), listRow(CAROL, 2)]);
    await store.writer.insert("prices", [priceRow(TOKEN, dayOf(HEAD), 2)]);
  });

  // The newest block is at 01:30 on 10 February; Bob sent Alice 5 at midnight. Ten days before she sent him 20.
  test("the flows of the last day are those of its members", async () => {
    const { flows, unclassified, overlap_wallet_count, window, definitions } = await dataOf();
    expect(window).toEqual({ from: "2026-02-09T01:30:00Z", to: "2026-02-10T01:30:00Z" });
    expect(flows.smart_trader).toMatchObject({ net_flow_raw: (5n * UNIT).toString(), wallet_count: 1 });
    expect(flows.smart_trader?.top_wallets.map(({ address }) => address)).toEqual([chain.formatAddress(ALICE)]);
    // Alice and Bob hold more than 1 % of the 800 that are not burnt: among whales nothing flowed.
    expect(flows.whale).toMatchObject({ net_flow_amount: 0, inflow_usd: 0, outflow_usd: 0, wallet_count: 2 });
    // Alice is a smart trader and a whale, Bob a whale alone.
    expect(overlap_wallet_count).toBe(1);
    expect(flows.exchange).toMatchObject({ net_flow_amount: 0, wallet_count: 0, top_wallets: [] });
    expect(flows.public_figure).toBeNull();
    expect(unclassified).toMatchObject({ wallet_count: 0, net_flow_amount: 0 });
    expect(definitions.smart_traders_of).toBe("2026-02-09");
  });

  test("a mean needs the price of each hour with a flow", async () => {
    const { flows } = await dataOf();
    // Alice's 20 of 31 January left her in an hour without a price.
    expect(flows.smart_trader?.avg_flow_usd).toBeNull();
    // Whales gave and took nothing in thirty days: 0, and known.
    expect(flows.whale?.avg_flow_usd).toBe(0);
  });

  test("lists of other rules are not read, and below a day no wallet is fresh", async () => {
    await store.writer.insert("cohorts_daily", [{ ...listRow("", 0), day: DAY, rules: "cohorts@0" }]);
    const { flows, unclassified } = await dataOf({ timeframe: "12h" });
    expect(flows.fresh_wallets).toBeNull();
    expect(unclassified.wallet_count).toBe(0);
    expect(flows.smart_trader?.net_flow_amount).toBe(5);
  });

  test("no transfer in the window is no data, an account is no token", async () => {
    expect(await run(`0x${LONELY_TOKEN}`)).toMatchObject({ kind: "no_data", type: "token_flow_intelligence" });
    expect(await run(`0x${addressOf(0x77)}`)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
  });

  test("a list does not speak of blocks of its own day", async () => {
    expect(await run(`0x${TOKEN}`, { as_of_block: HEAD - 1 })).toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  });

  test("labels make cohorts", async () => {
    const label = { network: "demo", source: "test", label: "A fund", category: "market_maker", entity: "" };
    await store.writer.insert("labels", [
      {
        ...label,
        address: bytesOf(BOB),
        confidence: 1,
        evidence: "",
        written_at: 1,
        valid_from: 0,
        licence: "",
        published_on: "",
      },
    ]);
    const { flows, overlap_wallet_count } = await dataOf();
    expect(flows.fund).toMatchObject({ net_flow_amount: -5, wallet_count: 1 });
    expect(flows.fund?.top_wallets[0]).toMatchObject({ label: "A fund", net_flow_amount: -5 });
    expect(overlap_wallet_count).toBe(2);
  });
});

test("sums cross no border twice and are unknown without a price", () => {
  const rows = [
    { cohort: "whale", hour: 0, inflow: 30n, outflow: 10n, inflows: 1, outflows: 1 },
    { cohort: "whale", hour: 3_600, inflow: 0n, outflow: 5n, inflows: 0, outflows: 1 },
  ];
  const at = (price_usd: number) => ({ price_usd, sells: null });
  const priced = { decimals: 1, priceAt: (hour: number) => at(hour === 0 ? 2 : 4) };
  // In 3 · 2; out 1 · 2 + 0.5 · 4; net 2 · 2 - 0.5 · 4.
  expect(sumsOf(rows, priced)).toEqual({ net_raw: 15n, net_usd: 2, in_usd: 6, out_usd: 4 });
  const half = { decimals: 1, priceAt: (hour: number) => (hour === 0 ? at(2) : null) };
  expect(sumsOf(rows, half)).toEqual({ net_raw: 15n, net_usd: null, in_usd: 6, out_usd: null });
  expect(sumsOf(rows, { ...priced, decimals: null }).net_usd).toBeNull();
  // Three coins came in one movement, which a pool of one coin and two dollars pays 2 - 2 / 4 for. One coin went out in
  // one movement: 2 - 2 / 2.
  const thin = { decimals: 1, priceAt: () => ({ price_usd: 2, sells: { reserve: 1, payout_max_usd: 2 } }) };
  expect(sumsOf(rows.slice(0, 1), thin)).toMatchObject({ in_usd: 1.5, out_usd: 1 });
});

test("windows before are whole, within the life of the token and within reach", () => {
  const span = { length_s: 10, from: 105, born: 50, reach_s: 1_000 };
  expect(windowsBefore(span)).toBe(5);
  expect(windowsBefore({ ...span, reach_s: 30 })).toBe(3);
  expect(windowsBefore({ ...span, born: 100 })).toBe(0);
  expect(windowsBefore({ ...span, born: 200 })).toBe(0);
});
