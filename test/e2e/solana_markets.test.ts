// @long: alone
import type { Address } from "@solana/kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { solana } from "../../src/chains/networks/known.gen.ts";
import { parseAddress } from "../../src/chains/solana/address.ts";
import { WRAPPED_MINT } from "../../src/demo/solana/acts.ts";
import { associatedAddress } from "../../src/demo/solana/associated.ts";
import { TOKEN } from "../../src/demo/solana/made_transaction.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { type MarketWorld, makeMarket } from "../solana/market_world.ts";
import { expectNear } from "./near.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

/*
 * The dollar pool holds 1,000 SOL and 200,000 USDC without trades: SOL is at 200. The token's pool starts with
 * 500 SOL and 1,000,000 BCN and takes 0.25 %, rounded up. In base units:
 *   bob pays 10 SOL:        19,559.782342 BCN for him;   510 SOL and 980,440.217658 are left
 *   carol pays 25 SOL:      45,705.765491 BCN;           535 SOL and 934,734.452167
 *   bob sells all of his:   10.938824598 SOL;            524.061175402 SOL and 954,294.234509
 *   carol sells 20,000:     10.731416290 SOL;            513.329759112 SOL and 974,294.234509
 * At the end one BCN costs 513.329759112 / 974,294.234509 SOL = 0.10537468886 USD, with 102,665.9518224 USD of liquidity.
 */
const PRICE = 0.105_374_688_863;
const DEPTH = 102_665.951_822_4;
const [BOB_BOUGHT, CAROL_BOUGHT] = [19_559.782_342, 45_705.765_491];
const [BOB_GOT, CAROL_GOT] = [10.938_824_598, 10.731_416_29];
const SOL_USD = 200;
/** SOL and BCN in the token's pool after each trade; they hold for the rest of its hour. */
const AFTER = {
  bob_buys: [510, 980_440.217_658],
  carol_buys: [535, 934_734.452_167],
  bob_sells: [524.061_175_402, 954_294.234_509],
  carol_sells: [513.329_759_112, 974_294.234_509],
} as const;
const tradedUsd = (trade: keyof typeof AFTER, amount: number): number =>
  (AFTER[trade][0] / AFTER[trade][1]) * amount * SOL_USD;
/** USD that the pool would have paid for as much again. */
const paidUsd = (trade: keyof typeof AFTER, amount: number): number =>
  (AFTER[trade][0] * amount * SOL_USD) / (AFTER[trade][1] + amount);
/** An open token account, in SOL. */
const RENT = 0.002_039_28;
const FEE = 0.000_005;

let world: MarketWorld;
let stage: TestService;
let bob: string;
let carol: string;
beforeAll(async () => {
  world = await makeMarket();
  [bob, carol] = [world.bob.address, world.carol.address];
  await world.facade.start();
  const coin = { symbol: "USDC", address: parseAddress(world.dollar) ?? "", peg: "USD" };
  const network = { ...solana, caip2: `solana:${world.facade.genesis.slice(0, 32)}`, stablecoins: [coin] };
  const plain = { from_block: 0, to_block: null, poll_ms: 200, venues: [], openings: "skip" } as const;
  const enabled: EnabledNetwork = { ...plain, network, rpc: [world.facade.url] };
  stage = await openTestService({ networks: [enabled] });
  await caughtUp(stage.service);
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await world?.facade.close();
});

const callTool = async (tool: string, args: object) => {
  const { status, body } = await stage.ask(tool, { network: "solana", ...args });
  expect([status, body.status ?? "data", body.code ?? ""]).toEqual([200, "data", ""]);
  return body;
};

test("reports the profit and loss of a trade in a pool, without its accounts' rent", async () => {
  const { data, summary, metadata } = await callTool("get_wallet_pnl", { address: bob, from_date: "2023-11-15" });
  const cost = 10 * SOL_USD;
  const proceeds = BOB_GOT * SOL_USD;
  expect(metadata.cost_coverage_percent).toBe(100);
  expectNear(summary, { total_realized_pnl_usd: proceeds - cost, gas_fees_usd: 2 * FEE * SOL_USD });
  const [beacon, sol] = data;
  expect([beacon.token_address, beacon.token_symbol, sol.token_address]).toEqual([world.token, "BCN", "native"]);
  expectNear(beacon.trading, {
    bought_amount: BOB_BOUGHT,
    bought_usd: cost,
    sold_usd: proceeds,
    avg_holding_days: 4 / 24,
  });
  expect([beacon.trading.buy_count, beacon.trading.sell_count, beacon.holdings.current_amount]).toEqual([1, 1, 0]);
  // Buying opened two accounts; the one for wrapped SOL was closed, which returned its rent.
  expectNear(sol.trading, {
    sold_amount: 10,
    bought_amount: BOB_GOT,
    sent_amount: 2 * RENT,
    received_amount: 100 + RENT,
  });
  // SOL and wrapped SOL are one row: 100 came, 10 and two accounts went, the sale and one account came, two fees went.
  expectNear(sol.holdings, { current_amount: 100 - 10 - 2 * RENT + BOB_GOT + RENT - 2 * FEE, price_usd: SOL_USD });
});

