import { describe, expect, test } from "vitest";
import {
  buy,
  EXCHANGE,
  FRIEND,
  leg,
  OTHER,
  of,
  row,
  run,
  sell,
  TOKEN,
  tx,
  USDC,
  VAULT,
} from "../../../../test/wallet_scenario.ts";
import { hex } from "../../../lib/bytes.ts";
import type { PnlLedger, TradingTotals } from "./ledger.ts";

const some = (book: PnlLedger, expected: Partial<TradingTotals>, bucket = TOKEN) =>
  expect(of(book, bucket).trading).toMatchObject(expected);

describe("average cost", () => {
  test("a sale of a mixed position realises only the costed two thirds", () => {
    // Buy 100 at 1, receive 50 unpriced, sell 60 for 120: f = 100/150 = 2/3.
    // Costed proceeds 80 - cost 100 * 40/100 = 40 -> realised 40; without cost 120 * 1/3 = 40; left q 60, C 60, u 30.
    const book = run([buy(1, 100n, 100n), tx(2, [leg(TOKEN, 50n, FRIEND)]), sell(3, 60n, 120n)]);
    const { position, trading } = of(book);
    expect(position).toMatchObject({ costed: 60n, uncosted: 30n });
    expect(position.cost_usd).toBeCloseTo(60, 9);
    expect(trading.realized_usd).toBeCloseTo(40, 9);
    expect(trading.proceeds_without_cost_usd).toBeCloseTo(40, 9);
    expect(book.totals.incomplete_disposals).toBe(1); // the 100 USDC that were never received
  });

  test("a sale of more than the history knows is capped and says so", () => {
    // q 10, C 10, u 0: sell 20 for 40 -> p' = 20, realised 20 - 10 = 10, without cost 20, left 0.
    const book = run([buy(1, 10n, 10n), sell(2, 20n, 40n)], { owned: [{ bucket: USDC, amount: 10n, time: 0 }] });
    expect(of(book).position).toMatchObject({ costed: 0n, uncosted: 0n, cost_usd: 0 });
    some(book, { realized_usd: 10, proceeds_without_cost_usd: 20, sold: 20n, sold_usd: 40 });
    expect(book.totals.incomplete_disposals).toBe(1);
  });

  test("January buys 10 at 100, March sells 4 at 150, it closes at 160", () => {
    // realised 4 * (150 - 100) = 200; unrealised 6 * (160 - 100) = 360; ROI 200/400 = 50 %, 360/600 = 60 %.
    const book = run([buy(100, 10n, 1000n), sell(300, 4n, 600n)], { from: 200 });
    expect(row(book, 160)).toMatchObject({
      realized_usd: 200,
      unrealized_usd: 360,
      total_usd: 560,
      realized_roi_percent: 50,
      unrealized_roi_percent: 60,
      quantity: 6n,
      current_value_usd: 960,
    });
    // The purchase is before the window: it builds the cost and is not counted.
    some(book, { buy_count: 0, sell_count: 1, first_trade_at: 300, last_trade_at: 300 });
    // Held from 100 to 300.
    expect(of(book).trading.held_unit_seconds / of(book).trading.held_units).toBe(200);
  });

  test("a sale in the first second of the window counts and one second earlier does not", () => {
    const at = (from: number) => of(run([buy(100, 10n, 10n), sell(200, 5n, 10n)], { from })).trading.realized_usd;
    expect(at(200)).toBe(5); // 10 - 5
    expect(at(201)).toBe(0);
  });

  test("two purchases at different prices average", () => {
    // 10 at 1 and 10 at 3: average 2; selling 5 for 20 realises 20 - 10.
    const book = run([buy(1, 10n, 10n), buy(2, 10n, 30n), sell(3, 5n, 20n)]);
    some(book, { realized_usd: 10, cost_out_usd: 10, bought: 20n, bought_usd: 40 });
    expect(of(book).max_balance).toBe(20n);
  });

  test("an opening balance has no cost, whatever its price was", () => {
    const openings = [{ bucket: TOKEN, amount: 10n, time: 50 }];
    const priced = run([sell(100, 10n, 30n)], { openings, prices: { [TOKEN]: (time) => (time === 50 ? 2 : null) } });
    some(priced, { realized_usd: 0, proceeds_without_cost_usd: 30 });
    const unpriced = run([sell(100, 10n, 30n)], { openings });
    some(unpriced, { realized_usd: 0, proceeds_without_cost_usd: 30 });
  });
});

