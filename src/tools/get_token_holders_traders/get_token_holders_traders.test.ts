import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import {
  ALICE,
  BOB,
  CAROL,
  chain,
  DEAD,
  EMPTY_TOKEN,
  HEAD,
  HOT1,
  HOT2,
  LONELY_TOKEN,
  openTokenScenario,
  POOL,
  TOKEN,
  UNIT,
} from "../../../test/token_scenario.ts";
import { dailyBlocks, transfersOf } from "../../../test/value_rows.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";
import { getTokenHoldersTraders } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTokenScenario();
});
afterAll(() => store.close());

const run = (token: string, more: object = {}, on: Chain = chain) =>
  runTool(
    getTokenHoldersTraders,
    { token_address: token, network: "demo", ...more },
    callContext({ facts: store.facts, chain: () => on }),
  );

const dataOf = async (token = `0x${TOKEN}`, more: object = {}) => {
  const outcome = await run(token, more);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getTokenHoldersTraders.output.parse(outcome.data);
};

const shown = (address: Hex) => chain.formatAddress(address);

describe("holders", () => {
  test("are sorted by balance, with their share of the supply", async () => {
    const { holders, has_more_holders, supply } = await dataOf();
    expect(holders.map(({ address }) => address)).toEqual([POOL, DEAD, HOT1, ALICE, BOB, HOT2].map(shown));
    // Alice: 150 - 20 + 5 = 135 of 1,000; Bob 100 + 20 - 5 = 115.
    expect(holders.map(({ token_balance }) => token_balance)).toEqual([300, 200, 140, 135, 115, 110]);
    for (const [i, percent] of [30, 20, 14, 13.5, 11.5, 11].entries()) {
      expect(holders[i]?.ownership_percentage).toBeCloseTo(percent, 12);
    }
    expect(holders.map(({ holder_type }) => holder_type)).toEqual([
      "lp_pool",
      "burn",
      "exchange",
      "eoa",
      "eoa",
      "exchange",
    ]);
    expect(has_more_holders).toBe(false);
    expect(supply).toMatchObject({ total: { amount: 1_000 }, burned: { amount: 200 }, adjusted: { amount: 800 } });
  });

  test("carry what they gained and lost lately, and when they first had some", async () => {
    const { holders } = await dataOf();
    const alice = holders.find(({ address }) => address === shown(ALICE));
    expect(alice).toMatchObject({
      balance_change_24h: 5,
      balance_change_7d: 5,
      balance_change_30d: -15,
      first_acquired_at: "2026-01-01T00:00:00Z",
      buy_volume_usd: 40,
      sell_volume_usd: 10,
    });
  });

  test("of one entity count together when asked", async () => {
    const { holders } = await dataOf(`0x${TOKEN}`, { aggregate_by_entity: true });
    const bourse = holders.find(({ entity }) => entity === "Bourse");
    // 140 + 110.
    expect(bourse).toMatchObject({ token_balance: 250, addresses_count: 2 });
    expect(bourse?.ownership_percentage).toBeCloseTo(25, 12);
    expect(holders.map(({ token_balance }) => token_balance)).toEqual([300, 250, 200, 135, 115]);
  });

  test("concentration leaves burn out of both sides and custodians out of the adjusted numerator", async () => {
    const { concentration } = await dataOf();
    // Base 800: all 300, 140, 135, 115, 110 = 100 %; adjusted 135 + 115 = 250 -> 31.25 %.
    expect(concentration).toMatchObject({
      all: { top1_percent: 37.5, top10_percent: 100 },
      adjusted: { top1_percent: 16.875, top10_percent: 31.25 },
      flag: "medium",
      holders_ranked: 5,
    });
  });

  test("has_more is exact at the edge", async () => {
    expect((await dataOf(`0x${TOKEN}`, { limit: 6 })).has_more_holders).toBe(false);
    const five = await dataOf(`0x${TOKEN}`, { limit: 5 });
    expect(five.has_more_holders).toBe(true);
    expect(five.holders).toHaveLength(5);
  });
});

