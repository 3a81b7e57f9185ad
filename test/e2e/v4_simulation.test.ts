/** Simulations in Uniswap v4 pools of a real node: the manager's code is that of the package v4-core. */
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import type { HexText } from "../../src/demo/evm/rpc.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import { approve, inOrder } from "../../src/demo/evm/scenarios/exchanges.ts";
import { openV4, type V4Pool, ZERO_ADDRESS } from "../../src/demo/evm/scenarios/v4_pools.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import type { SimulationMarket } from "../../src/domain/token/simulation/market.ts";
import { keyOf } from "../../src/domain/token/simulation/pool_key.ts";
import { type NoSimulation, type Simulation, simulate } from "../../src/domain/token/simulation/simulate.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { startDemoWorld } from "../demo_world.ts";
import { T0 } from "./served_world.ts";

const signal = new AbortController().signal;
const SUPPLY = 1_000_000n * ETHER;
const TOKENS = 10_000n * ETHER;
/** FeeToken.sol: 5 % on purchases, 8 % on sales, 1 % between wallets. */
const TAXED = { buy_tax_percent: 5, sell_tax_percent: 8, transfer_tax_percent: 1 };
const CLEAN = { buy_tax_percent: 0, sell_tax_percent: 0, transfer_tax_percent: 0 };
const WORKS = { can_buy: true, can_sell: true };
/** Of the lowest fourteen bits only the one of `beforeSwap` (v4-core Hooks.sol). */
const GATE = `0x6a7e${"0".repeat(32)}0080`;
/** The hooks set the fee of each swap (v4-core LPFeeLibrary.sol); GateHooks.sol sets none, so it stays 0. */
const DYNAMIC_FEE = 0x800000n;

let world: EvmWorld;
let play: EvmScenarioChain;
let chain: OpenChain;
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  play = openScenarioChain(world.rpc, "demo", world.head.time);
  for (const [name, address] of Object.entries(world.contracts)) play.name(name, address);
  const network = { ...networkFromConfig({ id: "demo" }), ...world.network };
  chain = await openChain(network, { rpc: [world.url], log: silentLog }, signal);
  await play.create("clean", {
    from: "dave",
    code: projectCode("PlainToken"),
    args: ["string,string,uint8,uint256,address", ["Clean", "CLN", 18, SUPPLY, "@dave"]],
  });
  await createOwned("taxed", "FeeToken");
  await play.act({ from: "dave", to: "taxed", call: ["setPool(address,bool)", ["@v4_manager", true]] });
  await createOwned("trap", "HoneypotToken");
  await play.act({ from: "dave", to: "trap", call: ["setPool(address)", ["@v4_manager"]] });
  for (const token of ["clean", "taxed", "trap", "usdc"])
    await approve(play, "dave", { token, spender: "v4_provider" });
});
afterAll(async () => {
  await chain.close();
  await world.stop();
});

const createOwned = (name: string, code: string) =>
  play.create(name, { from: "dave", code: projectCode(code), args: ["string,string,uint256", [name, name, SUPPLY]] });

const hexOf = (name: string): Hex => hex(play.address(name).slice(2).toLowerCase());

/** v4-core PoolId.sol, by another library than the product's. */
const idOf = ({ sides, fee, spacing, hooks }: V4Pool): Hex => {
  const [zero, one] = inOrder(play, sides).map(({ token }) => play.address(token));
  const values = [zero ?? "0x", one ?? "0x", Number(fee), Number(spacing), play.address(hooks)] as const;
  return hex(
    keccak256(encodeAbiParameters(parseAbiParameters("address,address,uint24,int24,address"), values)).slice(2),
  );
};

/** The pool as the index shows it: the native coin as its wrapped form. */
const marketOf = (pool: V4Pool, known_hooks = pool.hooks): SimulationMarket => {
  const [own, other] = pool.sides;
  const wrapped = hexOf("weth");
  const coins = inOrder(play, pool.sides).map(({ token }) => (token === ZERO_ADDRESS ? wrapped : hexOf(token)));
  const [token0 = "", token1 = ""] = coins;
  const hooks = known_hooks === ZERO_ADDRESS ? "" : hexOf(known_hooks);
  const known = { pool: idOf(pool), token0, token1, hooks, tick_spacing: Number(pool.spacing) };
  const fee_ppm = Number(pool.fee);
  return {
    pool: known.pool,
    family: "uniswap_v4",
    token: hexOf(own.token),
    quote: other.token === ZERO_ADDRESS ? wrapped : hexOf(other.token),
    fee_ppm,
    payee: hexOf("v4_manager"),
    key: keyOf({ ...known, fee_ppm }, wrapped),
    depth_raw: other.amount,
    depth_usd: 10_000,
  };
};

const simulated = async (...markets: readonly SimulationMarket[]): Promise<Simulation | NoSimulation> => {
  const { number, time } = await chain.head(signal);
  return simulate(
    { chain, block: { number, time }, signal },
    {
      ...{ found: markets, anchors: new Set([hexOf("usdc"), hexOf("weth")]), routers: [] },
    },
  );
};

const poolOf = (token: string, more: Partial<V4Pool> = {}): V4Pool => ({
  sides: [
    { token, amount: TOKENS },
    { token: "usdc", amount: 10_000n * DOLLAR },
  ],
  fee: 3_000n,
  spacing: 60n,
  hooks: ZERO_ADDRESS,
  ...more,
});
const ETHER_SIDE = { token: ZERO_ADDRESS, amount: 2n * ETHER };