describe("kinds of transactions", () => {
  test("a wrap nets to zero and leaves only its fee", () => {
    const book = run([tx(1, [leg("", -5n, VAULT), leg("", 5n, "")], 1n)], {
      prices: { "": 10 },
      owned: [{ bucket: "", amount: 100n, time: 0 }],
    });
    expect(of(book, "").position).toMatchObject({ costed: 99n, cost_usd: 990 });
    some(book, { sent: 0n, sell_count: 0, received: 0n }, "");
    expect(book.totals.gas_fees_usd).toBe(10);
  });

  test("a transfer to oneself is no event", () => {
    const me = hex("09".repeat(20));
    const book = run([tx(1, [leg(TOKEN, -5n, me), leg(TOKEN, 5n, me)])]);
    expect(book.entries.size).toBe(0);
  });

  test("a router trade with three legs shares the value of the stablecoin by the USD of both tokens", () => {
    // 90 USDC out; TOKEN worth 20, OTHER worth 40 by their own low prices: 90 * 20/60 = 30 and 60.
    const book = run([tx(1, [leg(USDC, -90n), leg(TOKEN, 10n), leg(OTHER, 20n)], 3n)], {
      prices: { [TOKEN]: 2, [OTHER]: 2, "": 1 },
    });
    expect(of(book).position.cost_usd).toBeCloseTo(30, 9);
    expect(of(book, OTHER).position.cost_usd).toBeCloseTo(60, 9);
    // The fee of 3 USD over out + in tokens: 1 each.
    for (const bucket of [USDC, TOKEN, OTHER]) some(book, { gas_fees_usd: 1 }, bucket);
  });

  test("an unpriced trade moves the cost and realises nothing", () => {
    // Bought for 50, swapped for OTHER: the cost 50 and the costed fraction 1 move along.
    const book = run([buy(1, 100n, 50n), tx(2, [leg(TOKEN, -100n), leg(OTHER, 7n)])]);
    expect(of(book).position).toMatchObject({ costed: 0n, cost_usd: 0 });
    expect(of(book, OTHER).position).toMatchObject({ costed: 7n, uncosted: 0n, cost_usd: 50 });
    some(book, { realized_usd: 0, sell_count: 1, sold_usd: 0, last_trade_at: 1 });
    some(book, { buy_count: 1, bought_usd: 0, first_trade_at: null }, OTHER);
    expect(book.totals.unpriced_trades).toBe(1);
  });

  test("an unpriced trade of a mixed position into two tokens splits the cost equally and keeps the fraction", () => {
    // 50 costed (C 50) + 50 uncosted, all out: fraction 1/2; OTHER 10 -> 5 costed, VAULT-token 3 -> floor(1.5) = 1; C 25 each.
    const third = hex("dd".repeat(20));
    const book = run([
      buy(1, 50n, 50n),
      tx(2, [leg(TOKEN, 50n, FRIEND)]),
      tx(3, [leg(TOKEN, -100n), leg(OTHER, 10n), leg(third, 3n)]),
    ]);
    expect(of(book, OTHER).position).toMatchObject({ costed: 5n, uncosted: 5n, cost_usd: 25 });
    expect(of(book, third).position).toMatchObject({ costed: 1n, uncosted: 2n, cost_usd: 25 });
  });

  test("a mint is income at market value and a gift is a receipt at market value", () => {
    const prices = { [TOKEN]: 3 };
    const minted = run([tx(1, [leg(TOKEN, 10n, "")])], { prices });
    some(minted, { income_usd: 30, received_cost_usd: 30, received: 10n });
    const given = run([tx(1, [leg(TOKEN, 10n, FRIEND)])], { prices });
    some(given, { income_usd: 0, received_cost_usd: 30, received: 10n });
    expect(of(given).position).toMatchObject({ costed: 10n, cost_usd: 30 });
  });

  test("receipts of a claim are income", () => {
    const claimed = run([{ ...tx(1, [leg(TOKEN, 10n, VAULT)]), is_claim: true }], { prices: { [TOKEN]: 3 } });
    some(claimed, { income_usd: 30 });
  });

  test("a deposit keeps its cost in the contract, comes back with it, and the excess is income", () => {
    // Buy 100 for 100, deposit 60 (cost 60), get 70 back at price 5: 60 restored at cost 60, 10 are income worth 50.
    const book = run([buy(1, 100n, 100n), tx(2, [leg(TOKEN, -60n, VAULT)]), tx(3, [leg(TOKEN, 70n, VAULT)])], {
      prices: { [TOKEN]: (time) => (time === 3 ? 5 : null) },
    });
    expect(of(book).position).toMatchObject({ costed: 110n, uncosted: 0n, cost_usd: 150 });
    some(book, { sent: 60n, received: 70n, received_cost_usd: 50, income_usd: 50, realized_usd: 0 });
  });

  test("half of a deposit comes back with half of its cost, and another contract's return is a receipt", () => {
    const book = run([
      buy(1, 100n, 100n),
      tx(2, [leg(TOKEN, -60n, VAULT)]),
      tx(3, [leg(TOKEN, 30n, VAULT)]),
      tx(4, [leg(TOKEN, 5n, FRIEND)]),
    ]);
    expect(of(book).position).toMatchObject({ costed: 70n, uncosted: 5n, cost_usd: 70 });
  });

  test("tokens sent to an exchange leave with their cost and are reported", () => {
    const book = run([buy(1, 100n, 100n), tx(2, [leg(TOKEN, -25n, EXCHANGE)])]);
    expect(of(book).position).toMatchObject({ costed: 75n, cost_usd: 75 });
    some(book, { sent: 25n, sent_to_exchange: 25n, realized_usd: 0 });
    expect(book.parked.size).toBe(0);
  });

  test("the fee of a failed transaction leaves the native bucket and no token's PnL", () => {
    const book = run([tx(5, [], 4n)], { prices: { "": 2 }, owned: [{ bucket: "", amount: 10n, time: 0 }] });
    expect(of(book, "").position).toMatchObject({ costed: 6n, cost_usd: 12 });
    some(book, { sent: 0n, realized_usd: 0, gas_fees_usd: 0 }, "");
    expect(book.totals.gas_fees_usd).toBe(8);
    expect(of(book, "").has_event).toBe(true);
  });

  test("the fee leaves after the trade", () => {
    // 10 native at cost 10; 5 sold for 20 USDC: realised 20 - 5 = 15. Had the fee of 5 left first, nothing would differ
    // in cost per unit, but the last 5 would be short: now 0 remain and nothing is missing.
    const book = run([tx(1, [leg("", -5n), leg(USDC, 20n)], 5n)], {
      prices: { "": 1 },
      owned: [{ bucket: "", amount: 10n, time: 0 }],
    });
    some(book, { realized_usd: 15 }, "");
    expect(of(book, "").position).toMatchObject({ costed: 0n, cost_usd: 0 });
    expect(book.totals.incomplete_disposals).toBe(0);
  });

  test("an unpriced fee is unknown, not free", () => {
    const book = run([tx(1, [], 4n)], { owned: [{ bucket: "", amount: 10n, time: 0 }] });
    expect(book.totals).toMatchObject({ gas_fees_usd: 0, gas_fees_unpriced: 1 });
  });
});
