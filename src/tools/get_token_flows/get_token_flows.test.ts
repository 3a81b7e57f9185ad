import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { ALICE, BOB, chain, HEAD, LONELY_TOKEN, openTokenScenario, TOKEN, UNIT } from "../../../test/token_scenario.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, transfersOf } from "../../../test/value_rows.ts";
import { COHORT_RULES } from "../../domain/address/cohorts/definitions.ts";
import type { Hex } from "../../lib/bytes.ts";
import { getTokenFlows } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTokenScenario();
});
afterAll(() => store.close());

const run = (token: string, more: object = {}, on = store) =>
  runTool(
    getTokenFlows,
    { token_address: token, network: "demo", ...more },
    callContext({ facts: on.facts, chain: () => chain }),
  );

const dataOf = async (more: object = {}, [token, on]: readonly [string, TestFacts] = [`0x${TOKEN}`, store]) => {
  const outcome = await run(token, more, on);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getTokenFlows.output.parse(outcome.data);
};

const rowAt = async (date: string, more: object = {}) => {
  const { data } = await dataOf({ records_per_page: 100, ...more });
  const row = data.find((found) => found.date === date);
  if (row === undefined) throw new Error(`no row of ${date}`);
  return row;
};

describe("all holders", () => {
  test("have a row for each of the last 30 days, newest first", async () => {
    const { data, summary, pagination } = await dataOf();
    expect(data).toHaveLength(20);
    expect(data[0]?.date).toBe("2026-02-10");
    // Bob returned 5 on the last day; Alice sent 20 ten days before.
    expect(data[0]).toMatchObject({ transfer_count: 1, unique_senders: 1, transfer_volume: 5, net_flow_amount: 0 });
    expect(data[10]).toMatchObject({ date: "2026-01-31", transfer_count: 1, transfer_volume: 20 });
    expect(data[5]).toMatchObject({ transfer_count: 0, transfer_volume: 0, transfer_volume_usd: 0 });
    expect(summary).toMatchObject({ rows: 30, transfer_count: 2, transfer_volume: 25, unique_senders: 2, minted: 0 });
    expect(pagination).toMatchObject({ returned_count: 20, has_more_data: true, is_complete: false });
    const second = await dataOf({ page: 2 });
    expect(second.data.map(({ date }) => date).slice(0, 2)).toEqual(["2026-01-21", "2026-01-20"]);
    expect(second.pagination).toMatchObject({ returned_count: 10, has_more_data: false, is_complete: true });
    expect(await run(`0x${TOKEN}`, { page: 3 })).toMatchObject({ kind: "no_data", type: "token_flows" });
  });

  test("receive what is created, and hold it without what was sent to be lost", async () => {
    const born = await rowAt("2026-01-01", { from_date: "2026-01-01" });
    // 300 + 150 + 140 + 110 + 100 = 800 to five holders, 200 straight to the burn address.
    expect(born).toMatchObject({
      transfer_count: 6,
      unique_senders: 0,
      unique_receivers: 6,
      transfer_volume: 1_000,
      inflow_amount: 800,
      inflow_count: 5,
      outflow_amount: 0,
      net_flow_raw: (800n * UNIT).toString(),
      minted: 800,
      burned: 0,
      segment_balance: 800,
      holders_count: 6,
    });
  });

  test("trade in verified pools at the hour's price", async () => {
    // Alice bought 20 at 2, sold 5 at 2 the day after; Bob's 1 of the 24th has no price.
    expect(await rowAt("2026-01-21")).toMatchObject({ dex_buy_usd: 40, dex_sell_usd: 0 });
    expect(await rowAt("2026-01-22")).toMatchObject({ dex_buy_usd: 0, dex_sell_usd: 10 });
    expect(await rowAt("2026-01-24")).toMatchObject({ dex_buy_usd: null, dex_sell_usd: 0 });
    expect((await dataOf()).summary).toMatchObject({ dex_buy_usd: null, dex_sell_usd: 70 });
  });

  test("have no value where the hour has no price", async () => {
    const row = await rowAt("2026-01-31");
    expect(row).toMatchObject({ price_usd: null, transfer_volume_usd: null, segment_value_usd: null });
    expect((await dataOf()).unavailable.map(({ field }) => field)).toContain("data[].price_usd");
  });

  test("show the largest transfers with their transactions", async () => {
    const { largest_transfers } = await dataOf();
    expect(largest_transfers.map(({ amount, from, to }) => [amount, from, to])).toEqual([
      [20, chain.formatAddress(ALICE), chain.formatAddress(BOB)],
      [5, chain.formatAddress(BOB), chain.formatAddress(ALICE)],
    ]);
    // Block 130, first transaction.
    expect(largest_transfers[0]).toMatchObject({
      tx_hash: `0x${(130_000).toString(16).padStart(64, "0")}`,
      timestamp: "2026-01-31T00:00:00Z",
      usd_value: null,
    });
  });

  test("by the hour have rows of hours", async () => {
    const { data } = await dataOf({ interval: "1h", from_date: "2026-02-10", to_date: "2026-02-10" });
    // The newest block is at 01:30.
    expect(data.map(({ date, transfer_count }) => [date, transfer_count])).toEqual([
      ["2026-02-10T01:00:00Z", 0],
      ["2026-02-10T00:00:00Z", 1],
    ]);
  });
});

