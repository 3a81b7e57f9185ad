import { describe, expect, test } from "vitest";
import {
  BRIDGE,
  buy,
  DEBT,
  did,
  leg,
  OTHER,
  of,
  run,
  SHARE,
  TOKEN,
  tx,
  USDC,
  VAULT,
} from "../../../../test/wallet_scenario.ts";
import { hex } from "../../../lib/bytes.ts";
import type { PositionEvent } from "./position_events.ts";

const plenty = [{ bucket: USDC, amount: 10_000n, time: 0 }];
const POSITION = hex(`${"0e".repeat(20)}37`);

describe("vaults, receipts and pool shares", () => {
  test("vault shares take the cost of the deposit and return it, whatever the price did meanwhile", () => {
    // Buy 100 at 1; 100 -> 80 shares (cost 100); half the shares come back as 60 TOKEN: cost 50. Nothing is realised.
    const book = run(
      [
        buy(1, 100n, 100n),
        did(tx(2, [leg(TOKEN, -100n, VAULT), leg(VAULT, 80n, "")]), { kind: "vault", vault: VAULT }),
        did(tx(3, [leg(VAULT, -40n, ""), leg(TOKEN, 60n, VAULT)]), { kind: "vault", vault: VAULT }),
      ],
      { owned: plenty, prices: { [TOKEN]: 5, [VAULT]: 9 } },
    );
    expect(of(book, VAULT).position).toMatchObject({ costed: 40n, uncosted: 0n, cost_usd: 50 });
    expect(of(book).position).toMatchObject({ costed: 60n, uncosted: 0n, cost_usd: 50 });
    expect(of(book).trading).toMatchObject({ realized_usd: 0, sell_count: 0, income_usd: 0 });
  });

  test("a bonding-curve token is bought at one price and sold at another", () => {
    // 50 dollars to the curve (OTHER) for 1000 tokens: 0.05 each. Half of them are destroyed for 60: 60 - 25 = 35 are gained.
    const book = run(
      [tx(1, [leg(USDC, -50n, OTHER), leg(TOKEN, 1_000n, "")]), tx(2, [leg(TOKEN, -500n, ""), leg(USDC, 60n, OTHER)])],
      { owned: plenty },
    );
    expect(of(book, TOKEN).trading).toMatchObject({ buy_count: 1, bought_usd: 50, sell_count: 1, sold_usd: 60 });
    expect(of(book, TOKEN).trading.realized_usd).toBeCloseTo(35, 9);
    expect(of(book, TOKEN).position.cost_usd).toBeCloseTo(25, 9);
  });

  test("a staking receipt keeps the cost of the stake, whichever contract holds the stake", () => {
    // 100 for 300; 40 of them staked for 34 shares (0.85 each): cost 120. 17 shares come back as 21: cost 60.
    const book = run(
      [
        buy(1, 100n, 300n),
        tx(2, [leg(TOKEN, -40n, OTHER), leg(SHARE, 34n, "")]),
        tx(3, [leg(SHARE, -17n, ""), leg(TOKEN, 21n, OTHER)]),
      ],
      { owned: plenty, prices: { [TOKEN]: 9, [SHARE]: 11 } },
    );
    expect(of(book, SHARE).position.cost_usd).toBeCloseTo(60, 9);
    expect(of(book).position.cost_usd).toBeCloseTo(240, 9);
    expect(of(book).trading).toMatchObject({ sell_count: 0, realized_usd: 0 });
  });

  test("shares bought from another account are a purchase", () => {
    const book = run([tx(1, [leg(USDC, -50n), leg(SHARE, 5n)])], { owned: plenty });
    expect(of(book, SHARE).trading).toMatchObject({ buy_count: 1, bought_usd: 50 });
  });

  test("a token that keeps or burns a part of each transfer is sold, not withdrawn", () => {
    // 100 bought for 100; 90 reach the pool for 180, 6 its own contract, 4 are burnt: a gain of 80.
    const sale = [leg(TOKEN, -90n, OTHER), leg(TOKEN, -6n, TOKEN), leg(TOKEN, -4n, ""), leg(USDC, 180n, OTHER)];
    const book = run([buy(1, 100n, 100n), tx(2, sale)], { owned: plenty });
    expect(of(book).trading).toMatchObject({ sell_count: 1, sold_usd: 180, realized_usd: 80 });
  });

  test("both sides of a pool become the cost of its share, and part of it comes back by value", () => {
    // Buy 100 TOKEN for 300. In: 100 TOKEN (cost 300) + 300 USDC (cost 300) -> 10 shares, cost 600.
    // Out: 4 shares (cost 240) -> 60 TOKEN worth 2 each = 120 and 120 USDC: 120 each.
    const book = run(
      [
        buy(1, 100n, 300n),
        tx(2, [leg(TOKEN, -100n, SHARE), leg(USDC, -300n, SHARE), leg(SHARE, 10n, "")]),
        tx(3, [leg(SHARE, -4n, SHARE), leg(TOKEN, 60n, SHARE), leg(USDC, 120n, SHARE)]),
      ],
      { owned: plenty, prices: { [TOKEN]: 2 } },
    );
    expect(of(book, SHARE).position.cost_usd).toBeCloseTo(360, 9);
    expect(of(book).position).toMatchObject({ costed: 60n, uncosted: 0n });
    expect(of(book).position.cost_usd).toBeCloseTo(120, 9);
    // 10,000 - 300 for the purchase - 300 into the pool + 120 at cost 120.
    expect(of(book, USDC).position).toMatchObject({ costed: 9_520n });
    expect(of(book, USDC).position.cost_usd).toBeCloseTo(9_520, 9);
    expect(of(book).trading.realized_usd).toBe(0);
  });

  test("a deposit without a cost gives a share without a cost", () => {
    // 30 of 40 units have a cost: 3/4 of 8 shares.
    const book = run([
      buy(1, 30n, 30n),
      tx(2, [leg(TOKEN, 10n, OTHER)]),
      did(tx(3, [leg(TOKEN, -40n, VAULT), leg(VAULT, 8n, "")]), { kind: "vault", vault: VAULT }),
    ]);
    expect(of(book, VAULT).position).toMatchObject({ costed: 6n, uncosted: 2n, cost_usd: 30 });
  });
});

