// @long: alone
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { hex } from "../../src/lib/bytes.ts";
import { venuesOf } from "../../src/protocols/venues.ts";
import { importList, importScope } from "../../src/wiring/import_list.ts";
import { BLACK_HOLE, DEAD, startTronMarket } from "../tron/market.ts";
import type { TronWorld } from "../tron/traffic.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

const ID = "demo-tron";

/*
 * The Lantern pool opens with 100,000 LAN and 50,000 USDT and charges 0.3 % of each payment.
 *   bob pays 1,000 USDT:  100,000 · 997 / (50,000 + 997)           = 1,955.016962 LAN; left 98,044.983038 and 51,000
 *   dave pays 2,000 USDT: 98,044.983038 · 1,994 / (51,000 + 1,994) = 3,689.128886 LAN; left 94,355.854152 and 53,000
 *   bob sells 500 LAN:    53,000 · 498.5 / (94,355.854152 + 498.5) =   278.537556 USDT; left 94,855.854152 and 52,721.462444
 */
const BOUGHT = { bob: 1_955.016962, dave: 3_689.128886 };
const SOLD_USD = 278.537556;
const POOL = { lan: 94_855.854152, usdt: 52_721.462444 };
const PRICE = POOL.usdt / POOL.lan;
/** Price of the pool for most of the hour of both purchases, and of the sale. */
const HOUR_PRICE = 53_000 / 94_355.854152;
const BUYS_USD = (BOUGHT.bob + BOUGHT.dave) * HOUR_PRICE;
const SALE_USD = 500 * PRICE;
const TRX_PRICE = 0.25;

let world: TronWorld;
let stage: TestService;

const base58 = (name: string): string => formatAddress(hex(world.stage.address(name).slice(2).toLowerCase()));

/** Puts the deployer of the exchange on a sanctions list. */
const listOscar = async (chain_id: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-lists-"));
  const path = join(folder, "list.json");
  const entry = { address: base58("oscar"), family: "tron", entity: "Oscar", program: "TEST", listed_on: "2025-12-01" };
  await writeFile(path, JSON.stringify([entry]));
  const scope = importScope([{ id: ID, family: "tron", chain_id }], [ID]);
  const file = { path, format: "sanctions-json", list: "test-list", licence: "", origin: "" } as const;
  await importList(stage.service.facts, file, { scope, now_ms: Date.now() });
  await rm(folder, { recursive: true });
};

beforeAll(async () => {
  world = await startTronMarket();
  const usdt = { symbol: "USDT", address: base58("usdt") };
  const network = networkFromConfig({
    id: ID,
    family: "tron",
    chain_id: world.facade.chain_id,
    native: { symbol: "TRX", decimals: 6 },
    wrapped_native: base58("wtrx"),
    stablecoins: [usdt],
    freezes: [{ ...usdt, families: ["tether_legacy"], decimals: 6 }],
    finality_blocks: 5,
  });
  // The factories of Tron itself.
  const venues = [...venuesOf("tron").values()].map((venue) => ({ ...venue, network: ID }));
  const rpc = [world.facade.url];
  const enabled = { network, rpc, from_block: 0, to_block: null, poll_ms: 200, venues, openings: "skip" } as const;
  stage = await openTestService({ networks: [enabled] });
  await caughtUp(stage.service);
  await listOscar(network.chain_id);
}, 500_000);

afterAll(async () => {
  await stage?.close();
  await world?.stop();
});

/** The answer of a tool, which must have data. */
const dataOf = async (tool: string, args: Readonly<Record<string, unknown>>) => {
  const { status, body } = await stage.ask(tool, { network: ID, ...args });
  const said = { status, answer: body.status };
  expect(said, JSON.stringify(body).slice(0, 2_000)).toEqual({ status: 200, answer: undefined });
  return body;
};
const tokenData = (tool: string) => dataOf(tool, { token_address: base58("lantern") });

