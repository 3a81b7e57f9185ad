import { beforeAll, expect, test } from "vitest";
import { ETHER, on } from "../../../src/demo/evm/act.ts";
import { BOB_SUNRISE } from "../../fixtures/evm_expected.ts";
import { Bucket } from "../bucket.ts";
import { expectNear } from "../near.ts";
import { paidBy } from "../sale.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

interface PnlAnswerRow {
  readonly token_symbol: string;
  readonly token_address: string;
  readonly pnl: Readonly<Record<string, number>>;
  readonly holdings: Readonly<Record<string, number>>;
  readonly trading: Readonly<Record<string, number | string | null>>;
}

const readPnl = async (wallet: string, args: Readonly<Record<string, unknown>> = {}) => {
  const asked = { address: truth.addressOf(wallet), network: "demo", ...args };
  const { body } = await stage.ask("get_wallet_pnl", asked);
  const row = (token: string): PnlAnswerRow => {
    const address = token === "native" ? "native" : truth.addressOf(token);
    const found = body.data.find(({ token_address }: PnlAnswerRow) => token_address === address);
    if (found === undefined) throw new Error(`${wallet} has no row of ${token}`);
    return found;
  };
  return { body, row };
};

const etherAt = async (seconds: number): Promise<number> => {
  const price = await truth.etherUsd(T0 + seconds);
  if (price === null) throw new Error(`ether has no price at ${seconds}`);
  return price;
};

const etherAtEnd = (): Promise<number> => etherAt(stage.world.head.time - T0);
/** Fees of a wallet in dollars, each at the price of its hour. */
const feesUsd = async (wallet: string, until = Number.POSITIVE_INFINITY): Promise<number> => {
  let total = 0;
  for (const { fee, time } of truth.sentBy(wallet)) {
    if (time < until) total += (Number(fee) / 1e18) * (await etherAt(time - T0));
  }
  return total;
};

const SUN = {
  bought: Number(BOB_SUNRISE.bought) / 1e18,
  sold: Number(BOB_SUNRISE.sold) / 1e18,
  left: Number(BOB_SUNRISE.left) / 1e18,
  cost: 1_000,
  proceeds: Number(BOB_SUNRISE.proceeds) / 1e6,
  /** Since the sale: 100,500.51 USDC beside 99,506.42 SUN. */
  price: Number(BOB_SUNRISE.pool.usdc) / 1e6 / (Number(BOB_SUNRISE.pool.sunrise) / 1e18),
};

test("reports bob's Sunrise: half of 1,000 dollars' worth sold, the rest at the pool's price", async () => {
  const { body, row } = await readPnl("bob");
  const sunrise = row("sunrise");
  // He sold half (one base unit less, if the number is odd) of his purchase, with that part's cost.
  const cost_sold = (SUN.cost * SUN.sold) / SUN.bought;
  const cost_left = SUN.cost - cost_sold;
  const realized = SUN.proceeds - cost_sold;
  const value = SUN.left * SUN.price;
  expectNear(sunrise.pnl, {
    realized_usd: realized,
    unrealized_usd: value - cost_left,
    total_usd: realized + value - cost_left,
    realized_roi_percent: (100 * realized) / cost_sold,
    unrealized_roi_percent: (100 * (value - cost_left)) / cost_left,
  });
  expect(sunrise.holdings.current_amount_raw).toBe(BOB_SUNRISE.left.toString());
  expectNear(sunrise.holdings, { current_amount: SUN.left, current_value_usd: value, price_usd: SUN.price });
  expect(sunrise.trading).toMatchObject({
    buy_count: 1,
    sell_count: 1,
    bought_amount_raw: BOB_SUNRISE.bought.toString(),
    sold_amount_raw: BOB_SUNRISE.sold.toString(),
    first_trade_at: "2026-08-11T10:00:12Z",
    last_trade_at: "2026-09-10T10:00:12Z",
    avg_holding_days: 30,
    uncosted_amount: 0,
    income_usd: 0,
  });
  const [, buying, , selling] = truth.sentBy("bob");
  const fee = async (sent = buying) => (Number(sent?.fee) / 1e18) * (await etherAt((sent?.time ?? 0) - T0));
  expectNear(sunrise.trading, {
    bought_usd: SUN.cost,
    sold_usd: SUN.proceeds,
    avg_buy_price_usd: SUN.cost / SUN.bought,
    avg_sell_price_usd: SUN.proceeds / SUN.sold,
    cost_basis_usd: cost_left,
    // A trade of two tokens: half of its fee each.
    gas_fees_usd: ((await fee(buying)) + (await fee(selling))) / 2,
    max_balance: SUN.bought,
  });
  expectNear(body.summary, { gas_fees_usd: await feesUsd("bob"), total_realized_pnl_usd: realized });
  // Of two sales, dollars for Sunrise and Sunrise for dollars, neither gained.
  expect(body.summary.win_rate_percent).toBe(0);
});

