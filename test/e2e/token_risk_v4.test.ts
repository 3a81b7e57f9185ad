// @long: alone
/** Risks of a token that only trades in a manager of Uniswap v4: from the event of its pool to the verdict. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import type { HexText } from "../../src/demo/evm/rpc.ts";
import type { EvmScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import { approve } from "../../src/demo/evm/scenarios/exchanges.ts";
import { plainToken } from "../../src/demo/evm/scenarios/tokens.ts";
import { openV4, type V4Pool } from "../../src/demo/evm/scenarios/v4_pools.ts";
import { openDemoWorld, type WorldService } from "./served_world.ts";
import { openTruth, runMore } from "./truth.ts";

/** Of the lowest fourteen bits the one of `beforeSwap`; and with it the one that may change the paid amount (v4-core Hooks.sol). */
const GATE = `0x6a7e${"0".repeat(32)}0080`;
const PAYING = `0x6a7e${"0".repeat(32)}0088`;
const CLEAN = { buy_tax_percent: 0, sell_tax_percent: 0, transfer_tax_percent: 0 };

const poolOf = (token: string, hooks: string): V4Pool => ({
  sides: [
    { token, amount: 10_000n * ETHER },
    { token: "usdc", amount: 2_000n * DOLLAR },
  ],
  fee: 3_000n,
  spacing: 60n,
  hooks,
});

let stage: WorldService;
const addresses: Record<string, string> = {};
let block = 0;

/** A token whose hooks reject its sale, and one whose hooks take a fee. */
const createHooks = async (play: EvmScenarioChain): Promise<void> => {
  await play.create("gate_code", { from: "piet", code: projectCode("GateHooks") });
  const code = (await play.rpc.call("eth_getCode", play.address("gate_code"), "latest")) as HexText;
  for (const hooks of [GATE, PAYING]) await play.rpc.call("anvil_setCode", hooks, code);
  for (const [token, hooks] of [
    ["gated", GATE],
    ["paying", PAYING],
  ] as const) {
    await plainToken(play, "piet", [token, token, token.toUpperCase()]);
    await approve(play, "piet", { token, spender: "v4_provider" });
    await openV4(play, "piet", poolOf(token, hooks));
  }
  await play.act({ from: "piet", to: GATE, call: ["refuse(address)", ["@gated"]] });
  await play.act({ from: "piet", to: "plaza", call: ["transfer(address,uint256)", ["@bob", ETHER]] });
  await play.act({ from: "piet", to: "gated", call: ["transfer(address,uint256)", ["@bob", ETHER]] });
  Object.assign(addresses, play.contracts());
};

beforeAll(async () => {
  stage = await openDemoWorld();
  const truth = await openTruth(stage.world);
  addresses.plaza = truth.addressOf("plaza");
  block = await runMore(stage, createHooks);
});
afterAll(() => stage.close());

const risksOf = async (token: string) =>
  (await stage.ask("get_token_risk_traits", { token_address: addresses[token], network: "demo" })).body;

test("simulates trades of a token in its only pool, one of v4", async () => {
  const { taxes, security_flags, risk_overview, liquidity } = await risksOf("plaza");
  expect(taxes).toEqual(CLEAN);
  expect(security_flags).toMatchObject({ is_honeypot: false, cannot_buy: false, anti_whale: false });
  const works = { can_buy: true, can_sell: true, ...CLEAN };
  // bob got one: he is the only holder beside its maker and the manager.
  expect(risk_overview.simulation).toMatchObject({
    status: "done",
    pools_tested: 1,
    contract_buyer: works,
    eoa_buyer: works,
    holders_tested: 1,
    holders_failed: 0,
  });
  expect(liquidity.pools).toHaveLength(1);
});

test("simulates a sale with the hooks that were announced with the pool", async () => {
  const { security_flags, risk_overview, alerts, liquidity } = await risksOf("gated");
  expect(security_flags.is_honeypot).toBe(true);
  const stuck = { can_buy: true, can_sell: false, sell_failure: "GateHooks: closed" };
  expect(risk_overview).toMatchObject({
    risk_level: "critical",
    // bob can send his coins to the manager: the pool's hooks reject the sale.
    simulation: { status: "done", contract_buyer: stuck, eoa_buyer: stuck, holders_tested: 1, holders_failed: 0 },
  });
  const honeypot = alerts.find(({ code }: { code: string }) => code === "honeypot");
  expect(honeypot.evidence).toMatchObject([
    { kind: "simulation", ref: `sim/evm@2: pool ${liquidity.pools[0].address} at block ${block}` },
  ]);
});

test("leaves everything about trading unknown with hooks that take a fee, and gives that as the reason", async () => {
  const { taxes, security_flags, risk_overview, unavailable } = await risksOf("paying");
  expect(taxes).toEqual({ buy_tax_percent: null, sell_tax_percent: null, transfer_tax_percent: null });
  expect(security_flags).toMatchObject({ is_honeypot: null, cannot_buy: null, fee_on_transfer: null });
  expect(risk_overview.simulation).toMatchObject({ status: "unknown_hooks", pools_tested: 0, contract_buyer: null });
  const reason = unavailable.find(({ field }: { field: string }) => field === "security_flags.is_honeypot")?.reason;
  expect(reason).toContain("hooks");
});