describe("Lantern on SunSwap v2", () => {
  test("has the price, the trades and the liquidity of its one pool", async () => {
    const { price, volume, trades, liquidity, supply, market_cap_usd, signals } =
      await tokenData("get_token_market_analysis");
    expect(price.usd).toBeCloseTo(PRICE, 9);
    expect(price.native).toBeCloseTo(PRICE / TRX_PRICE, 8);
    // A move by a tenth costs 52,721 · (1 - √0.9) = 2,705 USD or more: at least 1,150 and less than 11,500.
    expect(price).toMatchObject({ confidence: "medium", source: "market" });
    expect(volume.buy_usd).toBeCloseTo(BUYS_USD, 6);
    expect(volume.sell_usd).toBeCloseTo(SALE_USD, 6);
    expect(trades).toMatchObject({ count: 3, buys: 2, sells: 1, unique_traders: 2 });
    expect(liquidity.total_usd).toBeCloseTo(2 * POOL.usdt, 5);
    expect(liquidity.top_pools).toMatchObject([{ dex: "sunswap_v2", pair: "LAN/USDT", fee_percent: 0.3 }]);
    // k = x·y. 2 % below, x is √(1/0.98) of what it was, and y √0.98: the pool pays 1 - √0.98 = 1.00505 % of its USDT
    // (529.88 USD) for a little more than it needs because of the fee; above likewise √1.02 - 1 = 0.99505 %.
    expect(liquidity.depth.minus_2pct_usd).toBeGreaterThan(525);
    expect(liquidity.depth.minus_2pct_usd).toBeLessThan(535);
    // 3,000 went to the black hole of Tron and 7,000 to the address that ends in dead.
    expect([supply.burned.amount, supply.circulating.amount]).toEqual([10_000, 990_000]);
    expect(market_cap_usd).toBeCloseTo(990_000 * PRICE, 3);
    // Purchases are 3,170.33 of 3,448.23.
    expect(signals).toContainEqual({
      code: "buy_pressure",
      value: expect.closeTo((100 * BUYS_USD) / (BUYS_USD + SALE_USD), 6),
      threshold: 65,
    });
  });

  test("is a TRC-20 token whose burnt part does not circulate", async () => {
    const info = await tokenData("get_token_info");
    expect(info).toMatchObject({ standard: "trc20", total_supply: 1_000_000, circulating_supply: 990_000 });
    expect(info.price_usd).toBeCloseTo(PRICE, 9);
    expect(info.creator).toBe(base58("alice"));
  });

  test("has holders of every kind, and traders with their trades", async () => {
    const { holders, traders, concentration, supply } = await tokenData("get_token_holders_traders");
    const typeOf = (address: string) =>
      holders.find((row: { address: string }) => row.address === address)?.holder_type;
    const base58Of = (text: string) => formatAddress(hex(text.slice(2)));
    expect([BLACK_HOLE, DEAD].map((address) => typeOf(base58Of(address)))).toEqual(["burn", "burn"]);
    expect(typeOf(base58("alice"))).toBe("eoa");
    expect(holders[1]).toMatchObject({ holder_type: "lp_pool", address_label: "SunSwap v2 pool" });
    expect(supply.burned.amount).toBe(10_000);
    // Alice holds 890,000 of the 990,000 that are not burnt.
    expect(concentration.all.top1_percent).toBeCloseTo((100 * 890_000) / 990_000, 9);
    expect(traders.map(({ address }: { address: string }) => address)).toEqual(["dave", "bob"].map(base58));
    expect(traders[0].buy_volume_usd).toBeCloseTo(BOUGHT.dave * HOUR_PRICE, 3);
    expect(traders[1].sell_volume_usd).toBeCloseTo(SALE_USD, 5);
  });

  test("moves between kinds of wallets, with fresh ones found without counting transactions", async () => {
    const { flows, unclassified, price_change_percent } = await tokenData("get_token_flow_intelligence");
    const net = BOUGHT.bob + BOUGHT.dave - 500;
    // No wallet gained: bob's 1,455 and dave's 3,689 LAN bring 796 and 1,974 USDT, and cost 817 and 2,072 at that hour's price.
    expect(flows.top_pnl).toMatchObject({ inflow_usd: 0, net_flow_amount: 0, wallet_count: 0 });
    // Only Alice holds 1 % or more; her burnt coins left her. All three came to the network two days before.
    expect(flows.whale).toMatchObject({ net_flow_amount: -10_000, wallet_count: 1 });
    expect(flows.fresh_wallets).toMatchObject({ wallet_count: 3 });
    expect(flows.fresh_wallets.net_flow_amount).toBeCloseTo(net - 10_000, 5);
    expect(unclassified.net_flow_amount).toBeCloseTo(-net, 5);
    expect(price_change_percent).toBeCloseTo(100 * (PRICE / 0.5 - 1), 6);
  });
});

