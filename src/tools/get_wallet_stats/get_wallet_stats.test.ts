import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { chain, FRIEND, seedScenario, WALLET } from "../../../test/transactions_scenario.ts";
import { swapUsd } from "../../domain/wallet/history/stats/read.ts";
import { totals } from "../../domain/wallet/history/stats/sum.ts";
import { hex } from "../../lib/bytes.ts";
import { getWalletStats } from "./index.ts";
import type { NetworkStats } from "./shape.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedScenario(store);
});
afterAll(() => store.close());

type StatsTestInput = Omit<Parameters<typeof getWalletStats.input.parse>[0] & object, "address">;

const run = (asked: StatsTestInput = {}, wallet = WALLET) =>
  runTool(
    getWalletStats,
    { address: `0x${wallet}`, network: "demo", ...asked },
    callContext({ facts: store.facts, chain: () => chain }),
  );
const dataOf = async (asked: StatsTestInput = {}) => {
  const outcome = await run(asked);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletStats.output.parse(outcome.data);
};

test("everything is counted once", async () => {
  const { by_network, metadata, unavailable, ...stats } = await dataOf();
  // Transactions: blocks 100, 101, 102 (2), 103, 105, 106 and 45 in block 108. The withdrawal of block 107 does not count.
  // Own: 101, 102 (2, one failed), 103, 105. Others brought something in 100, 106 and 108.
  // Tokens: dollars of the swap, the payment to oneself, an unknown token, 45 payments; one collectible.
  // Apart: the poison of block 101 and the airdrop of block 104.
  // In: 10 ETH and the withdrawn one at 2,000, 2,000 and 1 + … + 45 USDC. Out: 1 ETH twice. Fees: 5 of 0.001 ETH.
  expect(stats).toMatchObject({
    tx_count: 52,
    tx_sent: 5,
    tx_received: 47,
    failed_tx: 1,
    token_transfer_count: 48,
    nft_transfer_count: 1,
    spam_transfers: 2,
    unique_counterparties: 2,
    unique_contracts_called: 2,
    unique_tokens: 4,
    active_days: 7,
    first_seen: "2026-01-01T00:00:00Z",
    last_seen: "2026-01-09T00:00:00Z",
    age_days: 10,
    total_in_usd: 25_035,
    total_out_usd: 4_000,
    of_which: { in: { mints_usd: 0, wraps_usd: 0, rewards_usd: 2_000 }, out: { burns_usd: 0, wraps_usd: 0 } },
    unpriced_transfers: 2,
    gas_spent_native: 0.005,
    gas_spent_usd: 10,
    swap_count: 1,
    swap_volume_usd: 2_000,
    bridge_count: null,
    contracts_deployed: 0,
    nonce: 0,
  });
  expect(stats.largest_in).toMatchObject({
    usd_value: 20_000,
    amount: 10,
    token_address: "native",
    peer: chain.formatAddress(FRIEND),
    timestamp: "2026-01-01T00:00:00Z",
  });
  // Two payments of 2,000: the later one.
  expect(stats.largest_out).toMatchObject({ usd_value: 2_000, timestamp: "2026-01-04T00:00:00Z" });
  const { type: _, ...members } = stats;
  expect(by_network).toEqual([{ network: "demo", ...members }]);
  expect(unavailable.map(({ field }) => field)).toEqual(["bridge_count"]);
  expect(metadata.date_range).toEqual({ from: null, to: "2026-01-11" });
});

test("a window counts its own days only", async () => {
  // 2 to 4 January: blocks 101 to 103.
  expect(await dataOf({ from_date: "2026-01-02", to_date: "2026-01-04" })).toMatchObject({
    tx_count: 4,
    tx_sent: 4,
    tx_received: 0,
    spam_transfers: 1,
    active_days: 3,
    total_in_usd: 2_000,
    total_out_usd: 4_000,
    gas_spent_native: 0.004,
    metadata: { date_range: { from: "2026-01-02", to: "2026-01-04" } },
  });
});

test("an earlier block knows nothing of what came later", async () => {
  // Transactions: block 100, and of block 101 a payment; poison apart. No pool has a price for its unfinished hour.
  expect(await dataOf({ as_of_block: 101 })).toMatchObject({
    tx_count: 2,
    spam_transfers: 1,
    total_in_usd: 20_000,
    total_out_usd: null,
    largest_out: null,
    gas_spent_native: 0.001,
    gas_spent_usd: null,
    age_days: 1,
  });
});

test("an address that was never seen is no data", async () => {
  expect((await run({}, hex("ff".repeat(20)))).kind).toBe("no_data");
});

test("a swap is worth its given side, else the other, else nothing is known", () => {
  expect([
    swapUsd({ in_usd: 90, out_usd: 100 }),
    swapUsd({ in_usd: 90, out_usd: null }),
    swapUsd({ in_usd: null, out_usd: null }),
  ]).toEqual([100, 90, null]);
});

test("days on two networks are one day, coins and nonces have no sum", async () => {
  const { by_network } = await dataOf();
  const [stats] = by_network;
  if (stats === undefined) throw new Error("no network");
  const other: NetworkStats = {
    ...stats,
    network: "other",
    total_in_usd: null,
    first_seen: "2025-12-31T00:00:00Z",
    largest_in: null,
    nonce: 7,
    age_days: 12,
  };
  const parts = [
    { stats, days: [1, 2, 3], coin: "ETH" },
    { stats: other, days: [3, 4], coin: "BNB" },
  ];
  expect(totals(parts)).toMatchObject({
    tx_count: 104,
    active_days: 4,
    total_in_usd: 25_035,
    total_out_usd: 8_000,
    first_seen: "2025-12-31T00:00:00Z",
    age_days: 12,
    gas_spent_native: null,
    gas_spent_usd: 20,
    bridge_count: null,
    nonce: null,
    largest_in: { usd_value: 20_000 },
  });
  expect(totals(parts.map((part) => ({ ...part, coin: "ETH" }))).gas_spent_native).toBe(0.01);
});