const expectNative = async (row: PnlAnswerRow, bucket: Bucket): Promise<void> => {
  const price = await etherAtEnd();
  const held = Number(bucket.amount) / 1e18;
  const unrealized = (Number(bucket.costed) / 1e18) * price - bucket.cost;
  expect(row.holdings.current_amount_raw).toBe(bucket.amount.toString());
  expectNear(row.holdings, { current_amount: held, current_value_usd: held * price, price_usd: price });
  expectNear(row.holdings, { uncosted_amount: Number(bucket.uncosted) / 1e18 });
  expectNear(row.trading, {
    cost_basis_usd: bucket.cost,
    uncosted_value_usd: (Number(bucket.uncosted) / 1e18) * price,
  });
  expectNear(row.pnl, { realized_usd: 0, unrealized_usd: unrealized, total_usd: unrealized });
};

const feesOf = (wallet: string): readonly bigint[] => truth.sentBy(wallet).map(({ fee }) => fee);
/** Fees of the n-th transactions of a wallet, from..to. */
const fees = (wallet: string, from: number, to: number): bigint =>
  feesOf(wallet)
    .slice(from, to)
    .reduce((sum, fee) => sum + fee, 0n);

test("reports bob's ether: ten coins without a cost, a quarter of a wrapped one with a cost, fees from both", async () => {
  const bucket = new Bucket();
  bucket.get(10n * ETHER, null);
  for (const fee of feesOf("bob").slice(0, 2)) bucket.give(fee);
  bucket.get(ETHER / 4n, await etherAt(on(25, 12)));
  for (const fee of feesOf("bob").slice(2)) bucket.give(fee);
  const { body, row } = await readPnl("bob");
  await expectNative(row("native"), bucket);
  expect(row("native").trading).toMatchObject({
    ...{ buy_count: 0, sell_count: 0, received_amount: 10.25, sent_amount: 0, gas_fees_usd: 0 },
  });
  // Dollars are dollars: 1,500 minted to him, 500 given, bought and sold at 1.
  for (const coin of ["usdc", "usdt"]) expect(row(coin).pnl).toMatchObject({ realized_usd: 0, unrealized_usd: 0 });
  expectNear(row("usdc").trading, {
    income_usd: 1_500,
    bought_usd: SUN.proceeds,
    sold_usd: 1_000,
    received_amount: 1_500,
  });
  expectNear(row("usdt").trading, { income_usd: 0, received_amount: 500, received_cost_usd: 500 });
  // Four rows, largest gain or loss first; two dollars without any, by address.
  expect(body.data.map(({ token_symbol }: PnlAnswerRow) => token_symbol)).toEqual(["ETH", "SUN", "USDT", "USDC"]);
  expect(body.summary).toMatchObject({ total_tokens: 4, profitable_tokens: 1, losing_tokens: 1, neutral_tokens: 2 });
});