describe("segments", () => {
  test("of exchanges are the labelled ones", async () => {
    const { segment, data } = await dataOf({ segment: "exchange", from_date: "2026-01-01", records_per_page: 100 });
    expect(segment).toMatchObject({ name: "exchange", member_count: 2 });
    // Two hot wallets got 140 and 110, and nothing moved since.
    expect(data.at(-1)).toMatchObject({
      transfer_count: 2,
      transfer_volume: 250,
      inflow_amount: 250,
      inflow_count: 2,
      net_flow_amount: 250,
      minted: 800,
    });
    expect(data[0]).toMatchObject({ transfer_count: 0, segment_balance: 250, holders_count: 2, dex_buy_usd: 0 });
  });

  test("of whales are large holders at the start, and moves between them are no flows", async () => {
    const { segment, summary, data } = await dataOf({ segment: "whale", from_date: "2026-01-10" });
    // 1 % of 800 is 8: Alice with 150 and Bob with 100. The pool, the exchanges and the burn address do not count.
    expect(segment.member_count).toBe(2);
    expect(summary).toMatchObject({ transfer_count: 2, transfer_volume: 25, inflow_amount: 0, outflow_amount: 0 });
    expect(data[0]).toMatchObject({ segment_balance: 250, holders_count: 2 });
  });

  test("of smart traders are refused without a list, and are its members with one", async () => {
    const asked = { segment: "smart_trader", from_date: "2026-01-10" };
    expect(await run(`0x${TOKEN}`, asked)).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
    const row = {
      network: "demo",
      cohort: "smart_trader",
      day: dayOf(HEAD) / 86_400 - 1,
      closed_trades: 20,
      tokens: 5,
      win_rate_percent: 60,
      realized_usd: 30_000,
      cost_coverage_percent: 100,
      rules: COHORT_RULES,
      block_number: HEAD - 1,
    };
    const list = [
      { ...row, address: new Uint8Array(), rank: 1 },
      { ...row, address: bytesOf(ALICE), rank: 1 },
    ];
    await store.writer.insert("cohorts_daily", list);
    const { segment, summary, metadata } = await dataOf(asked);
    expect(segment.member_count).toBe(1);
    // Alice gave 20 and got 5 back.
    expect(summary).toMatchObject({ outflow_amount: 20, inflow_amount: 5, net_flow_amount: -15 });
    expect(metadata.warnings.map(({ code }) => code)).toEqual(["COHORT_DAY"]);
  });

  test("of funds are the labelled ones, market makers too", async () => {
    expect((await dataOf({ segment: "fund" })).segment.member_count).toBeNull();
    const label = { network: "demo", source: "test", label: "Maker", category: "market_maker", entity: "" };
    const row = {
      ...label,
      address: bytesOf(BOB),
      confidence: 1,
      evidence: "",
      written_at: 1,
      valid_from: 0,
      licence: "",
      published_on: "",
    };
    await store.writer.insert("labels", [row]);
    const { segment, summary } = await dataOf({ segment: "fund" });
    expect(segment).toMatchObject({ name: "fund", member_count: 1 });
    // Bob received 20 and returned 5 in the last 30 days.
    expect(summary).toMatchObject({ inflow_amount: 20, outflow_amount: 5 });
    expect((await dataOf({ segment: "public_figure" })).segment.member_count).toBeNull();
  });

  test("of exchanges without labels are unknown, not 0", async () => {
    const bare = await openTestFacts();
    try {
      const mint = { kind: "erc20" as const, token: TOKEN, source: "" as const, destination: ALICE, amount: 7n * UNIT };
      const rows = { blocks: dailyBlocks(HEAD), transfers: transfersOf({ block: 135 }, ALICE, [mint]) };
      await bare.seed({ network: "demo", from: 100, to: HEAD }, rows);
      const answer = await dataOf({ segment: "exchange" }, [`0x${TOKEN}`, bare]);
      const row = answer.data.find(({ date }) => date === "2026-02-05");
      expect(row).toMatchObject({
        transfer_count: null,
        inflow_amount: null,
        segment_balance: null,
        holders_count: null,
      });
      // The figures of the whole token remain known.
      expect(row?.minted).toBe(7);
      expect(answer).toMatchObject({ largest_transfers: [], segment: { member_count: null } });
      expect(answer.unavailable[0]?.reason).toBe("no address is labelled as exchange on demo");
    } finally {
      await bare.close();
    }
  });
});

