import { beforeAll, expect, test } from "vitest";
import { expectNear } from "../near.ts";
import { paidBy } from "../sale.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, swapOf, type Truth, type TruthPool } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

/** A market where a wallet trades one token against ether or dollars, without other movements of that token. */
type TradeMarket = TruthPool & { readonly quote: "weth" | "usdc" };

const HARBOR: TradeMarket = { base: "harbor", quote: "weth", pool: "pair_harbor_weth", version: 2 };
const JUNIPER: TradeMarket = { base: "juniper", quote: "usdc", pool: "pool_v3_juniper_usdc", version: 3 };

interface MarketTrade {
  readonly time: number;
  /** Whole tokens, positive when bought. */
  readonly change: number;
  /** Value of the other side's ether or dollars in that hour, which is the value of a trade. */
  readonly usd: number;
}

/** Swaps of the wallet in the pool; the wallet's balance before and after shows the direction of each. */
const tradesOf = async (wallet: string, { base: token, quote, pool }: TradeMarket): Promise<readonly MarketTrade[]> => {
  const is_first = truth.addressOf(token).toLowerCase() < truth.addressOf(quote).toLowerCase();
  const trades: MarketTrade[] = [];
  for (const { logs, time } of truth.sentBy(wallet)) {
    for (const log of logs) {
      if (log.address.toLowerCase() !== truth.addressOf(pool).toLowerCase()) continue;
      const amounts = swapOf(log);
      if (amounts === null) continue;
      const [tokens, paid] = is_first ? amounts : [amounts[1], amounts[0]];
      const price = quote === "usdc" ? 1 : ((await truth.etherUsd(time)) ?? Number.NaN);
      const usd = (Number(paid) / (quote === "usdc" ? 1e6 : 1e18)) * price;
      // Transfer(from, to, amount) of the token in the same transaction: from the pool when it was bought.
      const bought = logs.some(
        ({ address, topics, data }) =>
          address.toLowerCase() === truth.addressOf(token).toLowerCase() &&
          topics[1]?.slice(26) === truth.addressOf(pool).slice(2).toLowerCase() &&
          BigInt(data) === tokens,
      );
      trades.push({ time, change: (bought ? 1 : -1) * (Number(tokens) / 1e18), usd });
    }
  }
  return trades;
};

/** Average cost, in four lines. */
const replay = (trades: readonly MarketTrade[], from: number) => {
  const sum = { buy_count: 0, sell_count: 0, bought_usd: 0, sold_usd: 0 };
  let [held, cost, realized, cost_out] = [0, 0, 0, 0];
  for (const { time, change, usd } of trades) {
    const inside = time >= from;
    if (inside) sum[change > 0 ? "buy_count" : "sell_count"] += 1;
    if (inside) sum[change > 0 ? "bought_usd" : "sold_usd"] += usd;
    if (change > 0) [held, cost] = [held + change, cost + usd];
    else {
      const out = cost * (-change / held);
      if (inside) [realized, cost_out] = [realized + usd - out, cost_out + out];
      [held, cost] = [held + change, cost - out];
    }
  }
  return { sum, held, cost, realized, cost_out };
};

test.each([
  ["alice", "Harbor", HARBOR],
  ["alice", "Juniper", JUNIPER],
  ["mallory", "Harbor", HARBOR],
] as const)(
  "computes %s's trades of %s under average cost, over the whole story and a part of it",
  async (wallet, _, market) => {
    const trades = await tradesOf(wallet, market);
    const decimals = market.quote === "usdc" ? 6 : 18;
    const quoteUsd = market.quote === "usdc" ? 1 : ((await truth.etherUsd(stage.world.head.time)) ?? Number.NaN);
    expect(trades.length).toBeGreaterThan(7);
    for (const from_date of ["2026-08-01", "2026-09-20"]) {
      const { sum, held, cost, realized, cost_out } = replay(trades, Date.parse(`${from_date}T00:00:00Z`) / 1000);
      const asked = { address: truth.addressOf(wallet), network: "demo", from_date, records_per_page: 100 };
      const { body } = await stage.ask("get_wallet_pnl", asked);
      const address = truth.addressOf(market.base);
      const row = body.data.find((one: { token_address: string }) => one.token_address === address);
      expectNear(row.trading, sum);
      expectNear(row.pnl, { realized_usd: realized, realized_roi_percent: (100 * realized) / cost_out });
      expect(row.holdings.uncosted_amount).toBe(0);
      if (wallet === "mallory") {
        // All sold again, every time.
        expect(row.holdings.current_amount_raw).toBe("0");
        expectNear(row.pnl, { unrealized_usd: 0, total_usd: realized });
        continue;
      }
      expectNear(row.holdings, { current_amount: held });
      expectNear(row.trading, { cost_basis_usd: cost, avg_cost_usd: cost / held });
      const price = row.holdings.price_usd / quoteUsd / 10 ** (18 - decimals);
      const sale = { amount: held * 1e18, price, hour: stage.world.head.time };
      const paid = (await paidBy(truth, [market], sale)) / 10 ** decimals;
      expectNear(row.pnl, { unrealized_usd: paid * quoteUsd - cost });
    }
  },
);

test("reports volume and lost fees of mallory's wash trades of Harbor", async () => {
  const trades = await tradesOf("mallory", HARBOR);
  const { realized } = replay(trades, 0);
  // The sandwich around alice's purchase won something; three rounds of 0.3 % twice lost more or less of it.
  const rounds = trades.filter(({ change }) => change > 0).length;
  expect(rounds).toBe(4);
  const washes = replay(trades.slice(2), 0);
  expect(washes.realized).toBeLessThan(0);
  expect(realized).toBeGreaterThan(washes.realized);
});