describe("liquidity in an NFT", () => {
  const tokens = (token: bigint, dollars: bigint) =>
    [
      [TOKEN, token],
      [USDC, dollars],
    ] as const;
  const enter = did(tx(2, [leg(TOKEN, -100n), leg(USDC, -200n)]), {
    kind: "increase",
    position: POSITION,
    tokens: tokens(100n, 200n),
    liquidity: 1_000n,
  });

  test("a quarter leaves with a quarter of the cost, waits, and collections beyond it are income", () => {
    // Buy 100 TOKEN for 400; in with 200 USDC: cost 600 for 1000 units. 250 out: cost 150, for 30 TOKEN (worth 3 each
    // = 90) and 60 USDC: 150 * 90/150 = 90 and 60. Collected: 32 TOKEN and 65 USDC: 2 TOKEN (6 USD) and 5 USDC earned.
    const book = run(
      [
        buy(1, 100n, 400n),
        enter,
        did(tx(3, [], 0n), { kind: "decrease", position: POSITION, tokens: tokens(30n, 60n), liquidity: 250n }),
        did(tx(4, [leg(TOKEN, 32n), leg(USDC, 65n)]), {
          kind: "collect",
          position: POSITION,
          tokens: tokens(32n, 65n),
          liquidity: 0n,
        }),
      ],
      { owned: plenty, prices: { [TOKEN]: 3 } },
    );
    expect(of(book, POSITION).position).toMatchObject({ costed: 750n, uncosted: 0n });
    expect(of(book, POSITION).position.cost_usd).toBeCloseTo(450, 9);
    expect(of(book).position).toMatchObject({ costed: 32n });
    expect(of(book).position.cost_usd).toBeCloseTo(96, 9); // 90 + 2 * 3
    expect(of(book).trading.income_usd).toBeCloseTo(6, 9);
    expect(of(book, USDC).trading.income_usd).toBeCloseTo(5, 9);
    expect(of(book).trading).toMatchObject({ realized_usd: 0, sell_count: 0, buy_count: 1 });
  });

  test("the cost leaves with the NFT", () => {
    const book = run([
      buy(1, 100n, 400n),
      enter,
      did(tx(3, []), { kind: "handed_over", to: hex(""), position: POSITION }),
    ]);
    expect(of(book, POSITION).position).toMatchObject({ costed: 0n, uncosted: 0n, cost_usd: 0 });
  });
});

