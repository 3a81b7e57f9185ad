import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { chain, ETH, FRIEND, HEAD, MANY, native, seedScenario, WALLET } from "../../../test/transactions_scenario.ts";
import { dailyBlocks, transfersOf } from "../../../test/value_rows.ts";
import { hex } from "../../lib/bytes.ts";
import { getWalletTransactions } from "./index.ts";

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  await seedScenario(store);
});
afterAll(() => store.close());

type TransactionsTestInput = Omit<
  Parameters<typeof getWalletTransactions.input.parse>[0] & object,
  "address" | "network"
>;

const context = (on = chain, facts = store.facts) => callContext({ facts, chain: () => on });

const run = (asked: TransactionsTestInput = {}, wallet = WALLET) =>
  runTool(getWalletTransactions, { address: `0x${wallet}`, network: "demo", ...asked }, context());

const dataOf = async (asked: TransactionsTestInput = {}, wallet = WALLET) => {
  const outcome = await run(asked, wallet);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletTransactions.output.parse(outcome.data);
};

const rowsAt = async (block: number, asked: TransactionsTestInput = {}) =>
  (await dataOf({ records_per_page: 100, include_spam: true, ...asked })).data.filter(
    ({ block_number }) => block_number === block,
  );

describe("rows", () => {
  test("a payment has its value at the hour and the sender's fee", async () => {
    // 1 ETH at 2,000; fee 0.001 ETH = 2 USD.
    const [out] = await rowsAt(101, { direction: "out", include_spam: false });
    expect(out).toMatchObject({
      direction: "out",
      amount: 1,
      token: "ETH",
      token_address: "native",
      usd_value: 2_000,
      fee_usd: 2,
      kind: "native",
      tx_type: "transfer",
      method: null,
      log_index: null,
      status: "success",
      is_spam: false,
    });
    const [received] = await rowsAt(100);
    expect(received).toMatchObject({ direction: "in", amount: 10, usd_value: 20_000, fee_usd: null });
  });

  test("lists both sides of a swap, the fee once, and the labelled peer by name", async () => {
    const rows = await rowsAt(103);
    expect(
      rows.map(({ direction, amount, token, tx_type, method }) => [direction, amount, token, tx_type, method]),
    ).toEqual([
      ["in", 2_000, "USDC", "swap", "swapExactETHForTokens"],
      ["out", 1, "ETH", "swap", "swapExactETHForTokens"],
    ]);
    expect(rows.map(({ fee_usd, log_index }) => [fee_usd, log_index])).toEqual([
      [2, 1],
      [null, null],
    ]);
    expect(rows[0]?.peer).toMatchObject({ label: "Pool of the story", tags: ["dex"] });
  });

  test("a call that moved nothing is listed once, a failed one with its status", async () => {
    const rows = await rowsAt(102);
    expect(
      rows.map(({ kind, tx_type, method, status, amount, fee_usd }) => [
        kind,
        tx_type,
        method,
        status,
        amount,
        fee_usd,
      ]),
    ).toEqual([
      ["call", "call", "0x01020304", "failed", 0, 2],
      ["call", "approval", "approve", "success", 0, 2],
    ]);
  });

  test("a transfer to oneself is one row", async () => {
    const rows = await rowsAt(105);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ direction: "self", amount: 7, fee_usd: 2 });
  });

  test("leaves out missing token metadata, and reports it", async () => {
    const rows = await rowsAt(106);
    const [unknown, art] = rows;
    expect(unknown).toMatchObject({ amount_raw: "5", decimals: null, usd_value: null });
    expect(unknown).not.toHaveProperty("amount");
    expect(unknown?.unavailable.map(({ field }) => field)).toEqual(["amount", "token", "fee_usd"]);
    expect(art).toMatchObject({ amount: 1, token: "ART", token_id: "0", kind: "erc721", usd_value: null });
  });

  test("issued coins have neither hash nor payer", async () => {
    const [row] = await rowsAt(107);
    expect(row).toMatchObject({ kind: "withdrawal", tx_type: "withdrawal", amount: 1, status: "success" });
    expect(row).not.toHaveProperty("tx_hash");
    expect(row?.peer.address).toBe(`0x${"0".repeat(40)}`);
  });
});

describe("spam", () => {
  test("is flagged with its reasons and hidden unless asked for", async () => {
    const reasons = async (block: number) => (await rowsAt(block)).flatMap(({ spam_reasons }) => spam_reasons);
    expect(await reasons(101)).toEqual(["zero_value_transfer", "lookalike_peer"]);
    expect(await reasons(104)).toEqual(["mass_airdrop"]);
    const shown = await dataOf({ records_per_page: 100 });
    expect(shown.data.some(({ is_spam }) => is_spam)).toBe(false);
    expect(shown.summary.hidden_spam).toBe(2);
  });

  test("hidden rows are counted on the page that passes them, so that pages add up", async () => {
    let hidden = 0;
    // 55 rows that are shown: eleven pages.
    for (let page = 1; page <= 11; page += 1)
      hidden += (await dataOf({ page, records_per_page: 5 })).summary.hidden_spam;
    expect(hidden).toBe(2);
    expect(await run({ page: 12, records_per_page: 5 })).toMatchObject({ kind: "no_data" });
  });
});

