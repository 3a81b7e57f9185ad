import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import type { Chain } from "../../chains/chain.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import type { Outcome } from "../../lib/outcome.ts";
import { getWalletPnl } from "./index.ts";
import { type DetailedPnl, detailed, type input, type PnlOutput } from "./shape.ts";

const WALLET = addressOf(0xa11ce);
const FRIEND = addressOf(0xf1);
const POOL = addressOf(0x900);
const SPAMMER = addressOf(0x5);
const USDC = hex("cc".repeat(20));
const WETH = hex("ee".repeat(20));
const TOKEN = hex("aa".repeat(20));
const SPAM = hex("bb".repeat(20));
const VAULT = addressOf(0x7a);
const STRANGER = addressOf(0x999);

const ETH = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const HEAD = 105;
/** 23:00 of the last whole day before the head. */
const LAST_HOUR = dayOf(HEAD) - 3_600;

const NETWORK = { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };
const chain = fixedChain({
  network: NETWORK,
  accounts: { [POOL]: { code: new Uint8Array([1]) }, [VAULT]: { code: new Uint8Array([1]) } },
});

let store: TestFacts;

const fee = (amount: bigint) => ({
  kind: "fee" as const,
  token: "" as const,
  source: WALLET,
  destination: "" as const,
  amount,
});
const erc20 = (token: Hex, source: Hex, destination: Hex, amount: bigint) => ({
  kind: "erc20" as const,
  token,
  source,
  destination,
  amount,
});

const story = () => [
  ...transfersOf({ block: 100 }, FRIEND, [
    erc20(USDC, FRIEND, WALLET, 10_000n * DOLLAR),
    { kind: "internal", token: "", source: FRIEND, destination: WALLET, amount: ETH },
  ]),
  // Buys 10 TOKEN for 1,000 USDC; the fee is 0.001 ETH at 2,000.
  ...transfersOf({ block: 101 }, WALLET, [
    erc20(USDC, WALLET, POOL, 1_000n * DOLLAR),
    erc20(TOKEN, POOL, WALLET, 10n * ETH),
    fee(ETH / 1_000n),
  ]),
  // Sells 4 for 600.
  ...transfersOf({ block: 102 }, WALLET, [
    erc20(TOKEN, WALLET, POOL, 4n * ETH),
    erc20(USDC, POOL, WALLET, 600n * DOLLAR),
    fee(ETH / 1_000n),
  ]),
  // Wraps half an ETH, and a transaction fails.
  ...transfersOf({ block: 103 }, WALLET, [
    { kind: "native", token: "", source: WALLET, destination: WETH, amount: ETH / 2n },
    { kind: "wrap", token: WETH, source: "", destination: WALLET, amount: ETH / 2n },
  ]),
  ...transfersOf({ block: 103, tx_index: 1 }, WALLET, [fee(ETH / 2_000n)]),
  // Deposits 100 USDC in a vault, and is sent spam.
  ...transfersOf({ block: 104 }, WALLET, [erc20(USDC, WALLET, VAULT, 100n * DOLLAR)]),
  ...transfersOf({ block: 104, tx_index: 1 }, SPAMMER, [erc20(SPAM, SPAMMER, WALLET, 5n * ETH)]),
];

const prices = () => [
  ...[100, 101, 102, 103, 104].flatMap((block) => [
    priceRow(USDC, dayOf(block), 1),
    priceRow(WETH, dayOf(block), 2_000),
  ]),
  priceRow(USDC, LAST_HOUR, 1),
  priceRow(WETH, LAST_HOUR, 2_000),
  priceRow(TOKEN, LAST_HOUR, 160),
];

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: HEAD }, { blocks: dailyBlocks(HEAD), transfers: story() });
  await store.writer.insert("prices", prices());
  await store.writer.insert("tokens", [
    tokenRow(USDC, "USDC", 6),
    tokenRow(TOKEN, "JUN", 18),
    tokenRow(WETH, "WETH", 18),
    tokenRow(SPAM, "visit spam-site.com", 18),
  ]);
});
afterAll(() => store.close());

const run = (
  asked: Partial<Parameters<typeof input.parse>[0] & object>,
  on: Chain = chain,
): Promise<Outcome<PnlOutput>> =>
  runTool(
    getWalletPnl,
    { address: `0x${WALLET}`, network: "demo", to_date: "2026-01-05", ...asked },
    callContext({ facts: store.facts, chain: () => on }),
  );