test("realises nothing for carol, who only receives and pays, and keeps her ether's cost of its hour", async () => {
  const bucket = new Bucket();
  bucket.get(ETHER, null);
  bucket.get(ETHER / 10n, await etherAt(on(14, 16)));
  for (const fee of feesOf("carol")) bucket.give(fee);
  const { body, row } = await readPnl("carol");
  await expectNative(row("native"), bucket);
  expect(row("usdc").trading).toMatchObject({
    received_amount: 5_000,
    sent_amount: 1_200,
    buy_count: 0,
    sell_count: 0,
  });
  expect(row("usdt").trading).toMatchObject({ received_amount: 2_000, sent_amount: 500, cost_basis_usd: 1_500 });
  expectNear(body.summary, { total_realized_pnl_usd: 0, gas_fees_usd: await feesUsd("carol") });
  expect(body.summary.win_rate_percent).toBeNull();
});

test("nets erin's wraps to nothing: one row of ether, no trade", async () => {
  const { body, row } = await readPnl("erin");
  const bucket = new Bucket();
  bucket.get(5n * ETHER, null);
  bucket.give(ETHER / 4n + fees("erin", 0, 3));
  expect(body.data).toHaveLength(1);
  await expectNative(row("native"), bucket);
  expect(row("native").trading).toMatchObject({
    ...{ buy_count: 0, sell_count: 0, received_amount: 5, sent_amount: 0.25, gas_fees_usd: 0, max_balance: 5 },
  });
  expectNear(body.summary, { gas_fees_usd: await feesUsd("erin") });
});

test("counts only the fees of frank's failed transactions", async () => {
  const { body, row } = await readPnl("frank");
  expect(truth.sentBy("frank").map(({ succeeded }) => succeeded)).toEqual([false, false, false, false, true]);
  const bucket = new Bucket();
  bucket.get(3n * ETHER, null);
  bucket.give(ETHER / 10n + fees("frank", 0, 5));
  await expectNative(row("native"), bucket);
  expect(row("native").trading).toMatchObject({ sent_amount: 0.1, sell_count: 0, received_amount: 3 });
  expect(row("usdc").trading).toMatchObject({ received_amount: 1_200, cost_basis_usd: 1_200, income_usd: 0 });
  expectNear(body.summary, { gas_fees_usd: await feesUsd("frank"), total_pnl_usd: 0 });
});

test("has a cost for heidi's purchases, and none for her coins and her spam", async () => {
  const { body, row } = await readPnl("heidi", { include_spam: true });
  const [paid_honey, paid_moon] = [0.2 * (await etherAt(on(18, 15))), 0.5 * (await etherAt(on(20, 17)))];
  const pool = { pool: "pair_honeypot_weth", base: "honeypot", quote: "weth", version: 2 } as const;
  const hour = stage.world.head.time;
  const price = (await truth.poolState(pool, stage.world.head.number))?.ratio ?? Number.NaN;
  const amount = Number(await truth.balance("honeypot", "heidi"));
  const paid = ((await paidBy(truth, [pool], { amount, price, hour })) / 1e18) * (await etherAtEnd());
  // It cannot be sold: the whole payment is lost, whatever the pool's price.
  expectNear(row("honeypot").pnl, { realized_usd: 0, unrealized_usd: -paid_honey, total_usd: -paid_honey });
  expect(row("honeypot")).toMatchObject({ outcome: "unsellable", holdings: { current_value_usd: 0 } });
  expectNear(row("honeypot").holdings, { last_market_value_usd: paid });
  expectNear(row("honeypot").trading, { bought_usd: paid_honey, cost_basis_usd: paid_honey });
  // MOON is worth nothing since its pool was emptied.
  expectNear(row("moonlift").pnl, { realized_usd: 0, unrealized_usd: -paid_moon, unrealized_roi_percent: -100 });
  expect(row("moonlift")).toMatchObject({ outcome: "drained", holdings: { current_value_usd: 0 } });
  expect(row("moonlift").holdings.last_market_value_usd).toBeGreaterThan(0);
  expectNear(row("moonlift").trading, { cost_basis_usd: paid_moon });
  for (const spam of ["spam", "fake_usdc"]) {
    expect(row(spam).trading).toMatchObject({ cost_basis_usd: 0, received_cost_usd: 0, uncosted_value_usd: null });
    expect(row(spam)).toMatchObject({ is_spam: true, holdings: { price_usd: null } });
    expect(row(spam).holdings.uncosted_amount).toBe(row(spam).holdings.current_amount);
  }
  // Both purchases were paid with coins that have no cost: proceeds, and no profit.
  expectNear(row("native").trading, { proceeds_without_cost_usd: paid_honey + paid_moon, sold_amount: 0.7 });
  expect(row("native").pnl.realized_usd).toBe(0);
  expect(body.summary).toMatchObject({ total_tokens: 7, unpriced_tokens: 3, losing_tokens: 2, hidden_spam: 0 });
  const shown = (await readPnl("heidi")).body;
  expect(shown.summary).toMatchObject({ total_tokens: 4, unpriced_tokens: 0, unpriced_cost_usd: 0, hidden_spam: 3 });
  expect(shown.summary.total_pnl_usd).toBe(body.summary.total_pnl_usd);
});

