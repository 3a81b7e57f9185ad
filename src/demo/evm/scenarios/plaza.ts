import { DOLLAR, ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { theirs } from "../artifacts.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";
import { plainToken } from "./tokens.ts";
import { openV4, swapV4, type V4Pool, ZERO_ADDRESS } from "./v4_pools.ts";

/** 100,000 Plaza and 50,000 dollars. */
const POOL: V4Pool = {
  sides: [
    { token: "plaza", amount: 100_000n * ETHER },
    { token: "usdc", amount: 50_000n * DOLLAR },
  ],
  fee: 3_000n,
  spacing: 60n,
  hooks: ZERO_ADDRESS,
};

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "bank", to: "piet", value: 20n * ETHER, gas: 21_000 });
  await stage.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", ["@piet", 60_000n * DOLLAR]] });
  await stage.create("v4_manager", { from: "piet", code: theirs("PoolManager"), args: ["address", ["@piet"]] });
  for (const [name, code] of [
    ["v4_swapper", "PoolSwapTest"],
    ["v4_provider", "PoolModifyLiquidityTest"],
  ] as const) {
    await stage.create(name, { from: "piet", code: theirs(code), args: ["address", ["@v4_manager"]] });
  }
  await plainToken(stage, "piet", ["plaza", "Plaza", "PLZ"]);
  for (const token of ["plaza", "usdc"]) {
    for (const spender of ["v4_swapper", "v4_provider"]) await approve(stage, "piet", { token, spender });
  }
};

/** piet swaps a token of the pool, at most until its price has reached `limit`. */
export const payPlaza = (
  stage: EvmScenarioChain,
  paid: "usdc" | "plaza",
  [amount, limit]: readonly [bigint, bigint | null],
) => swapV4(stage, POOL, { from: "piet", token: paid, amount, limit });

/** piet deploys Uniswap v4, a token, a pool of it against dollars, and buys. */
export const plaza: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(64, 21), run: () => build(stage) },
  { at: on(65, 21), run: () => openV4(stage, "piet", POOL) },
  { at: on(66, 21), run: () => payPlaza(stage, "usdc", [1_000n * DOLLAR, null]) },
];
