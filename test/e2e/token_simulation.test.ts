/** Rehearsals against real pools of the demo world's node, without an index: what the tool cannot show of itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import { approve, openV3 } from "../../src/demo/evm/scenarios/exchanges.ts";
import { launch } from "../../src/demo/evm/scenarios/tokens.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { findBalanceLayout } from "../../src/domain/token/simulation/funding.ts";
import type { SimulationMarket, SimulationState } from "../../src/domain/token/simulation/market.ts";
import { type NoSimulation, type Simulation, simulate } from "../../src/domain/token/simulation/simulate.ts";
import { type Hex, hex, intToHex, toHex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { startDemoWorld } from "../demo_world.ts";
import { T0 } from "./served_world.ts";

const SUPPLY = 1_000_000n * ETHER;
const signal = new AbortController().signal;

let world: EvmWorld;
let play: EvmScenarioChain;
let chain: OpenChain;
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  play = openScenarioChain(world.rpc, "demo", world.head.time);
  for (const [name, address] of Object.entries(world.contracts)) play.name(name, address);
  const network = { ...networkFromConfig({ id: "demo" }), ...world.network };
  chain = await openChain(network, { rpc: [world.url], log: silentLog }, signal);
});
afterAll(async () => {
  await chain.close();
  await world.stop();
});

const hexOf = (name: string): Hex => hex(play.address(name).slice(2).toLowerCase());

const simulationContext = async (): Promise<SimulationState> => {
  const { number, time } = await chain.head(signal);
  return { chain, block: { number, time }, signal };
};

const simulated = async (market: {
  readonly pool: string;
  readonly token: string;
  readonly quote: string;
  readonly family: string;
  readonly depth: bigint;
}): Promise<Simulation | NoSimulation> => {
  const { pool, token, quote, family, depth } = market;
  const found: SimulationMarket = {
    pool: hexOf(pool),
    family,
    token: hexOf(token),
    quote: hexOf(quote),
    fee_ppm: 3_000,
    payee: hexOf(pool),
    key: null,
    depth_raw: depth,
    depth_usd: 20_000,
  };
  return simulate(await simulationContext(), {
    ...{ found: [found], anchors: new Set(["weth", "usdc", "usdt"].map(hexOf)), routers: [] },
  });
};

const create = (name: string, code: string, from: string) =>
  play.create(name, {
    from,
    code: projectCode(code),
    args: ["string,string,uint256", [name, name.toUpperCase(), SUPPLY]],
  });

describe("a taxed token in a concentrated pool", () => {
  beforeAll(async () => {
    await create("v3tax", "FeeToken", "dave");
    await approve(play, "dave", { token: "v3tax", spender: "v3_positions" });
    await approve(play, "dave", { token: "usdc", spender: "v3_positions" });
    const sides = [
      { token: "v3tax", amount: 100_000n * ETHER },
      { token: "usdc", amount: 10_000n * DOLLAR },
    ] as const;
    await openV3(play, "dave", { name: "pool_v3tax", fee: 3000, sides });
    await play.act({ from: "dave", to: "v3tax", call: ["setPool(address,bool)", ["@pool_v3tax", true]] });
  });

  test("is sold by what will arrive, and shows the taxes of its code to both buyers", async () => {
    const found = await simulated({
      pool: "pool_v3tax",
      token: "v3tax",
      quote: "usdc",
      family: "uniswap_v3",
      depth: 10_000n * DOLLAR,
    });
    // FeeToken.sol: 5 % on purchases, 8 % on sales, 1 % between wallets.
    const taxes = { buy_tax_percent: 5, sell_tax_percent: 8, transfer_tax_percent: 1 };
    expect(found).toMatchObject({
      contract_buyer: { can_buy: true, can_sell: true, ...taxes },
      eoa_buyer: { can_buy: true, can_sell: true, ...taxes },
      is_honeypot: false,
      caller_dependent: false,
    });
  });

  test("whose fee was raised to a quarter says so", async () => {
    // 25 % is all that this token takes: three quarters of a sale arrive.
    await play.act({
      from: "dave",
      to: "v3tax",
      call: ["setFees(uint256,uint256,uint256)", [0n, 2_500n, 0n]],
    });
    const market = { pool: "pool_v3tax", token: "v3tax", quote: "usdc", family: "uniswap_v3", depth: 10_000n * DOLLAR };
    expect(await simulated(market)).toMatchObject({
      buyer: { buy_tax_percent: 0, sell_tax_percent: 25, transfer_tax_percent: 0 },
      is_honeypot: false,
    });
  });
});

test("a token whose trading opens later cannot be bought now, and that is no honeypot", async () => {
  await create("later", "LaunchToken", "mallory");
  await launch(play, {
    owner: "mallory",
    token: "later",
    pair: "pair_later",
    amount: 500_000n * ETHER,
    wei: 2n * ETHER,
  });
  await play.act({ from: "mallory", to: "later", call: ["close(address,uint256)", ["@pair_later", 200n]] });
  const market = { pool: "pair_later", token: "later", quote: "weth", family: "uniswap_v2", depth: 2n * ETHER };
  expect(await simulated(market)).toMatchObject({
    cannot_buy: true,
    is_locked_now: true,
    is_honeypot: null,
    buyer: { can_buy: false, can_sell: null, buy_failure: "UniswapV2: TRANSFER_FAILED" },
  });
});

describe("coins for a purchase", () => {
  const HOLDER = hex("12".repeat(20));

  test.each(["usdc", "usdt", "weth", "harbor"])("of %s are put where balanceOf finds them", async (token) => {
    const ground = await simulationContext();
    const layout = await findBalanceLayout(ground, hexOf(token), HOLDER);
    const slot = layout?.(HOLDER) ?? "";
    const overrides = [{ address: hexOf(token), storage: { [slot]: intToHex(77n, 32) } }];
    const calls = [{ to: hexOf(token), data: hex(`70a08231${HOLDER.padStart(64, "0")}`) }];
    const [read] = await chain.callOverridden({ calls, overrides }, signal);
    expect(Number(`0x${toHex(read?.data ?? new Uint8Array())}`)).toBe(77);
  });

  test("are not made of a token whose balances are computed", async () => {
    expect(await findBalanceLayout(await simulationContext(), hexOf("drift"), HOLDER)).toBeNull();
  });
});