test("gives the native coin the market of wrapped TRX", async () => {
  const { price, liquidity } = await dataOf("get_token_market_analysis", { token_address: "native" });
  expect(price).toMatchObject({ usd: TRX_PRICE, native: 1, confidence: "high" });
  // 250,000 USDT and 1,000,000 TRX of 0.25.
  expect(liquidity).toMatchObject({ total_usd: 500_000, pool_count: 1, top_pools: [{ pair: "WTRX/USDT" }] });
});

test("values a wallet by its holdings at the prices of the pools", async () => {
  const body = await dataOf("get_wallet_portfolio_breakdown", { wallet_address: base58("bob") });
  const coins = BigInt(String(await world.stage.rpc.call("eth_getBalance", world.stage.address("bob"), "latest")));
  // 10,000 USDT less 1,000, 4,000 from mallory and the proceeds of 500 LAN.
  const left = BOUGHT.bob - 500;
  const values = [13_000 + SOLD_USD, (Number(coins) / 1e6) * TRX_PRICE, (POOL.usdt * left) / (POOL.lan + left)];
  const shown = body.top_holdings.map(({ usd_value }: { usd_value: number }) => usd_value);
  for (const [i, value] of values.entries()) expect(shown[i]).toBeCloseTo(value, 4);
  expect(body.total_value_usd).toBeCloseTo(
    values.reduce((sum, value) => sum + value),
    3,
  );
});

describe("risks of a token", () => {
  test("are read from its code, its owners' permissions and real holders; taxes are not simulated", async () => {
    const { risk_overview, ownership, taxes, security_flags, liquidity, unavailable, network } =
      await tokenData("get_token_risk_traits");
    expect(network).toBe("tron");
    // 100 less 8 (two signers can mint), 12 (pause), 12 (few hold much), 25 (the creator holds the pool's shares).
    // No trade can be simulated, so the lower bound is 0; the level is at least what these findings make it.
    expect(risk_overview).toMatchObject({ security_score: 0, score_range: { min: 0, max: 43 }, risk_level: "high" });
    expect(risk_overview.detector_descriptions).toContain(
      "The code has a function that creates coins. A multisig can use it.",
    );
    const holder_tests = { status: "no_overrides", holders_tested: 2, holders_failed: 0 };
    expect(risk_overview.simulation).toMatchObject(holder_tests);
    expect(ownership).toMatchObject({ owner: base58("alice"), owner_type: "multisig", creator_percent: 89 });
    const known = { is_mintable: true, transfer_pausable: true, has_blacklist: false, is_proxy: false };
    expect(security_flags).toMatchObject({ ...known, caller_pays_energy: true, is_honeypot: null });
    expect(taxes).toEqual({ buy_tax_percent: null, sell_tax_percent: null, transfer_tax_percent: null });
    const reason = "the node does not support state overrides";
    expect(unavailable).toContainEqual({ field: "taxes.sell_tax_percent", reason });
    expect(liquidity.pools).toMatchObject([{ dex: "sunswap_v2", lp_locked_percent: 0 }]);
  });

  test("contain no statement on shares when coins were distributed without an event", async () => {
    const token_address = base58("usdt");
    const { ownership, unavailable, security_flags } = await dataOf("get_token_risk_traits", { token_address });
    expect(security_flags).toMatchObject({ has_blacklist: true, owner_can_change_balance: true });
    expect(ownership).toMatchObject({ creator_percent: null, top10_percent_adjusted: null, owner_type: "eoa" });
    expect(ownership.holder_count).toBeUndefined();
    const reason = "tokens were issued without an event";
    expect(unavailable).toContainEqual({ field: "ownership.creator_percent", reason });
    const { concentration, metadata } = await dataOf("get_token_holders_traders", { token_address });
    expect(concentration).toBeNull();
    expect(metadata.warnings.map(({ code }: { code: string }) => code)).toContain("HOLDERS_INCOMPLETE");
  });
});