test("of the native coin fees are burnt, not transferred", async () => {
  const native = await openTestFacts();
  try {
    const move = (
      kind: "reward" | "native" | "fee" | "erc20",
      [source, destination]: readonly [Hex, Hex],
      amount: bigint,
    ) => ({
      kind,
      token: "" as const,
      source,
      destination,
      amount: amount * UNIT,
    });
    await native.seed(
      { network: "demo", from: 100, to: HEAD },
      {
        blocks: dailyBlocks(HEAD),
        transfers: [
          ...transfersOf({ block: 138 }, ALICE, [move("reward", ["", ALICE], 10n)]),
          ...transfersOf({ block: 139 }, ALICE, [move("native", [ALICE, BOB], 4n), move("fee", [ALICE, ""], 1n)]),
          // To oneself, and nothing at all.
          ...transfersOf({ block: 140 }, BOB, [move("native", [BOB, BOB], 2n), move("native", [BOB, ALICE], 0n)]),
        ],
      },
    );
    const { data, summary } = await dataOf({ from_date: "2026-02-08" }, ["native", native]);
    // Newest first: nothing; 4 moved and 1 burnt; 10 created.
    expect(
      data.map(({ transfer_count, transfer_volume, minted, burned, segment_balance, holders_count }) => [
        transfer_count,
        transfer_volume,
        minted,
        burned,
        segment_balance,
        holders_count,
      ]),
    ).toEqual([
      [0, 0, 0, 0, 9, 2],
      [1, 4, 0, 1, 9, 2],
      [1, 10, 10, 0, 10, 1],
    ]);
    expect(summary).toMatchObject({ net_flow_amount: 9, transfer_count: 2, dex_buy_usd: null });
  } finally {
    await native.close();
  }
});

describe("what is not there", () => {
  test("no transfer inside an indexed window is no data", async () => {
    expect(await run(`0x${LONELY_TOKEN}`)).toMatchObject({ kind: "no_data", type: "token_flows" });
  });

  test("days before the index are left out, and prove nothing", async () => {
    const { data, metadata, pagination } = await dataOf({ from_date: "2025-12-15", records_per_page: 100 });
    expect(data.at(-1)?.date).toBe("2026-01-01");
    expect(metadata.warnings.map(({ code }) => code)).toEqual(["WINDOW_NOT_COVERED"]);
    expect(pagination.is_complete).toBe(false);
    const before = { from_date: "2025-12-01", to_date: "2025-12-31" };
    expect(await run(`0x${TOKEN}`, before)).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
  });

  test("an account that is no token is refused", async () => {
    expect(await run(`0x${addressOf(0x77)}`)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
  });
});

test("as of an earlier block the series ends there", async () => {
  const { data } = await dataOf({ as_of_block: 130 });
  expect(data[0]).toMatchObject({ date: "2026-01-31", transfer_volume: 20, holders_count: 6 });
});

test("rejects windows that are too long before any read", () => {
  const { check, input } = getTokenFlows;
  const refusalOf = (more: object) =>
    check?.(input.parse({ token_address: "native", network: "demo", ...more }), { networks: [], today: "2026-06-01" });
  expect(refusalOf({})).toBeNull();
  // 365 days, both included, and one more.
  expect(refusalOf({ from_date: "2025-06-02" })).toBeNull();
  expect(refusalOf({ from_date: "2025-06-01" })).toMatch(/366 days/);
  expect(refusalOf({ interval: "1h" })).toMatch(/14 days/);
  expect(refusalOf({ interval: "1h", from_date: "2026-05-19" })).toBeNull();
  expect(refusalOf({ from_date: "2026-06-02" })).toMatch(/lies after today/);
  expect(refusalOf({ page: 101, records_per_page: 100 })).toMatch(/10000/);
});

test("the same question has the same answer, byte for byte", async () => {
  expect(JSON.stringify(await dataOf())).toBe(JSON.stringify(await dataOf()));
});