describe.each([
  // A thousand dollars, less 0.3 %: 997 * 10,000 / 10,997 coins.
  ["dollars", { fee: 3_000n, other: null, largest: (997 * 10_000) / 10_997 }],
  // No fee at all. A tenth of two ether: 0.2 * 10,000 / 2.2 coins.
  ["native coins", { fee: 0n, other: ETHER_SIDE, largest: (0.2 * 10_000) / 2.2 }],
] as const)("in a pool against %s", (_, { fee, other, largest }) => {
  const against = (token: string): V4Pool =>
    other === null ? poolOf(token, { fee }) : poolOf(token, { fee, sides: [{ token, amount: TOKENS }, other] });
  beforeAll(async () => {
    for (const token of ["clean", "taxed", "trap"]) await openV4(play, "dave", against(token));
  });

  test("buys and sells a clean token without a tax for both buyers, by the curve's amounts", async () => {
    const found = await simulated(marketOf(against("clean")));
    expect(found).toMatchObject({
      pools: [idOf(against("clean"))],
      contract_buyer: { ...WORKS, ...CLEAN },
      eoa_buyer: { ...WORKS, ...CLEAN },
      is_honeypot: false,
      trading_cooldown: false,
      caller_dependent: false,
      limits: { max_tx_raw: null, max_wallet_raw: null },
    });
    const tried = typeof found === "string" ? null : found.limits?.tried_raw;
    expect(Number(tried) / 1e18).toBeCloseTo(largest, 9);
  });

  test("shows the taxes of a taxed token's code to both buyers", async () => {
    expect(await simulated(marketOf(against("taxed")))).toMatchObject({
      contract_buyer: { ...WORKS, ...TAXED },
      eoa_buyer: { ...WORKS, ...TAXED },
      is_honeypot: false,
      caller_dependent: false,
    });
  });

  test("reports a token that can be bought and not sold as a honeypot, with its own message", async () => {
    const stuck = { can_buy: true, can_sell: false, buy_tax_percent: 0, sell_failure: "TRANSFER_FAILED" };
    expect(await simulated(marketOf(against("trap")))).toMatchObject({
      contract_buyer: stuck,
      eoa_buyer: stuck,
      is_honeypot: true,
      caller_dependent: false,
    });
  });
});

test("buys everything beyond the last liquidity", async () => {
  // Base units one to one, between the ticks -60 and 60.
  const pool = poolOf("clean", {
    sides: [
      { token: "clean", amount: 10n ** 12n },
      { token: "usdc", amount: 10n ** 12n },
    ],
    fee: 500n,
    spacing: 10n,
    edge: 60n,
  });
  await openV4(play, "dave", pool);
  // It holds about 3 * 10^9 dollar units: a hundredth of this is bought in full, a tenth exceeds the supply.
  const found = await simulated({ ...marketOf(pool), depth_raw: 10n ** 11n });
  expect(found).toMatchObject({ buyer: { ...WORKS, ...CLEAN }, is_honeypot: false });
  const tried = typeof found === "string" ? null : found.limits?.tried_raw;
  // Half the range of a liquidity of 10^12 holds 10^12 * (1 - 1.0001^-30) of each coin.
  expect(Number(tried) / (1e12 * (1 - 1.0001 ** -30))).toBeCloseTo(1, 8);
});

describe("with hooks in a pool", () => {
  const gated = poolOf("clean", { fee: DYNAMIC_FEE, hooks: GATE });
  const refuse = (coin: string) =>
    play.act({
      from: "dave",
      to: GATE,
      call: ["refuse(address)", [coin === ZERO_ADDRESS ? ZERO_ADDRESS : `@${coin}`]],
    });
  beforeAll(async () => {
    await play.create("gate_code", { from: "dave", code: projectCode("GateHooks") });
    const code = (await world.rpc.call("eth_getCode", play.address("gate_code"), "latest")) as HexText;
    await world.rpc.call("anvil_setCode", GATE, code);
    await openV4(play, "dave", gated);
  });

  test("that let everything through, a clean token is clean", async () => {
    expect(await simulated(marketOf(gated))).toMatchObject({
      contract_buyer: { ...WORKS, ...CLEAN },
      eoa_buyer: { ...WORKS, ...CLEAN },
      is_honeypot: false,
    });
  });

  test("that block every sale, it is a trap, with the message of the hooks", async () => {
    await refuse("clean");
    const stuck = { can_buy: true, can_sell: false, sell_failure: "GateHooks: closed" };
    expect(await simulated(marketOf(gated))).toMatchObject({
      contract_buyer: stuck,
      eoa_buyer: stuck,
      is_honeypot: true,
    });
  });

  test("that are a trap, a token that sells in a pool without hooks is clean", async () => {
    // As deep as claimed here: the pool with hooks is the deeper one.
    const plain = { ...marketOf(poolOf("clean")), depth_usd: 600 };
    expect(await simulated(marketOf(gated), plain)).toMatchObject({
      pools: [plain.pool, idOf(gated)],
      eoa_buyer: { ...WORKS, ...CLEAN },
      is_honeypot: false,
    });
  });

  test("that block every purchase, there is no verdict", async () => {
    await refuse("usdc");
    expect(await simulated(marketOf(gated))).toMatchObject({
      buyer: { can_buy: false, can_sell: null, buy_failure: "GateHooks: closed" },
      cannot_buy: true,
      is_honeypot: null,
    });
  });

  test("that are unknown, nothing is simulated", async () => {
    const market = marketOf(gated, ZERO_ADDRESS);
    expect(market.key).toBeNull();
    expect(await simulated(market)).toBe("unknown_hooks");
  });
});