describe("traders", () => {
  test("are sorted by volume in verified pools within the window", async () => {
    const { traders, has_more_traders, traders_unavailable_reason } = await dataOf();
    expect(traders.map(({ address }) => address)).toEqual([CAROL, ALICE, BOB].map(shown));
    expect(traders[0]).toMatchObject({
      buy_volume_usd: 0,
      sell_volume_usd: 60,
      net_usd: -60,
      buy_count: 0,
      sell_count: 3,
      token_balance: 0,
      is_bot: true, // three transactions in one block
    });
    expect(traders[1]).toMatchObject({ buy_volume_usd: 40, sell_volume_usd: 10, net_usd: 30, is_bot: false });
    expect(has_more_traders).toBe(false);
    expect(traders_unavailable_reason).toBeNull();
  });

  test("without a price have counts and no volume", async () => {
    const { traders, unavailable } = await dataOf();
    const bob = traders.find(({ address }) => address === shown(BOB));
    expect(bob).toMatchObject({ buy_count: 1, net_usd: null });
    expect(bob).not.toHaveProperty("buy_volume_usd");
    expect(unavailable.map(({ field }) => field)).toContain("traders[].buy_volume_usd");
  });

  test("are cut at the limit, and more of them are announced", async () => {
    const two = await dataOf(`0x${TOKEN}`, { limit: 2 });
    expect(two.traders).toHaveLength(2);
    expect(two.has_more_traders).toBe(true);
    expect((await dataOf(`0x${TOKEN}`, { limit: 3 })).has_more_traders).toBe(false);
  });

  test("of a window without trades, of a token without pools, and of the native coin are missing for a reason", async () => {
    const quiet = await dataOf(`0x${TOKEN}`, { from_date: "2026-01-03", to_date: "2026-01-04" });
    expect(quiet).toMatchObject({ traders: [], traders_unavailable_reason: "no_trades_in_window" });
    expect(quiet.metadata.date_range).toEqual({ from: "2026-01-03", to: "2026-01-04" });
    const lonely = await dataOf(`0x${LONELY_TOKEN}`);
    expect(lonely).toMatchObject({ traders: [], traders_unavailable_reason: "no_dex_pool" });
  });

  test("of a longer window include trades before the last 30 days", async () => {
    const { traders } = await dataOf(`0x${TOKEN}`, { from_date: "2026-01-01" });
    // Bob bought 500 at 2 on the second day.
    expect(traders[0]).toMatchObject({ address: shown(BOB), buy_volume_usd: 1_000 });
  });
});

describe("other tokens", () => {
  test("a token that does not say how it is divided has raw balances only", async () => {
    const { holders, unavailable } = await dataOf(`0x${LONELY_TOKEN}`);
    expect(holders[0]).toMatchObject({ balance_raw: "5", ownership_percentage: 100, balance_change_30d: null });
    expect(holders[0]).not.toHaveProperty("token_balance");
    expect(unavailable.map(({ field }) => field)).toContain("holders[].token_balance");
  });

  test("the native coin has holders, no supply and no traders", async () => {
    const native = await openTestFacts();
    try {
      const moved = {
        kind: "reward" as const,
        token: "" as const,
        source: "" as const,
        destination: ALICE,
        amount: 3n * UNIT,
      };
      await native.seed(
        { network: "demo", from: 100, to: HEAD },
        { blocks: dailyBlocks(HEAD), transfers: transfersOf({ block: 101 }, ALICE, [moved]) },
      );
      const outcome = await runTool(
        getTokenHoldersTraders,
        { token_address: "native", network: "demo" },
        callContext({ facts: native.facts, chain: () => chain }),
      );
      if (outcome.kind !== "data") throw new Error(outcome.kind);
      const answer = getTokenHoldersTraders.output.parse(outcome.data);
      expect(answer.holders.map(({ token_balance }) => token_balance)).toEqual([3]);
      expect(answer).toMatchObject({ traders_unavailable_reason: "native_asset", concentration: null });
      expect(answer.holders[0]).not.toHaveProperty("ownership_percentage");
    } finally {
      await native.close();
    }
  });

  test("a supply of nothing is no data", async () => {
    expect(await run(`0x${EMPTY_TOKEN}`)).toMatchObject({ kind: "no_data", type: "token_holders_traders" });
  });

  test("an account that is no token is refused", async () => {
    expect(await run(`0x${ALICE}`)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
  });

  test("no holder in an index that starts late proves nothing", async () => {
    const late = await openTestFacts();
    try {
      await late.seed({ network: "demo", from: 100, to: 110, first: 50 }, {});
      const outcome = await runTool(
        getTokenHoldersTraders,
        { token_address: `0x${TOKEN}`, network: "demo" },
        callContext({ facts: late.facts, chain: () => chain }),
      );
      expect(outcome).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
    } finally {
      await late.close();
    }
  });

  test("a node that does not answer is a failure, not an absence", async () => {
    await expect(run(`0x${TOKEN}`, {}, fixedChain({ down: true }))).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

test("as of an earlier block holders and traders are those of that block", async () => {
  const { holders, traders, metadata } = await dataOf(`0x${TOKEN}`, { as_of_block: 121 });
  expect(holders.find(({ address }) => address === shown(ALICE))?.token_balance).toBe(150);
  expect(traders.map(({ address }) => address)).toEqual([BOB, ALICE].map(shown));
  expect(metadata.as_of?.block_number).toBe(121);
});

test("a window of more than a year is rejected before any read", () => {
  const { check, input } = getTokenHoldersTraders;
  const refusalOf = (more: object) =>
    check?.(input.parse({ token_address: "native", network: "demo", ...more }), { networks: [], today: "2026-06-01" });
  expect(refusalOf({ from_date: "2025-01-01", to_date: "2026-06-01" })).toBe(
    "from_date and to_date span more than 366 days.",
  );
  expect(refusalOf({ from_date: "2025-06-01" })).toBeNull(); // 366 days, both included
  expect(refusalOf({})).toBeNull();
});

test("the same question has the same answer, byte for byte", async () => {
  expect(JSON.stringify(await dataOf())).toBe(JSON.stringify(await dataOf()));
});