describe("compliance", () => {
  test("blocks frozen and listed wallets, reviews receivers of their coins, and clears the others", async () => {
    const ask = (name: string) => dataOf("get_wallet_stablecoin_compliance", { address: base58(name) });
    const mallory = await ask("mallory");
    expect(mallory).toMatchObject({ verdict: "blocked", is_frozen_any: true, frozen_value_usd: 1_000 });
    const powers = { freeze: true, seize_or_destroy: true, pause: true, upgradeable: false, admin: base58("carol") };
    expect(mallory.token_powers).toMatchObject([powers]);
    expect(mallory.freeze_history).toMatchObject([{ event: "freeze", symbol: "USDT" }]);
    expect(await ask("oscar")).toMatchObject({ verdict: "blocked", sanctions: { listed: true } });
    const bob = await ask("bob");
    expect(bob).toMatchObject({ verdict: "review", is_frozen_any: false });
    const { counterparty_exposure: met } = bob;
    expect(met).toMatchObject({ frozen_counterparties_count: 1, received_from_frozen_usd: 4_000 });
    // 4,000 of the 14,278.54 USDT that came in.
    expect(met.share_percent).toBeCloseTo((100 * 4_000) / (14_000 + SOLD_USD), 6);
    expect(met.top).toMatchObject([{ address: base58("mallory"), before_or_after_freeze: "before" }]);
    expect(await ask("dave")).toMatchObject({ verdict: "clear", is_frozen_any: false });
  });

  test("determines the risk", async () => {
    const ask = (name: string) => dataOf("get_wallet_risk_score", { address: base58(name) });
    expect(await ask("oscar")).toMatchObject({ risk_score: 100, risk_level: "severe" });
    const { risk_score: frozen } = await ask("mallory");
    expect(frozen).toBeGreaterThanOrEqual(91);
    const overview = await dataOf("get_wallet_risk_overview", { address: base58("bob") });
    // 4,000 of all that bob received: 10,000 TRX, 14,000 USDT, and the part of his sale above the price. His purchase was
    // too large for the pool's price, so it has no such part.
    const received = 2_500 + 14_000 + (SOLD_USD - SALE_USD);
    const weight = 0.95 * Math.sqrt(4_000 / received / 0.25);
    const category = overview.categories.find((row: { category: string }) => row.category === "issuer_frozen");
    expect(category.score).toBeCloseTo(100 * weight, 3);
    expect(category.sources).toMatchObject([{ address: base58("mallory"), hops: 1 }]);
    expect(overview.risk_level).toBe("severe");
  });
});

test("shows the exchange in profile, patterns and deployed contracts", async () => {
  const profile = await dataOf("get_wallet_address_profile", { address: base58("bob") });
  expect(profile.funding.first_funder.address).toBe(base58("bank"));
  expect(profile.behaviour.top_protocols).toMatchObject([{ label: "SunSwap v2 pool", tx_count: 2 }]);
  const patterns = await dataOf("get_wallet_transaction_patterns", { address: base58("bob") });
  // Funded twice and paid once; two approvals; two swaps.
  expect(patterns.type_mix.map(({ type, count }: { type: string; count: number }) => [type, count])).toEqual([
    ["receive", 3],
    ["approval", 2],
    ["swap", 2],
  ]);
  const made = await dataOf("get_wallet_deployed_contracts", { address: base58("alice") });
  expect(made.data).toMatchObject([{ via: base58("sunswap") }, { symbol: "LAN", kind: "trc20" }]);
});
