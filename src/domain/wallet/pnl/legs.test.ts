import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FRIEND, leg, OTHER, of, run, TOKEN, tx, USDC } from "../../../../test/wallet_scenario.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { capDust } from "./trade.ts";

/** A pool that moves coins in both directions on the way. */
const ROUTER = hex("0a".repeat(20));

describe("legs of negligible value", () => {
  test("a remainder of coins takes 1 % of the cost of an unvalued trade, not half of it", () => {
    // 100 TOKEN that cost 1,000; 1,001 coins pass through the wallet and 1 stays: 1 < 1001/1000. Cost 10 and 990.
    const book = run(
      [
        tx(1, [leg(USDC, -1_000n), leg(TOKEN, 100n)]),
        tx(2, [leg(TOKEN, -100n, ROUTER), leg("", 1_001n, ROUTER), leg("", -1_000n), leg(OTHER, 7n)]),
      ],
      { owned: [{ bucket: USDC, amount: 1_000n, time: 0 }] },
    );
    expect(of(book, "").position.cost_usd).toBeCloseTo(10, 9);
    expect(of(book, OTHER).position.cost_usd).toBeCloseTo(990, 9);
  });

  test("one coin in a thousand is no dust: both carry half", () => {
    const book = run(
      [
        tx(1, [leg(USDC, -1_000n), leg(TOKEN, 100n)]),
        tx(2, [leg(TOKEN, -100n, ROUTER), leg("", 1_000n, ROUTER), leg("", -999n), leg(OTHER, 7n)]),
      ],
      { owned: [{ bucket: USDC, amount: 1_000n, time: 0 }] },
    );
    expect(of(book, "").position.cost_usd).toBeCloseTo(500, 9);
  });

  test("a remainder of unpriced coins does not prevent a trade from having a value", () => {
    // 100 TOKEN for 300 USDC and 1 coin of 2,000 that passed: the trade is worth the 300 dollars.
    const book = run([
      tx(1, [leg(TOKEN, 100n, FRIEND)]),
      tx(2, [leg(TOKEN, -100n), leg(USDC, 300n), leg("", 2_000n, ROUTER), leg("", -1_999n, FRIEND)]),
    ]);
    expect(book.totals.unpriced_trades).toBe(0);
    expect(of(book).trading).toMatchObject({ sell_count: 1, sold_usd: 300, proceeds_without_cost_usd: 300 });
    expect(of(book, USDC).position).toMatchObject({ costed: 300n, cost_usd: 300 });
  });

  test("no part of a cost is lost, and dust has at most 1 % of it", () => {
    const legs = fc.array(fc.record({ is_dust: fc.boolean(), part: fc.nat({ max: 1_000_000 }) }), { minLength: 1 });
    fc.assert(
      fc.property(legs, (list) => {
        const parts = list.map(({ part }) => part);
        const whole = parts.reduce((sum, part) => sum + part, 0);
        const capped = capDust(list, parts);
        expect(capped.reduce((sum, part) => sum + part, 0)).toBeCloseTo(whole, 3);
        if (list.every(({ is_dust }) => is_dust)) return;
        for (const [i, { is_dust }] of list.entries()) {
          if (is_dust) expect(capped[i]).toBeLessThanOrEqual(whole * 0.01 + 1e-6);
        }
      }),
    );
  });
});

test("coins paid for a claim buy nothing: the tokens are income at their own price", () => {
  // 10 tokens at 5 for a charge of 1 coin at 2: income 50, not a purchase for 2.
  const claim = { ...tx(1, [leg("", -1n), leg(TOKEN, 10n)]), is_claim: true };
  const book = run([claim], {
    prices: { "": 2, [TOKEN]: 5 },
    owned: [{ bucket: "", amount: 10n, time: 0 }],
  });
  expect(of(book).trading).toMatchObject({ buy_count: 0, income_usd: 50, received: 10n });
  expect(of(book).position).toMatchObject({ costed: 10n, cost_usd: 50 });
  expect(of(book, "").trading).toMatchObject({ sell_count: 0, realized_usd: 0, sent: 1n });
});

test("the largest balance is the one after the fee", () => {
  // 5 coins come and 2 are the fee: 3; then 1 more: 4.
  const book = run([tx(1, [leg("", 5n, FRIEND)], 2n), tx(2, [leg("", 1n, FRIEND)])]);
  expect(of(book, "").max_balance).toBe(4n);
});

describe("unvalued trades before the window", () => {
  const swapped = [tx(1, [leg(USDC, -40n), leg(TOKEN, 8n)]), tx(2, [leg(TOKEN, -8n), leg(OTHER, 4n)])];
  const owned = [{ bucket: USDC, amount: 40n, time: 0 }];

  test("mark the held cost", () => {
    const book = run(swapped, { from: 10, owned });
    expect(of(book, OTHER).position).toMatchObject({ cost_usd: 40, has_unpriced_cost: true });
    expect(book.totals.unpriced_trades).toBe(0);
  });

  test("mark the sale that realizes it, and nothing once it is gone", () => {
    const sale = tx(20, [leg(OTHER, -4n), leg(USDC, 100n)]);
    const book = run([...swapped, sale], { from: 10, owned });
    expect(of(book, OTHER).trading.realized_usd).toBeCloseTo(60, 9); // 100 - 40
    expect(of(book, OTHER)).toMatchObject({ sold_unpriced_cost: true, position: { has_unpriced_cost: false } });
  });

  test("follow the cost into the token that took it", () => {
    // The 4 OTHER go to a contract and come back.
    const contract = hex("03".repeat(20));
    const book = run([...swapped, tx(3, [leg(OTHER, -4n, contract)]), tx(12, [leg(OTHER, 4n, contract)])], {
      from: 10,
      owned,
    });
    expect(of(book, OTHER).position).toMatchObject({ cost_usd: 40, has_unpriced_cost: true });
  });

  test("mark nothing when no cost moved", () => {
    const book = run([tx(1, [leg(TOKEN, 8n, FRIEND)]), tx(2, [leg(TOKEN, -8n), leg(OTHER, 4n)])], {
      from: 10,
    });
    expect(of(book, OTHER).position.has_unpriced_cost).toBe(false);
  });
});