describe("paging", () => {
  // 45 payments, withdrawal, 2 of block 106, self, 2 of the swap, 2 calls, payment out, payment in = 55 rows.
  const SHOWN = MANY + 10;
  const keyOf = (row: Awaited<ReturnType<typeof dataOf>>["data"][number]) =>
    [row.block_number, row.tx_hash, row.log_index, row.kind, row.direction, row.amount_raw].join(":");

  test.each([7, 20, 55, 100])("pages of %i neither repeat nor skip", async (records_per_page) => {
    const whole = (await dataOf({ records_per_page: 100 })).data.map(keyOf);
    expect(new Set(whole).size).toBe(SHOWN);
    const joined: string[] = [];
    for (let page = 1; joined.length < SHOWN; page += 1) {
      const { data, pagination } = await dataOf({ page, records_per_page });
      expect(pagination.returned_count).toBe(data.length);
      joined.push(...data.map(keyOf));
      expect(pagination.has_more_data).toBe(joined.length < SHOWN);
      expect(pagination.is_complete).toBe(joined.length === SHOWN);
      if (data.length === 0) break;
    }
    expect(joined).toEqual(whole);
  });

  test("shows the fee of a transaction once even when a page ends inside it", async () => {
    const fees: (number | null)[] = [];
    const keys: string[] = [];
    for (let page = 1; page <= SHOWN; page += 1) {
      const { data } = await dataOf({ page, records_per_page: 1 });
      fees.push(...data.map(({ fee_usd }) => fee_usd));
      keys.push(...data.map(keyOf));
    }
    expect(new Set(keys).size).toBe(SHOWN);
    // Payment, two calls, swap, self: five transactions of the wallet, 2 USD each.
    expect(fees.filter((value) => value !== null)).toEqual([2, 2, 2, 2, 2]);
  });

  test("a page behind the last row is no data", async () => {
    expect(await run({ page: 9, records_per_page: 20 })).toMatchObject({
      kind: "no_data",
      type: "transactions",
      message: expect.stringContaining("Page 9 has no rows"),
    });
  });

  test("depth is limited before the charge", () => {
    const parsed = getWalletTransactions.input.parse({
      address: `0x${WALLET}`,
      network: "demo",
      page: 101,
      records_per_page: 100,
    });
    expect(getWalletTransactions.check?.(parsed, { networks: ["demo"], today: "2026-01-11" })).toContain("10000");
  });
});

describe("filters", () => {
  test("direction, token and value narrow the list", async () => {
    const { data: out } = await dataOf({ direction: "out" });
    expect(out.map(({ kind }) => kind)).toEqual(["native", "call", "call", "native"]);
    const { data: coins } = await dataOf({ token_address: "native", records_per_page: 100 });
    expect(coins.map(({ block_number }) => block_number)).toEqual([107, 103, 102, 102, 101, 100]);
    // Payments of 44 and 45 USDC, the swap's 2,000 on both sides, 1 and 10 ETH, the withdrawal of 1 ETH.
    const { data: big, pagination } = await dataOf({ min_usd: 44, records_per_page: 5 });
    expect(big.map(({ usd_value }) => usd_value)).toEqual([45, 44, 2_000, 2_000, 2_000]);
    expect(pagination.has_more_data).toBe(true);
  });

  test("dates are whole days of both ends", async () => {
    const { data, metadata } = await dataOf({ from_date: "2026-01-02", to_date: "2026-01-03" });
    expect(data.map(({ block_number }) => block_number)).toEqual([102, 102, 101]);
    expect(metadata.date_range).toEqual({ from: "2026-01-02", to: "2026-01-03" });
    const future = await dataOf({ to_date: "2030-01-01" });
    expect(future.metadata.warnings.map(({ code }) => code)).toEqual(["DATE_CLAMPED"]);
  });

  test("an earlier block answers as if nothing had happened since", async () => {
    const { data, metadata } = await dataOf({ as_of_block: 101 });
    expect(data.map(({ block_number }) => block_number)).toEqual([101, 100]);
    expect(metadata.as_of).toMatchObject({ block_number: 101, timestamp: "2026-01-02T00:00:00Z" });
  });
});

describe("outcomes", () => {
  test("a wallet that never moved is no data, on complete coverage only", async () => {
    expect(await run({}, hex("ee".repeat(20)))).toMatchObject({
      kind: "no_data",
      type: "transactions",
      message: expect.stringMatching(/^This address has no transaction on \S+ from \S+ to \S+\.$/),
    });
  });

  test("with a partial index absence is an error, and presence is not complete", async () => {
    const partial = await openTestFacts();
    try {
      const rows = transfersOf({ block: 105 }, FRIEND, [native(FRIEND, WALLET, ETH)]);
      await partial.seed(
        { network: "demo", from: 105, to: HEAD, first: 1, has_traces: false },
        {
          blocks: dailyBlocks(HEAD)
            .filter(({ block_number }) => Number(block_number) >= 105)
            .map((row) => ({ ...row, has_traces: 0 })),
          transfers: rows,
        },
      );
      const ask = (wallet: string) =>
        runTool(getWalletTransactions, { address: `0x${wallet}`, network: "demo" }, context(chain, partial.facts));
      expect(await ask("ee".repeat(20))).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
      const found = await ask(WALLET);
      expect(found).toMatchObject({ kind: "data", data: { pagination: { is_complete: false, has_more_data: false } } });
      expect(found).toMatchObject({
        data: { metadata: { warnings: [{ code: "WINDOW_NOT_COVERED" }, { code: "INTERNAL_TRANSFERS_MISSING" }] } },
      });
    } finally {
      await partial.close();
    }
  });

  test("a block that is not indexed is refused by the index", async () => {
    await expect(run({ as_of_block: 5_000 })).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  });

  test("the same question at the same block gives the same bytes", async () => {
    const ask = () => run({ include_spam: true, as_of_block: 108 });
    expect(JSON.stringify(await ask())).toBe(JSON.stringify(await ask()));
  });
});
