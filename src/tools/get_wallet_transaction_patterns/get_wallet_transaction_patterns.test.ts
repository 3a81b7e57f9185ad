import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { chain, seedScenario, WALLET } from "../../../test/transactions_scenario.ts";
import { hex } from "../../lib/bytes.ts";
import { getWalletTransactionPatterns } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedScenario(store);
});
afterAll(() => store.close());

type PatternsTestInput = Omit<Parameters<typeof getWalletTransactionPatterns.input.parse>[0] & object, "address">;

const run = (asked: PatternsTestInput = {}, wallet = WALLET) =>
  runTool(
    getWalletTransactionPatterns,
    { address: `0x${wallet}`, network: "demo", ...asked },
    callContext({ facts: store.facts, chain: () => chain }),
  );
const dataOf = async (asked: PatternsTestInput = {}) => {
  const outcome = await run(asked);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletTransactionPatterns.output.parse(outcome.data);
};

test("distinguishes receipts, payments and calls, and they add up", async () => {
  const { activity, type_mix, flow_patterns, summary, top_tokens, metadata } = await dataOf();
  // 54 transactions, two of them spam: the poison of block 101 and the airdrop of block 104.
  expect(summary).toEqual({ own_tx_count: 5, unpriced_tx_count: 1, hidden_spam: 2 });
  expect(activity).toMatchObject({
    tx_count: 52,
    active_days: 7,
    first_seen: "2026-01-01T00:00:00Z",
    last_seen: "2026-01-09T00:00:00Z",
    longest_gap_days: 2,
  });
  // Receipts: block 100, 106 and 45 in block 108.
  expect(type_mix.map(({ type, count }) => [type, count])).toEqual([
    ["receive", 47],
    ["approval", 1],
    ["call", 1],
    ["self", 1],
    ["send", 1],
    ["swap", 1],
  ]);
  // In: 20,000 + 2,000 + 1,035, and 2,000 of the withdrawal. Out: 2,000 of the payment and 2,000 of the swap.
  expect(flow_patterns).toMatchObject({
    in_usd: 25_035,
    out_usd: 4_000,
    net_usd: 21_035,
    in_out_symmetry: 4_000 / 25_035,
  });
  // Priced receipts: 20,000 and 1 to 45; of these 46 the middle two are 23 and 24.
  expect(flow_patterns.median_in_usd).toBe(23.5);
  // The only payment: 1 ETH, a day after 10 ETH had come.
  expect(flow_patterns).toMatchObject({ median_out_usd: 2_000, median_hold_hours: 24, pass_through_percent: 0 });
  expect(top_tokens.slice(0, 2)).toMatchObject([
    // 10 in, 1 out, 1 swapped at 2,000; 2,000 of the swap and 1,035.
    { symbol: "ETH", transfer_count: 3, volume_usd: 24_000 },
    { symbol: "USDC", transfer_count: 46, volume_usd: 3_035 },
  ]);
  // 11 January 2026 - 179 days.
  expect(metadata.date_range).toEqual({ from: "2025-07-16", to: "2026-01-11" });
});

test("own transactions make the cadence, and five are too few for a persona", async () => {
  const { cadence, automation_score, detected, top_protocols } = await dataOf();
  expect(cadence.hour_of_day_utc[0]).toBe(5);
  // 2 January 2026 was a Friday: blocks 101, 102 (2), 103 and 105 are on Friday, Saturday, Sunday and Tuesday.
  expect(cadence.day_of_week).toEqual([0, 1, 0, 0, 1, 2, 1]);
  expect(cadence).toMatchObject({ median_interval_seconds: null, interval_cv: null, inferred_utc_offset: null });
  expect([automation_score, detected]).toEqual([null, []]);
  expect(top_protocols).toMatchObject([
    { label: "Pool of the story", category: "dex", tx_count: 1, volume_usd: 4_000 },
  ]);
});

test("shows spam when requested", async () => {
  expect(await dataOf({ include_spam: true })).toMatchObject({
    activity: { tx_count: 54 },
    summary: { hidden_spam: 0 },
  });
});

test("an address that never moved anything is no data", async () => {
  expect((await run({}, hex("ff".repeat(20)))).kind).toBe("no_data");
});
