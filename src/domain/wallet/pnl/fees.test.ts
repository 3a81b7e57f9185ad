import { describe, expect, test } from "vitest";
import { FRIEND, leg, of, run, TOKEN, tx, USDC } from "../../../../test/wallet_scenario.ts";
import { depositedAt } from "./ledger.ts";
import type { WalletTransaction } from "./pnl.ts";

const renting = (transaction: WalletTransaction, rent: bigint): WalletTransaction => ({ ...transaction, rent });
const HUNDRED_COINS = [{ bucket: "" as const, amount: 100n, time: 0 }];

describe("rent", () => {
  test("tokens that come with an account of their own are income, and no coins were sold for them", () => {
    // 10 tokens at 5 come from nothing; 2 coins at 10 stay in the account, 1 is the fee.
    const book = run([renting(tx(1, [leg(TOKEN, 10n, "")], 1n), -2n)], {
      prices: { "": 10, [TOKEN]: 5 },
      owned: HUNDRED_COINS,
    });
    expect(of(book).trading).toMatchObject({ buy_count: 0, received: 10n, received_cost_usd: 50, income_usd: 50 });
    const coins = of(book, "");
    expect(coins.position).toMatchObject({ costed: 97n, cost_usd: 970 });
    expect(coins.trading).toMatchObject({ sell_count: 0, sent: 2n, realized_usd: 0 });
    expect(book.totals).toMatchObject({ gas_fees_usd: 10, costed_disposals: 0, incomplete_disposals: 0 });
    expect(depositedAt(book, "rent", "")).toMatchObject({ costed: 2n, cost_usd: 20 });
  });

  test("a purchase costs what was paid for the tokens, without the rent of their account", () => {
    const book = run([renting(tx(1, [leg("", -10n), leg(TOKEN, 4n)]), -2n)], {
      prices: { "": 10 },
      owned: HUNDRED_COINS,
    });
    expect(of(book).position).toMatchObject({ costed: 4n, cost_usd: 100 });
    expect(of(book, "").trading).toMatchObject({ sell_count: 1, sold: 10n, sold_usd: 100, sent: 2n });
    expect(of(book, "").position).toMatchObject({ costed: 88n, cost_usd: 880 });
  });

  test("when the account is closed the rent comes back with its cost, and its outflows were sent, not sold", () => {
    // Two coins that cost 10 each come back when a coin is worth 30.
    const story = [renting(tx(1, [leg(TOKEN, 10n, "")]), -2n), renting(tx(2, [leg(TOKEN, -10n, FRIEND)]), 2n)] as const;
    const book = run(story, { prices: { "": (time) => (time < 2 ? 10 : 30), [TOKEN]: 5 }, owned: HUNDRED_COINS });
    expect(of(book).trading).toMatchObject({ sell_count: 0, sent: 10n, realized_usd: 0 });
    const coins = of(book, "");
    expect(coins.position).toMatchObject({ costed: 100n, cost_usd: 1_000 });
    expect(coins.trading).toMatchObject({ buy_count: 0, received: 2n, received_cost_usd: 0, income_usd: 0 });
  });

  test("rent that another account had paid is received at its market value and is no income", () => {
    const book = run([renting(tx(1, [leg(TOKEN, -1n), leg(USDC, 7n)]), 3n)], {
      prices: { "": 10 },
      owned: [{ bucket: TOKEN, amount: 1n, time: 0 }],
    });
    expect(of(book).trading).toMatchObject({ sell_count: 1, sold_usd: 7 });
    expect(of(book, "").trading).toMatchObject({ received: 3n, received_cost_usd: 30, income_usd: 0, buy_count: 0 });
    expect(of(book, "").position).toMatchObject({ costed: 3n, cost_usd: 30 });
  });
});