const dataOf = async (asked: Parameters<typeof run>[0] = {}): Promise<DetailedPnl> => {
  const outcome = await run(asked);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return detailed.parse(outcome.data);
};

describe("one wallet's story", () => {
  test("ten bought at 100, four sold at 150, closing at 160: 200 realized, 360 unrealized", async () => {
    const { data, summary, metadata } = await dataOf();
    const [first] = data;
    expect(first).toMatchObject({
      token_symbol: "JUN",
      chain: "demo",
      pnl: {
        realized_usd: 200,
        unrealized_usd: 360,
        total_usd: 560,
        realized_roi_percent: 50,
        unrealized_roi_percent: 60,
      },
      holdings: {
        current_amount: 6,
        current_amount_raw: (6n * ETH).toString(),
        current_value_usd: 960,
        price_usd: 160,
      },
      // 0.001 ETH at 2,000 = 2 USD per trade, over two tokens, two trades.
      trading: {
        buy_count: 1,
        sell_count: 1,
        bought_usd: 1_000,
        sold_usd: 600,
        gas_fees_usd: 2,
        avg_buy_price_usd: 100,
        avg_sell_price_usd: 150,
        avg_holding_days: 1,
      },
      unavailable: [],
    });
    // Fees: 2 + 2 + 1 of the failed one. Disposals with a cost: USDC at cost (no gain), TOKEN with one: 50 %.
    expect(summary).toMatchObject({
      total_realized_pnl_usd: 200,
      total_pnl_usd: 560,
      gas_fees_usd: 5,
      win_rate_percent: 50,
      hidden_spam: 1,
    });
    expect(summary.profitable_tokens).toBe(1);
    expect(metadata).toMatchObject({
      address: chain.formatAddress(WALLET),
      cost_basis_method: "average",
      cost_coverage_percent: 100,
      date_range: { from: "2025-10-08", to: "2026-01-05" },
      methodology: "pnl/avg-cost@1",
      warnings: [],
    });
  });

  test("native and wrapped native coin are one row, and a wrap moves nothing", async () => {
    const { data } = await dataOf();
    const native = data.find(({ token_address }) => token_address === "native");
    expect(native?.token_symbol).toBe("ETH");
    // 1 - 0.001 - 0.001 - 0.0005; cost 0.9975 * 2,000.
    expect(native?.holdings).toMatchObject({ current_amount: 0.9975, current_value_usd: 1_995 });
    expect(native?.trading).toMatchObject({ sent_amount: 0, buy_count: 0, cost_basis_usd: 1_995, max_balance: 1 });
  });

  test("a deposit in a contract is no profit and no loss", async () => {
    const { data } = await dataOf();
    const usdc = data.find(({ token_symbol }) => token_symbol === "USDC");
    // 10,000 - 1,000 + 600 - 100.
    expect(usdc?.holdings.current_amount).toBe(9_500);
    expect(usdc?.pnl).toMatchObject({ realized_usd: 0, unrealized_usd: 0 });
    expect(usdc?.trading).toMatchObject({ sent_amount: 100, sent_to_exchange_amount: 0, received_cost_usd: 10_000 });
  });

  test("hides spam unless requested, and then shows it named and unpriced", async () => {
    const { data, summary } = await dataOf({ include_spam: true });
    const spam = data.find(({ is_spam }) => is_spam);
    expect(spam?.spam_reasons).toEqual(["url_in_name", "claim_wording"]);
    expect(spam?.pnl).toEqual({ realized_usd: 0 });
    expect(spam?.unavailable.map(({ field }) => field)).toEqual([
      "pnl.unrealized_usd",
      "pnl.total_usd",
      "pnl.realized_roi_percent",
      "pnl.unrealized_roi_percent",
      "holdings.current_value_usd",
    ]);
    expect(summary).toMatchObject({ hidden_spam: 0, unpriced_tokens: 1 });
  });

  test("a window that starts after the purchase still knows its cost", async () => {
    const { data } = await dataOf({ from_date: "2026-01-03" });
    expect(data[0]).toMatchObject({ pnl: { realized_usd: 200 }, trading: { buy_count: 0, sell_count: 1 } });
  });

  test("a window that ends before the sale has not realized it", async () => {
    const { data } = await dataOf({ to_date: "2026-01-02" });
    const token = data.find(({ token_symbol }) => token_symbol === "JUN");
    expect(token).toMatchObject({ pnl: { realized_usd: 0 }, holdings: { current_amount: 10 } });
  });

  test("as of an earlier block the answer speaks of that block's time", async () => {
    const early = await dataOf({ as_of_block: 101, to_date: undefined });
    expect(early.metadata.as_of).toMatchObject({ block_number: 101, timestamp: "2026-01-02T00:00:00Z" });
    expect(early.metadata.date_range.to).toBe("2026-01-02");
    expect(early.data.find(({ token_symbol }) => token_symbol === "JUN")?.trading.sell_count).toBe(0);
  });

  test("a date after the newest block becomes its day, with a warning", async () => {
    const { metadata } = await dataOf({ to_date: "2027-01-01" });
    expect(metadata.date_range.to).toBe("2026-01-06");
    expect(metadata.warnings.map(({ code }) => code)).toContain("DATE_CLAMPED");
  });
});