describe("loans and bridges", () => {
  test("a loan comes in at its value, goes back with it, and the debt has no row", () => {
    const book = run([
      did(tx(1, [leg(USDC, 500n, VAULT), leg(DEBT, 500n, "")]), {
        kind: "borrow",
        asset: USDC,
        amount: 500n,
      }),
      did(tx(2, [leg(USDC, -200n, VAULT), leg(DEBT, -200n, "")]), {
        kind: "repay",
        asset: USDC,
        amount: 200n,
      }),
    ]);
    expect(book.entries.has(DEBT)).toBe(false);
    expect(of(book, USDC).position).toMatchObject({ costed: 300n, cost_usd: 300 });
    expect(of(book, USDC).trading).toMatchObject({ borrowed: 500n, repaid: 200n, income_usd: 0, realized_usd: 0 });
  });

  test("a loan to a market becomes a receipt with its cost and earns without a sale", () => {
    // 100 USDC lent; the contract later reports 104: 4 are income (1 each); 52 of them are withdrawn at half the cost.
    const lend = did(tx(1, [leg(USDC, -100n, OTHER), leg(OTHER, 100n, "")]), {
      kind: "lend",
      asset: USDC,
      amount: 100n,
      contract: VAULT,
    });
    const back = {
      ...did(tx(9, [leg(OTHER, -52n, ""), leg(USDC, 52n, OTHER)]), {
        kind: "unlend",
        asset: USDC,
        amount: 52n,
        contract: VAULT,
      } as const),
      balances: [{ bucket: OTHER, amount: 104n }],
    };
    const book = run([lend, back], { owned: plenty, prices: { [OTHER]: 1 } });
    expect(of(book, OTHER).trading.income_usd).toBe(4);
    expect(of(book, OTHER).position).toMatchObject({ costed: 52n });
    expect(of(book, OTHER).position.cost_usd).toBeCloseTo(52, 9); // half of 100 + 4
    expect(of(book, USDC).position.cost_usd).toBeCloseTo(9_952, 9); // 10,000 - 100 + 52
    expect(of(book, USDC).trading).toMatchObject({ sell_count: 0, sent: 0n });
  });

  test("a stake keeps its cost, whichever account returns it, and its earnings are income", () => {
    // 100 coins at 10. 60 staked (cost 600) and 20 more from another account; 30 and 55 come back at 25: 80 with their cost, 5 as
    // income of 125. Giving the stake up moves nothing.
    const [FIRST, SECOND] = [hex("51".repeat(20)), hex("52".repeat(20))];
    const stake = (kind: "stake" | "unstake", amount: bigint): PositionEvent => ({
      kind,
      asset: "",
      amount,
      contract: hex("57".repeat(20)),
    });
    const book = run(
      [
        did(tx(1, [leg("", -60n, FIRST)]), stake("stake", 62n)), // with the account's rent, which is no movement of the trade
        did(tx(2, [leg("", -20n, SECOND)]), stake("stake", 20n)),
        did(tx(3, [leg("", 30n, SECOND)]), stake("unstake", 30n)),
        did(tx(4, [leg("", 55n, FIRST)]), stake("unstake", 55n)),
      ],
      { owned: [{ bucket: "", amount: 100n, time: 0 }], prices: { "": (time) => (time < 3 ? 10 : 25) } },
    );
    expect(of(book, "").position).toMatchObject({ costed: 105n, uncosted: 0n });
    expect(of(book, "").position.cost_usd).toBeCloseTo(1_125, 9);
    const { sell_count, buy_count, income_usd, realized_usd } = of(book, "").trading;
    expect([sell_count, buy_count, income_usd, realized_usd]).toEqual([0, 0, 125, 0]);
  });

  test("a bridge is neither a sale nor a purchase, and the basis stays behind", () => {
    const book = run([buy(1, 10n, 10n), tx(2, [leg(TOKEN, -4n, BRIDGE)]), tx(3, [leg(OTHER, 4n, BRIDGE)])], {
      prices: { [OTHER]: 7 },
    });
    expect(of(book).trading).toMatchObject({ bridged_out: 4n, sell_count: 0, sent: 0n });
    expect(of(book).position.cost_usd).toBeCloseTo(6, 9);
    expect(of(book, OTHER).trading).toMatchObject({ bridged_in: 4n, income_usd: 0, received_cost_usd: 28 });
  });
});

