import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import type { EvmScenarioChain, ScenarioReceipt } from "../scenario_chain.ts";
import { addV2, approve, namePair, openV3 } from "./exchanges.ts";

export const ADD_LIQUIDITY_ETH =
  "addLiquidityETH(address,uint256,uint256,uint256,address,uint256) payable returns (uint256,uint256,uint256)";
const DEAD = "0x000000000000000000000000000000000000dEaD";

export interface Launch {
  readonly owner: string;
  readonly token: string;
  readonly pair: string;
  readonly amount: bigint;
  readonly wei: bigint;
}

/** Opens a v2 pool of a token against ether through the router. */
export const launch = async (stage: EvmScenarioChain, { owner, token, pair, amount, wei }: Launch): Promise<void> => {
  await approve(stage, owner, { token, spender: "v2_router" });
  const args = [`@${token}`, amount, 0n, 0n, `@${owner}`, FOREVER];
  await stage.act({ from: owner, to: "v2_router", value: wei, call: [ADD_LIQUIDITY_ETH, args], gas: 5_000_000 });
  await namePair(stage, pair, [token, "weth"]);
};

/** A token of fixed supply, which its creator holds at first. */
export const plainToken = (
  stage: EvmScenarioChain,
  owner: string,
  token: readonly [name: string, title: string, symbol: string],
) => {
  const [name, title, symbol] = token;
  const args = ["string,string,uint8,uint256,address", [title, symbol, 18, 10_000_000n * ETHER, `@${owner}`]] as const;
  return stage.create(name, { from: owner, code: projectCode("PlainToken"), args });
};

/** The address in the first topic of the newest log of a receipt: the contract that a factory announces. */
export const announced = (receipt: ScenarioReceipt): string => {
  const topic = receipt.logs.at(-1)?.topics[1];
  if (topic === undefined) throw new Error(`The scenario broke: ${receipt.transactionHash} announced nothing.`);
  return `0x${topic.slice(26)}`;
};

const harbor = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "dave", ["harbor", "Harbor", "HRB"]);
  const pool = {
    owner: "dave",
    token: "harbor",
    pair: "pair_harbor_weth",
    amount: 1_000_000n * ETHER,
    wei: 30n * ETHER,
  };
  await launch(stage, pool);
  // Half of the pool shares are burnt: that liquidity can never be withdrawn. The supply of pool shares is a uint256.
  const shares = (await stage.read("pair_harbor_weth", "balanceOf(address) view returns (uint256)", [
    "@dave",
  ])) as bigint;
  await stage.act({ from: "dave", to: "pair_harbor_weth", call: ["transfer(address,uint256)", [DEAD, shares / 2n]] });
};

const juniper = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "dave", ["juniper", "Juniper", "JUN"]);
  for (const token of ["juniper", "usdc"]) await approve(stage, "dave", { token, spender: "v3_positions" });
  const sides = [
    { token: "juniper", amount: 200_000n * ETHER },
    { token: "usdc", amount: 100_000n * DOLLAR },
  ] as const;
  await openV3(stage, "dave", { name: "pool_v3_juniper_usdc", fee: 10000, sides });
};

/** dave's deposit to the pool of Sunrise; only bob trades there (see `test/fixtures/evm_expected.ts`). */
export const SUNRISE_POOL = { sunrise: 100_000n * ETHER, usdc: 100_000n * DOLLAR } as const;

const sunrise = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "dave", ["sunrise", "Sunrise", "SUN"]);
  for (const token of ["sunrise", "usdc"]) await approve(stage, "dave", { token, spender: "v2_router" });
  const sides = [
    { token: "sunrise", amount: SUNRISE_POOL.sunrise },
    { token: "usdc", amount: SUNRISE_POOL.usdc },
  ] as const;
  await addV2(stage, "dave", { name: "pair_sunrise_usdc", sides });
};

/** One ether deep, about 2,000 dollars: too little for a price. */
const thin = async (stage: EvmScenarioChain): Promise<void> => {
  await plainToken(stage, "dave", ["thin", "Thin Ice", "THIN"]);
  const pool = { owner: "dave", token: "thin", pair: "pair_thin_weth", amount: 50_000n * ETHER, wei: 1n * ETHER };
  await launch(stage, pool);
};

const copper = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["string,string,uint256", ["Copper", "CPR", 1_000_000n * ETHER]] as const;
  await stage.create("copper", { from: "dave", code: projectCode("MintableToken"), args });
  await stage.act({ from: "dave", to: "copper", call: ["transfer(address,uint256)", ["@grace", 5_000n * ETHER]] });
};

const drift = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["string,string,uint256", ["Drift", "DRF", 10_000n * ETHER]] as const;
  await stage.create("drift", { from: "dave", code: projectCode("RebasingToken"), args });
  await stage.act({ from: "dave", to: "drift", call: ["transfer(address,uint256)", ["@grace", 1_000n * ETHER]] });
};

const FACTORY_SALT = `0x${"5a".repeat(32)}`;

const factory = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("token_factory", { from: "dave", code: projectCode("TokenFactory") });
  const plain = await stage.act({
    from: "dave",
    to: "token_factory",
    call: ["create(string,string,uint256)", ["Orchard", "ORC", 1_000_000n * ETHER]],
  });
  stage.name("orchard", announced(plain));
  const salted = await stage.act({
    from: "dave",
    to: "token_factory",
    call: ["create2(string,string,uint256,bytes32)", ["Meadow", "MDW", 2_000_000n * ETHER, FACTORY_SALT]],
  });
  stage.name("meadow", announced(salted));
};

const mintCopper = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "dave", to: "copper", call: ["mint(address,uint256)", ["@dave", 250_000n * ETHER]] });
  await stage.act({ from: "dave", to: "copper", call: ["pause()", []] });
  await stage.act({ from: "dave", to: "copper", call: ["unpause()", []] });
};

/** dave's tokens: priced through ether, through dollars, too thin for a price, without a pool, from a factory. */
export const tokens: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(2, 9), run: () => harbor(stage) },
  { at: on(3, 9), run: () => juniper(stage) },
  { at: on(5, 9), run: () => sunrise(stage) },
  { at: on(6, 9), run: () => thin(stage) },
  { at: on(8, 9), run: () => copper(stage) },
  { at: on(9, 9), run: () => drift(stage) },
  { at: on(12, 9), run: () => factory(stage) },
  { at: on(45, 9), run: () => stage.act({ from: "dave", to: "drift", call: ["rebase(uint256)", [11_000n * ETHER]] }) },
  { at: on(50, 9), run: () => mintCopper(stage) },
];