test("reports no sale for tokens added to a pool: its shares carry the cost", async () => {
  const { data, summary } = await callTool("get_wallet_pnl", { address: world.maker.address, from_date: "2023-11-15" });
  const rowOf = (token: string) => data.find((row: { token_address: string }) => row.token_address === token);
  expect([rowOf(world.token).trading.sell_count, rowOf(world.token).pnl.realized_usd]).toEqual([0, 0]);
  // Tokens minted into a new account do not cost its rent either: all of the maker's tokens were minted.
  expect(summary.total_realized_pnl_usd).toBe(0);
  expect(rowOf("native").trading.sell_count).toBe(0);
  // The root of 500 * 10^9 lamports and 1,000,000 * 10^6 units.
  const shares = rowOf(world.token_pool.shares);
  expect(shares.holdings.current_amount_raw).toBe("707106781186");
});

test("reports deposits in a wallet's token accounts as rent, and not as trades", async () => {
  const { data } = await callTool("get_wallet_transactions", {
    address: bob,
    from_date: "2023-11-15",
    records_per_page: 100,
  });
  const rents = data.filter(({ kind }: { kind: string }) => kind === "rent");
  const types = data.map(({ token_address, tx_type }: Record<string, string>) => [token_address, tx_type]);
  expect(types.filter(([token]: string[]) => token === world.token)).toEqual([
    [world.token, "swap"],
    [world.token, "swap"],
  ]);
  const accountOf = (mint: Address) => associatedAddress({ owner: world.bob.address, mint, program: TOKEN });
  const [of_coins, of_tokens] = [accountOf(WRAPPED_MINT), accountOf(world.token)];
  const told = rents.map(
    ({ deposit, amount, peer }: { deposit: string; amount: number; peer: { address: string } }) => [
      deposit,
      amount,
      peer.address,
    ],
  );
  expect(new Set(rents.map(({ direction }: { direction: string }) => direction))).toEqual(new Set(["self"]));
  expect(told).toEqual(
    expect.arrayContaining([
      ["refunded", RENT, of_coins],
      ["paid", RENT, of_coins],
      ["paid", RENT, of_tokens],
    ]),
  );
  expect(told).toHaveLength(3);
  const dealt = await callTool("get_wallet_counterparties", { address: bob, from_date: "2023-11-15" });
  const partners = dealt.data.map(({ peer }: { peer: { address: string } }) => peer.address);
  expect(partners).toContain(world.maker.address);
  expect(partners).not.toContain(of_tokens);
});

test("reports the market of a token", async () => {
  const { price, volume, trades, liquidity, supply, unavailable, ...market } = await callTool(
    "get_token_market_analysis",
    {
      token_address: world.token,
      timeframe: "7d",
    },
  );
  expectNear(price, { usd: PRICE, native: PRICE / SOL_USD });
  expect([price.source, price.confidence]).toEqual(["market", "medium"]);
  const bought = tradedUsd("bob_buys", BOB_BOUGHT) + tradedUsd("carol_buys", CAROL_BOUGHT);
  const sold = tradedUsd("bob_sells", BOB_BOUGHT) + tradedUsd("carol_sells", 20_000);
  expectNear(volume, { usd: bought + sold, buy_usd: bought, sell_usd: sold });
  expectNear(volume, { amount: 2 * BOB_BOUGHT + CAROL_BOUGHT + 20_000 });
  expect(trades).toMatchObject({ count: 4, buys: 2, sells: 2, unique_buyers: 2, unique_sellers: 2, unique_traders: 2 });
  // Both sides have the same value at the pool's own price.
  expectNear(liquidity, { total_usd: 2 * DEPTH, pool_count: 1 });
  expect(liquidity.top_pools[0]).toMatchObject({ address: world.token_pool.address, dex: "raydium_cpmm" });
  expect(liquidity.top_pools[0].created_at).toBe("2023-11-15T00:05:00Z");
  // The fee of a pool of this program is in a configuration that is not read.
  expect([liquidity.top_pools[0].fee_percent, liquidity.depth]).toEqual([
    null,
    { minus_2pct_usd: null, plus_2pct_usd: null },
  ]);
  expect(unavailable.map(({ field }: { field: string }) => field)).toContain("liquidity.depth");
  expectNear(supply.total, { amount: 1_200_000 });
  expectNear(market, { fdv_usd: 1_200_000 * PRICE, holders_count: 3, token_age_days: 2 });
});