describe("pages", () => {
  test("pages of one row neither repeat nor skip a token, and totals over all rows stay the same", async () => {
    const whole = await dataOf();
    const pages = await Promise.all(whole.data.map((_, i) => dataOf({ page: i + 1, records_per_page: 1 })));
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data);
    expect(pages.map(({ pagination }) => pagination.has_more_data)).toEqual([true, true, false]);
    expect(pages.map(({ pagination }) => pagination.is_complete)).toEqual([false, false, true]);
    for (const page of pages) {
      expect(page.summary.total_tokens).toBe(1);
      expect(page.summary.all_tokens).toEqual(whole.summary.all_tokens);
    }
  });

  test("a page beyond the last row is no data", async () => {
    expect(await run({ page: 9 })).toMatchObject({ kind: "no_data" });
  });

  test("the same question has the same answer, byte for byte", async () => {
    expect(JSON.stringify(await dataOf())).toBe(JSON.stringify(await dataOf()));
  });
});

describe("nothing", () => {
  /** The answer about a wallet that no block names, of an index from `from` on. */
  const strangerIn = async (from: number, has_traces: boolean) => {
    const own = await openTestFacts();
    try {
      await own.seed({ network: "demo", from, to: HEAD, has_traces }, { blocks: dailyBlocks(HEAD) });
      const asked = { address: `0x${STRANGER}`, network: "demo" };
      return await runTool(getWalletPnl, asked, callContext({ facts: own.facts, chain: () => chain }));
    } finally {
      await own.close();
    }
  };

  test("a wallet without transactions has no data", async () => {
    expect(await strangerIn(0, true)).toMatchObject({ kind: "no_data", type: "pnl_detailed" });
  });

  test("nothing found in an incomplete index is not the same as nothing there", async () => {
    const refusal = { kind: "error", code: "COVERAGE_INCOMPLETE" };
    expect(await strangerIn(0, false)).toMatchObject(refusal);
    expect(await strangerIn(50, true)).toMatchObject(refusal);
  });

  test("with no node to ask, older counterparties count as plain accounts and coins of the first block may be missing", async () => {
    const outcome = await run({}, fixedChain({ network: NETWORK, down: true }));
    if (outcome.kind !== "data") throw new Error(outcome.kind);
    expect(outcome.data.metadata.warnings.map(({ code }) => code)).toEqual([
      "OPENINGS_UNREAD",
      "PEER_KIND_UNKNOWN",
      "REBASING_UNCHECKED",
    ]);
  });
});

test("what was held before the index has no known cost", async () => {
  const holder = addressOf(0x0dd);
  await store.writer.insert("openings", [
    { network: "demo", holder: bytesOf(holder), token: bytesOf(""), amount: 2n * ETH, block_number: 99 },
  ]);
  const { data } = await dataOf({ address: `0x${holder}` });
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    token_address: "native",
    pnl: { realized_usd: 0, unrealized_usd: 0 },
    holdings: { current_amount: 2, current_value_usd: 4_000, uncosted_amount: 2 },
    trading: { cost_basis_usd: 0, uncosted_value_usd: 4_000 },
  });
});