test("counts sales in a window at the cost of all earlier purchases", async () => {
  const cost_sold = (SUN.cost * SUN.sold) / SUN.bought;
  // From the day after the purchase: the purchase itself is history.
  const after = (await readPnl("bob", { from_date: "2026-08-12" })).row("sunrise");
  expectNear(after.pnl, {
    realized_usd: SUN.proceeds - cost_sold,
    unrealized_usd: SUN.left * SUN.price - (1_000 - cost_sold),
  });
  expect(after.trading).toMatchObject({
    buy_count: 0,
    bought_usd: 0,
    sell_count: 1,
    first_trade_at: "2026-09-10T10:00:12Z",
  });
  // Up to the day before the sale: all of it is held, at the price after the purchase.
  const [usdc, sunrise] = [101_000, 100_000 - SUN.bought];
  const before = await readPnl("bob", { from_date: "2026-08-01", to_date: "2026-09-09" });
  const held = before.row("sunrise");
  expectNear(held.pnl, { realized_usd: 0, unrealized_usd: (SUN.bought * usdc) / sunrise - 1_000 });
  expectNear(held.holdings, { current_amount: SUN.bought, price_usd: usdc / sunrise });
  expect(held.trading).toMatchObject({ buy_count: 1, sell_count: 0 });
  expectNear(before.body.summary, { gas_fees_usd: await feesUsd("bob", T0 + on(40, 0)) });
  // After the sale: nothing happened, and the position stays open.
  const later = await readPnl("bob", { from_date: "2026-09-11" });
  expect(later.row("sunrise").trading).toMatchObject({ buy_count: 0, sell_count: 0, sold_usd: 0, gas_fees_usd: 0 });
  expectNear(later.row("sunrise").pnl, { realized_usd: 0, unrealized_usd: SUN.left * SUN.price - (1_000 - cost_sold) });
  expect(later.body.summary.gas_fees_usd).toBe(0);
});

test("sums totals over the returned rows, and over all rows in addition, on every page", async () => {
  for (const wallet of ["bob", "alice", "grace", "mallory"]) {
    const whole = (await readPnl(wallet, { records_per_page: 100 })).body;
    const rows: PnlAnswerRow[] = [];
    for (let page = 1; page <= Math.ceil(whole.data.length / 2); page += 1) {
      const { data, summary, pagination } = (await readPnl(wallet, { page, records_per_page: 2 })).body;
      rows.push(...data);
      const sum = (field: string): number =>
        data.reduce((all: number, { pnl }: PnlAnswerRow) => all + (pnl[field] ?? 0), 0);
      expectNear(summary, {
        total_tokens: data.length,
        total_realized_pnl_usd: sum("realized_usd"),
        total_unrealized_pnl_usd: sum("unrealized_usd"),
        total_pnl_usd: sum("realized_usd") + sum("unrealized_usd"),
      });
      const { total_tokens, profitable_tokens, losing_tokens, neutral_tokens } = summary;
      expect(profitable_tokens + losing_tokens + neutral_tokens).toBe(total_tokens);
      expect(summary.all_tokens).toEqual(whole.summary.all_tokens);
      expect(pagination.has_more_data).toBe(rows.length < whole.data.length);
    }
    expect(rows).toEqual(whole.data);
    expectNear(whole.summary, { total_pnl_usd: whole.summary.all_tokens.total_pnl_usd });
  }
});
