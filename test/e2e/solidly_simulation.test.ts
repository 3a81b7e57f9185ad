/** Simulations in pools of Solidly's kind on a real node: contracts/SolidlyPool.sol quotes and pays like Aerodrome's. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import type { SimulationMarket } from "../../src/domain/token/simulation/market.ts";
import { type NoSimulation, type Simulation, simulate } from "../../src/domain/token/simulation/simulate.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { startDemoWorld } from "../demo_world.ts";
import { T0 } from "./served_world.ts";

const signal = new AbortController().signal;
const SIDE = 10_000n;
/** FeeToken.sol: 5 % on purchases, 8 % on sales, 1 % between wallets. */
const TAXED = { buy_tax_percent: 5, sell_tax_percent: 8, transfer_tax_percent: 1 };
const CLEAN = { buy_tax_percent: 0, sell_tax_percent: 0, transfer_tax_percent: 0 };

let world: EvmWorld;
let play: EvmScenarioChain;
let chain: OpenChain;
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  play = openScenarioChain(world.rpc, "demo", world.head.time);
  for (const [name, address] of Object.entries(world.contracts)) play.name(name, address);
  const network = { ...networkFromConfig({ id: "demo" }), ...world.network };
  chain = await openChain(network, { rpc: [world.url], log: silentLog }, signal);
  const supply = 1_000_000n * ETHER;
  await play.create("sclean", {
    from: "dave",
    code: projectCode("PlainToken"),
    args: ["string,string,uint8,uint256,address", ["Clean", "CLN", 18, supply, "@dave"]],
  });
  await play.create("staxed", {
    from: "dave",
    code: projectCode("FeeToken"),
    args: ["string,string,uint256", ["Taxed", "TXD", supply]],
  });
  for (const token of ["sclean", "staxed"]) for (const stable of [false, true]) await open(token, stable);
});
afterAll(async () => {
  await chain.close();
  await world.stop();
});

const hexOf = (name: string): Hex => hex(play.address(name).slice(2).toLowerCase());
const poolOf = (token: string, stable: boolean): string => `${stable ? "s" : "v"}_${token}`;

/** A pool with 10,000 of the token and 10,000 dollars. */
const open = async (token: string, stable: boolean): Promise<void> => {
  const pool = poolOf(token, stable);
  await play.create(pool, {
    from: "dave",
    code: projectCode("SolidlyPool"),
    args: ["address,address,bool,address", [`@${token}`, "@usdc", stable, "@trent"]],
  });
  const pay = (side: string, amount: bigint) =>
    play.act({ from: "dave", to: side, call: ["transfer(address,uint256)", [`@${pool}`, amount]] });
  await pay(token, SIDE * ETHER);
  await pay("usdc", SIDE * DOLLAR);
  await play.act({ from: "dave", to: pool, call: ["sync()", []] });
  if (token === "staxed") {
    await play.act({ from: "dave", to: token, call: ["setPool(address,bool)", [`@${pool}`, true]] });
  }
};

const simulated = async (token: string, stable: boolean): Promise<Simulation | NoSimulation> => {
  const { number, time } = await chain.head(signal);
  const market: SimulationMarket = {
    pool: hexOf(poolOf(token, stable)),
    family: stable ? "solidly_stable" : "solidly",
    token: hexOf(token),
    quote: hexOf("usdc"),
    // Less than any pool charges: with this fee every trade would fail, so the simulation must have read the pool's own fee.
    fee_ppm: 1,
    payee: hexOf(poolOf(token, stable)),
    key: null,
    depth_raw: SIDE * DOLLAR,
    depth_usd: 10_000,
  };
  return simulate(
    { chain, block: { number, time }, signal },
    {
      ...{ found: [market], anchors: new Set([hexOf("usdc")]), routers: [] },
    },
  );
};

const quoted = async (stable: boolean, dollars: bigint): Promise<number> => {
  const question = "getAmountOut(uint256,address) view returns (uint256)";
  return Number(await play.read(poolOf("sclean", stable), question, [dollars * DOLLAR, "@usdc"])) / 1e18;
};

test("quotes the pool of the tests by its curve", async () => {
  // 100 dollars less 0.3 % are 99.7: 99.7 * 10,000 / 10,099.7 = 98.7158…
  expect(await quoted(false, 100n)).toBeCloseTo((99.7 * 10_000) / 10_099.7, 9);
  // 1,000 less 0.05 % are 999.5: x^3*y + y^3*x stays 2 * 10^16 at x = 10,999.5, where y is the rest.
  const left = 10_000 - (await quoted(true, 1_000n));
  const x = 10_999.5;
  expect((x ** 3 * left + left ** 3 * x) / 2e16).toBeCloseTo(1, 12);
});

describe.each([
  ["volatile", false],
  ["stable", true],
] as const)("in a %s pool", (_, stable) => {
  test("buys and sells a clean token without a tax for both buyers", async () => {
    expect(await simulated("sclean", stable)).toMatchObject({
      contract_buyer: { can_buy: true, can_sell: true, ...CLEAN },
      eoa_buyer: { can_buy: true, can_sell: true, ...CLEAN },
      is_honeypot: false,
    });
  });

  test("shows the taxes of a taxed token's code to both buyers", async () => {
    expect(await simulated("staxed", stable)).toMatchObject({
      contract_buyer: { can_buy: true, can_sell: true, ...TAXED },
      eoa_buyer: { can_buy: true, can_sell: true, ...TAXED },
      is_honeypot: false,
      caller_dependent: false,
    });
  });
});

test("no longer finds a lifted tax", async () => {
  await play.act({ from: "dave", to: "staxed", call: ["setPool(address,bool)", ["@s_staxed", false]] });
  // Sold as between wallets now: the simulation follows the state of the block.
  expect(await simulated("staxed", true)).toMatchObject({
    buyer: { buy_tax_percent: 1, sell_tax_percent: 1, transfer_tax_percent: 1 },
    is_honeypot: false,
  });
});