describe("loans without a receipt", () => {
  const program = hex("0b".repeat(20));
  const told = (kind: "lend" | "unlend", amount: bigint) =>
    ({ kind, asset: TOKEN, amount, contract: program }) as const;

  test("a loan to a market keeps its cost, and its earnings are income", () => {
    // 10 at 3 = 30. All lent, worth 9 each when 12 come back: 10 with cost 30, 2 earned at 9 = 18.
    const book = run(
      [
        tx(1, [leg(USDC, -30n), leg(TOKEN, 10n)]),
        { ...tx(2, [leg(TOKEN, -10n, FRIEND)]), events: [told("lend", 10n)] },
        { ...tx(3, [leg(TOKEN, 12n, FRIEND)]), events: [told("unlend", 12n)] },
      ],
      { owned: [{ bucket: USDC, amount: 30n, time: 0 }], prices: { [TOKEN]: 9 } },
    );
    expect(of(book).position).toMatchObject({ costed: 12n, uncosted: 0n });
    expect(of(book).position.cost_usd).toBeCloseTo(48, 9);
    expect(of(book).trading).toMatchObject({ sell_count: 0, buy_count: 1, realized_usd: 0, income_usd: 18 });
  });

  test("a loan that is taken and repaid beside it is neither bought nor sold", () => {
    // 10 TOKEN lent and 5 USDC borrowed in one transaction; repaid and withdrawn in another.
    const debt = (kind: "borrow" | "repay") => ({ kind, asset: USDC, amount: 5n }) as const;
    const book = run(
      [
        {
          ...tx(2, [leg(TOKEN, -10n, FRIEND), leg(USDC, 5n)]),
          events: [told("lend", 10n), debt("borrow")],
        },
        {
          ...tx(3, [leg(USDC, -5n), leg(TOKEN, 10n, FRIEND)]),
          events: [debt("repay"), told("unlend", 10n)],
        },
      ],
      { owned: [{ bucket: TOKEN, amount: 10n, time: 0 }], prices: { [TOKEN]: 3 } },
    );
    expect(of(book).position).toMatchObject({ costed: 10n, cost_usd: 30 });
    expect(of(book).trading).toMatchObject({ buy_count: 0, sell_count: 0, realized_usd: 0 });
    expect(of(book, USDC).trading).toMatchObject({ borrowed: 5n, repaid: 5n, buy_count: 0, sell_count: 0 });
  });
});

describe("receipts that only their minting reveals", () => {
  const receipt = hex("0c".repeat(20));

  test("a minted receipt takes the cost of the deposit, and its burning returns it", () => {
    // 10 TOKEN for 30 become 5 receipts, cost 30; all of them come back as 11 TOKEN worth 9 each: cost 30, nothing sold.
    const book = run(
      [
        tx(1, [leg(USDC, -30n), leg(TOKEN, 10n)]),
        tx(2, [leg(TOKEN, -10n, FRIEND), leg(receipt, 5n, "")]),
        tx(3, [leg(receipt, -5n, ""), leg(TOKEN, 11n, FRIEND)]),
      ],
      { owned: [{ bucket: USDC, amount: 30n, time: 0 }], prices: { [TOKEN]: 9 } },
    );
    expect(of(book).position).toMatchObject({ costed: 11n, cost_usd: 30 });
    expect(of(book).trading).toMatchObject({ buy_count: 1, sell_count: 0, realized_usd: 0 });
    expect(of(book, receipt).position).toMatchObject({ costed: 0n, cost_usd: 0 });
  });

  test("one burned and another minted is a trade", () => {
    const book = run([tx(1, [leg(TOKEN, -4n, ""), leg(receipt, 5n, "")])], { prices: { [TOKEN]: 2 } });
    expect(of(book, receipt).trading).toMatchObject({ buy_count: 1, bought_usd: 8 });
  });
});

describe("tokens valued by pools in the same transaction", () => {
  const worth = (transaction: ReturnType<typeof tx>, units: readonly (readonly [Hex, number])[]) => ({
    ...transaction,
    pool_worth: new Map(units),
  });

  test("share the payment by their pool values, not equally", () => {
    // 100 dollars for 6 at 15 and 2 at 5.
    const trade = tx(1, [leg(USDC, -100n), leg(TOKEN, 6n), leg(OTHER, 2n)]);
    const book = run([
      worth(trade, [
        [TOKEN, 15],
        [OTHER, 5],
      ]),
    ]);
    expect(of(book).trading.bought_usd).toBeCloseTo(90, 9);
    expect(of(book, OTHER).trading.bought_usd).toBeCloseTo(10, 9);
  });

  test("give a value to a trade of two otherwise unvalued tokens", () => {
    const book = run([worth(tx(1, [leg(TOKEN, -3n), leg(OTHER, 8n)]), [[TOKEN, 20]])]);
    expect(book.totals.unpriced_trades).toBe(0);
    expect(of(book, OTHER).position).toMatchObject({ costed: 8n, cost_usd: 60 });
  });

  test("do not override a price of the hour", () => {
    const book = run([worth(tx(1, [leg(TOKEN, -3n), leg(OTHER, 8n)]), [[TOKEN, 20]])], {
      prices: { [OTHER]: 5 },
    });
    expect(of(book).trading.sold_usd).toBe(40);
  });
});
