import { expect, test } from "vitest";
import { buy, FRIEND, leg, of, row, run, sell, TOKEN, tx, USDC } from "../../../../test/wallet_scenario.ts";
import { hex } from "../../../lib/bytes.ts";
import { hasRow } from "./pnl.ts";
import { byTotal, costCoveragePercent, judgedRowOf, sumRows, winRatePercent } from "./rows.ts";

test("a held token without a price has no unrealised part, an empty one has 0", () => {
  const held = run([buy(1, 10n, 10n)]);
  expect(row(held, null)).toMatchObject({ unrealized_usd: null, total_usd: null, current_value_usd: null });
  const gone = run([buy(1, 10n, 10n), sell(2, 10n, 15n)]);
  expect(row(gone, null)).toMatchObject({ unrealized_usd: 0, total_usd: 5, current_value_usd: 0 });
});

test("uncosted units are shown at their price and never as profit", () => {
  const book = run([tx(1, [leg(TOKEN, 50n, FRIEND)])]);
  expect(row(book, 2)).toMatchObject({ unrealized_usd: 0, uncosted_value_usd: 100, current_value_usd: 100 });
  expect(row(book, 2).unrealized_roi_percent).toBeNull();
});

test("totals count the dead band as neutral and sum the known parts", () => {
  const three = ["11", "22", "33", "44"].map((digits) => hex(digits.repeat(20)));
  const book = run(three.map((token, i) => buy(i, 100n, 100n, token)));
  const price = [1.5, 0.9, 1.00009, null];
  const rows = three.map((token, i) => row(book, price[i] ?? null, token));
  // 50, -10, 0.009 (inside the band of 0.01), unknown.
  expect(sumRows(rows)).toMatchObject({
    total_tokens: 4,
    profitable_tokens: 1,
    losing_tokens: 1,
    neutral_tokens: 2,
    unpriced_tokens: 1,
    total_realized_pnl_usd: 0,
  });
  expect(sumRows(rows).total_pnl_usd).toBeCloseTo(40.009, 9);
  expect([...rows].sort(byTotal).map(({ entry }) => entry.bucket)).toEqual(three);
});

test("equal totals are ordered by token, the native coin under its name", () => {
  const early = run([buy(1, 10n, 10n, hex("ff".repeat(20))), tx(1, [leg(USDC, -10n), leg("", 10n)])]);
  const rows = [row(early, 1, ""), row(early, 1, hex("ff".repeat(20)))];
  expect(rows.sort(byTotal).map(({ entry }) => entry.bucket)).toEqual(["ff".repeat(20), ""]);
});

test("the win rate counts only disposals with a cost", () => {
  // Three sales of TOKEN: +5, -2, and one of 5 beyond the history (no cost). One of two won.
  const book = run([buy(1, 20n, 20n), sell(2, 10n, 15n), sell(3, 10n, 8n), sell(4, 5n, 100n)], {
    owned: [{ bucket: USDC, amount: 20n, time: 0 }],
  });
  // The purchase disposed of 20 costed USDC at exactly its cost: no win. 1 of 3 costed disposals.
  expect(winRatePercent(book)).toBeCloseTo(100 / 3, 9);
  expect(winRatePercent(run([]))).toBeNull();
});

test("cost coverage weighs proceeds and holdings", () => {
  // Proceeds 60 of which 40 costed (2 of 3 thirds), holdings 10 costed + 5 uncosted at 2 = 30, 20 of it costed.
  const book = run([buy(1, 30n, 30n), tx(2, [leg(TOKEN, 15n, FRIEND)]), sell(3, 30n, 60n)], {
    owned: [{ bucket: USDC, amount: 30n, time: 0 }],
  });
  // The 30 USDC paid were costed proceeds too: (30 + 40 + 20) / (30 + 60 + 30) = 75 %.
  expect(costCoveragePercent(book, [row(book, 2)])).toBeCloseTo(75, 9);
});

test("a token that came and went before the window has no row", () => {
  const book = run([buy(1, 10n, 10n), sell(2, 10n, 15n)], { from: 10 });
  expect(hasRow(of(book))).toBe(false);
  expect(hasRow(of(book, USDC))).toBe(true);
});