test("reports a token's movements by day", async () => {
  const { data } = await callTool("get_token_flows", {
    token_address: world.token,
    from_date: "2023-11-15",
    to_date: "2023-11-17",
  });
  const [, second, first] = data;
  expectNear(first, { price_usd: (524.061_175_402 / 954_294.234_509) * SOL_USD, minted: 1_200_000 });
  const dex_buy_usd = paidUsd("bob_buys", BOB_BOUGHT) + paidUsd("carol_buys", CAROL_BOUGHT);
  expectNear(first, { dex_buy_usd, dex_sell_usd: paidUsd("bob_sells", BOB_BOUGHT) });
  const dex_sell_usd = paidUsd("carol_sells", 20_000);
  expectNear(second, { price_usd: PRICE, transfer_count: 1, dex_sell_usd, holders_count: 3 });
});

test("lists coins in pools as the pools' holdings, and signers as traders", async () => {
  const { holders, traders, ...rest } = await callTool("get_token_holders_traders", { token_address: world.token });
  expect(rest.traders_unavailable_reason).toBeNull();
  expect(
    holders.map((row: { holder_type: string; address_label: string | null }) => [row.holder_type, row.address_label]),
  ).toEqual([
    ["lp_pool", "Raydium cpmm vaults"],
    ["eoa", null],
    ["eoa", null],
  ]);
  expectNear(holders[0], { token_balance: 974_294.234_509, value_usd: paidUsd("carol_sells", 974_294.234_509) });
  expect(traders.map(({ address }: { address: string }) => address)).toEqual([carol, bob]);
  const buys = [tradedUsd("carol_buys", CAROL_BOUGHT), tradedUsd("bob_buys", BOB_BOUGHT)];
  expectNear(traders[0], { buy_volume_usd: buys[0] ?? 0, sell_volume_usd: tradedUsd("carol_sells", 20_000) });
  expectNear(traders[1], { buy_volume_usd: buys[1] ?? 0, sell_volume_usd: tradedUsd("bob_sells", BOB_BOUGHT) });
  // The pool aside: the maker's 200,000 and carol's rest, of 1,200,000.
  expectNear(rest.concentration.adjusted, { top10_percent: ((200_000 + CAROL_BOUGHT - 20_000) / 1_200_000) * 100 });
});

test("reports a wallet's holdings and their value", async () => {
  const { holdings, summary } = await callTool("get_wallet_token_holdings", { wallet_address: carol });
  const coins = 200 - 25 - 2 * RENT - 2 * FEE;
  const tokens = CAROL_BOUGHT - 20_000;
  expectNear(holdings[0], { balance: coins, price_usd: SOL_USD, usd_value: coins * SOL_USD });
  const tokens_usd = paidUsd("carol_sells", tokens);
  expectNear(holdings[1], { balance: tokens, price_usd: PRICE, usd_value: tokens_usd });
  expectNear(holdings[2], { balance: CAROL_GOT, price_usd: SOL_USD });
  const total_value_usd = (coins + CAROL_GOT) * SOL_USD + tokens_usd;
  expectNear(summary, { total_value_usd, tokens_without_price: 0 });
  const portfolio = await callTool("get_wallet_portfolio_breakdown", { wallet_address: carol });
  expectNear(portfolio, { total_value_usd });
});

test("describes a token, and finds it by its symbol", async () => {
  const info = await callTool("get_token_info", { token_address: world.token });
  expectNear(info, { price_usd: PRICE, liquidity_usd: 2 * DEPTH, market_cap_usd: 1_200_000 * PRICE });
  const { matches } = await callTool("resolve_token_symbol", { symbol: "BCN" });
  expect(matches.map(({ token_address }: { token_address: string }) => token_address)).toEqual([world.token]);
  expectNear(matches[0], { liquidity_usd: 2 * DEPTH });
});

test("reports flows by kind of wallet, once the list of the last whole day exists", async () => {
  const until = Date.now() + 60_000;
  for (;;) {
    const { body } = await stage.ask("get_token_flow_intelligence", {
      network: "solana",
      token_address: world.token,
      timeframe: "7d",
    });
    if (body.code === "COVERAGE_INCOMPLETE" && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    expect(body.type).toBe("token_flow_intelligence");
    expect(body.definitions.smart_traders_of).toBe("2023-11-15");
    expectNear(body, { price_usd: PRICE });
    // The maker, carol and bob; coins in pools count for no wallet.
    expect(body.flows.fresh_wallets.wallet_count).toBe(3);
    return;
  }
}, 90_000);