describe("balances that change by themselves", () => {
  test("a smaller balance shrinks the position and leaves its cost", () => {
    const book = run([buy(1, 100n, 50n)], { owned: plenty, closing: [{ bucket: TOKEN, amount: 80n }] });
    expect(of(book).position).toMatchObject({ costed: 80n, uncosted: 0n, cost_usd: 50 });
  });

  test("a larger one is income when it is priced and uncosted when it is not", () => {
    const closing = [{ bucket: TOKEN, amount: 110n }];
    const priced = run([buy(1, 100n, 50n)], { owned: plenty, closing, prices: { [TOKEN]: 2 } });
    expect(of(priced).trading.income_usd).toBe(20);
    expect(of(priced).position).toMatchObject({ costed: 110n, cost_usd: 70 });
    const unpriced = run([buy(1, 100n, 50n)], { owned: plenty, closing });
    expect(of(unpriced).position).toMatchObject({ costed: 100n, uncosted: 10n, cost_usd: 50 });
  });
});

describe("first in, first out", () => {
  const story = [buy(1, 10n, 10n), buy(2, 10n, 30n)];

  test("the oldest units are sold first", () => {
    // 15 sold for 60: cost 10 + 5 * 3 = 25 -> 35; on average it would be 60 - 30 = 30. Left 5 at 3.
    const sale = tx(3, [leg(TOKEN, -15n), leg(USDC, 60n)]);
    const fifo = run([...story, sale], { owned: plenty, basis: "fifo" });
    expect(of(fifo).trading.realized_usd).toBeCloseTo(35, 9);
    expect(of(fifo).position.cost_usd).toBeCloseTo(15, 9);
    const average = run([...story, sale], { owned: plenty });
    expect(of(average).trading.realized_usd).toBeCloseTo(30, 9);
  });

  test("units without a cost leave in order and realise nothing", () => {
    // 10 without cost, then 10 for 30. 15 sold for 60: 40 without cost; 20 - 5 * 3 = 5.
    const book = run([tx(1, [leg(TOKEN, 10n, OTHER)]), buy(2, 10n, 30n), tx(3, [leg(TOKEN, -15n), leg(USDC, 60n)])], {
      owned: plenty,
      basis: "fifo",
    });
    expect(of(book).trading.realized_usd).toBeCloseTo(5, 9);
    expect(of(book).trading.proceeds_without_cost_usd).toBeCloseTo(40, 9);
  });

  test("units returned by a contract keep their place in the order", () => {
    // The 10 oldest are parked and come back: they are still the first to be sold.
    const book = run(
      [
        ...story,
        tx(3, [leg(TOKEN, -10n, VAULT)]),
        tx(4, [leg(TOKEN, 10n, VAULT)]),
        tx(5, [leg(TOKEN, -10n), leg(USDC, 40n)]),
      ],
      { owned: plenty, basis: "fifo" },
    );
    expect(of(book).trading.realized_usd).toBeCloseTo(30, 9); // 40 - 10
  });
});