test("an unsellable token is worth nothing, has lost its cost, and shows its last market value", () => {
  // Ten for 10 dollars, of which four are sold for 8: realised 4, cost left 6; the market still says 3 each.
  const book = run([buy(1, 10n, 10n), sell(2, 4n, 8n)]);
  const entry = of(book);
  const outcome = { outcome: "unsellable", reason: "it reverts" } as const;
  const lost = judgedRowOf(entry, { market: { usd: 3, rank: 1 }, outcome, last: null });
  expect(lost).toMatchObject({ realized_usd: 4, unrealized_usd: -6, total_usd: -2, current_value_usd: 0 });
  expect(lost).toMatchObject({ last_market_value_usd: 18, unrealized_roi_percent: -100, outcome });
  expect(sumRows([lost])).toMatchObject({ total_pnl_usd: -2, losing_tokens: 1, unpriced_tokens: 0 });
  // Without a market: the last price, or null when no price is known.
  const drained = { outcome: "drained", reason: "empty" } as const;
  expect(
    judgedRowOf(entry, { market: null, outcome: drained, last: { price_usd: 0.5, sells: null } }).last_market_value_usd,
  ).toBe(3);
  // The pools held two at half a dollar each and would have paid for six: 1 * 6 / 8.
  const thin = { price_usd: 0.5, sells: { reserve: 2, payout_max_usd: 1 } };
  expect(judgedRowOf(entry, { market: null, outcome: drained, last: thin }).last_market_value_usd).toBe(0.75);
  const unknown = judgedRowOf(entry, { market: null, outcome: drained, last: null });
  expect(unknown).toMatchObject({ total_usd: -2, last_market_value_usd: null });
});

test("a tradable token and one with an unknown outcome keep their market price", () => {
  const entry = of(run([buy(1, 10n, 10n)]));
  const tradable = { outcome: "tradable", reason: null } as const;
  expect(judgedRowOf(entry, { market: { usd: 3, rank: 1 }, outcome: tradable, last: null })).toMatchObject({
    ...{ current_value_usd: 30, unrealized_usd: 20, last_market_value_usd: null },
  });
  const unpriced = judgedRowOf(entry, { market: null, outcome: null, last: null });
  expect(unpriced).toMatchObject({ total_usd: null, outcome: null });
  expect(sumRows([unpriced])).toMatchObject({ unpriced_tokens: 1, unpriced_cost_usd: 10, neutral_tokens: 1 });
});

test("a gift that pools would not take has no cost, so neither its price nor its end is a gain or a loss", () => {
  // 5,100 USD against a millionth of a token of 0 decimals and 5.1e9 USD; a stranger sends 1,000 tokens.
  const sells = { reserve: 1e-6, payout_max_usd: 5_100 };
  const story = { prices: { [TOKEN]: 5.1e9 }, sells: { [TOKEN]: sells } };
  const book = run([tx(1, [leg(TOKEN, 1_000n, FRIEND)])], story);
  expect(of(book).position).toMatchObject({ costed: 0n, uncosted: 1_000n, cost_usd: 0 });
  expect(of(book).trading).toMatchObject({ received: 1_000n, received_cost_usd: 0, income_usd: 0 });
  // While the liquidity is there, the tokens are worth what it pays, and that is no gain.
  const held = row(book, 5.1e9, TOKEN, sells);
  expect(held).toMatchObject({ unrealized_usd: 0, total_usd: 0 });
  expect(held.current_value_usd).toBeCloseTo(5_100, 4);
  expect(held.uncosted_value_usd).toBeCloseTo(5_100, 4);
  // Without it they are worth nothing, or have no price, and that is no loss.
  const removed = row(book, 5.1e9, TOKEN, { reserve: 0, payout_max_usd: 0 });
  expect(removed).toMatchObject({ unrealized_usd: 0, total_usd: 0, current_value_usd: 0 });
  expect(sumRows([row(book, null)])).toMatchObject({ total_pnl_usd: 0, losing_tokens: 0, unpriced_cost_usd: 0 });
});

test("gifts in small parts have a cost only while pools would take all of them together", () => {
  // A pool of 1,000 tokens at 2 USD: 10 of 1,010 are below 1 %, 20 of 1,020 are above.
  const story = { prices: { [TOKEN]: 2 }, sells: { [TOKEN]: { reserve: 1_000, payout_max_usd: 2_000 } } };
  const parts = [1, 2, 3].map((time) => tx(time, [leg(TOKEN, 10n, FRIEND)]));
  expect(of(run(parts, story)).position).toMatchObject({ costed: 10n, uncosted: 20n, cost_usd: 20 });
});

test("costed and uncosted units share what pools pay for the whole position", () => {
  // 500 bought for 600 USD, 500 given: 1,000 in a pool of 1,000 at 2 USD are worth 1,000, half of it each.
  const sells = { reserve: 1_000, payout_max_usd: 2_000 };
  const story = { prices: { [TOKEN]: 2 }, sells: { [TOKEN]: sells } };
  const book = run([buy(1, 500n, 600n), tx(2, [leg(TOKEN, 500n, FRIEND)])], story);
  expect(row(book, 2, TOKEN, sells)).toMatchObject({
    ...{ current_value_usd: 1_000, uncosted_value_usd: 500, unrealized_usd: -100 },
  });
});
