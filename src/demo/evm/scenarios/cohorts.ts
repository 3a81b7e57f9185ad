import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import { NEWCOMER } from "../characters.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { addV2, approve } from "./exchanges.ts";
import { SWAP_TOKENS } from "./market.ts";

/** Tokens of paula's pools, with their names and symbols. */
const GROVE = [
  ["alder", "Alder", "ALD"],
  ["birch", "Birch", "BIR"],
  ["cedar", "Cedar", "CED"],
  ["dogwood", "Dogwood", "DOG"],
  ["elm", "Elm", "ELM"],
] as const;

/** For each token of the grove: `cohorts` tests work with these numbers. */
const GROVE_FACTS = {
  supply: 1_000_000n * ETHER,
  pool: 200_000n,
  marco_buys_usdc: 10_000n * DOLLAR,
  paula_buys_usdc: 80_000n * DOLLAR,
  sales: 4n,
  marco_buys_last_usdc: 500n * DOLLAR,
  newcomer: 1_000n * ETHER,
} as const;

const fund = async (stage: EvmScenarioChain): Promise<void> => {
  for (const [name, dollars] of [
    ["paula", 1_500_000n],
    ["marco", 60_000n],
  ] as const) {
    await stage.act({ from: "bank", to: name, value: 2n * ETHER, gas: 21_000 });
    await stage.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", [`@${name}`, dollars * DOLLAR]] });
    await approve(stage, name, { token: "usdc", spender: "v2_router" });
  }
};

const plant = async (stage: EvmScenarioChain): Promise<void> => {
  const { supply, pool } = GROVE_FACTS;
  for (const [token, name, symbol] of GROVE) {
    const args = ["string,string,uint8,uint256,address", [name, symbol, 18n, supply, "@paula"]] as const;
    await stage.create(token, { from: "paula", code: projectCode("PlainToken"), args });
    await approve(stage, "paula", { token, spender: "v2_router" });
    await addV2(stage, "paula", {
      name: `pair_${token}_usdc`,
      sides: [
        { token, amount: pool * ETHER },
        { token: "usdc", amount: pool * DOLLAR },
      ],
    });
  }
};

const buy = (stage: EvmScenarioChain, who: string, [token, dollars]: readonly [string, bigint]) =>
  stage.act({
    from: who,
    to: "v2_router",
    call: [SWAP_TOKENS, [dollars, 0n, ["@usdc", `@${token}`], `@${who}`, FOREVER]],
  });

/** Sells the same part of the initial balance each time: the last sale takes the rest. */
const sell = async (stage: EvmScenarioChain, token: string, sales_left: bigint): Promise<void> => {
  // balanceOf returns a uint256.
  const held = (await stage.read(token, "balanceOf(address) view returns (uint256)", ["@marco"])) as bigint;
  const args = [held / sales_left, 0n, [`@${token}`, "@usdc"], "@marco", FOREVER];
  await stage.act({ from: "marco", to: "v2_router", call: [SWAP_TOKENS, args] });
};

const trades = (stage: EvmScenarioChain): ScenarioAct[] =>
  GROVE.flatMap(([token], i): ScenarioAct[] => [
    {
      at: on(20 + i, 9),
      run: async () => {
        await approve(stage, "marco", { token, spender: "v2_router" });
        await buy(stage, "marco", [token, GROVE_FACTS.marco_buys_usdc]);
      },
    },
    { at: on(30 + i, 9), run: () => buy(stage, "paula", [token, GROVE_FACTS.paula_buys_usdc]) },
    ...[4n, 3n, 2n, 1n].map((left, sale) => ({
      at: on(38 + 7 * sale + i, 9),
      run: () => sell(stage, token, left),
    })),
  ]);

const lastDay = (stage: EvmScenarioChain): ScenarioAct[] => [
  { at: on(89, 9.5), run: () => buy(stage, "marco", ["alder", GROVE_FACTS.marco_buys_last_usdc]) },
  {
    at: on(89, 10),
    run: () =>
      stage.act({ from: "paula", to: "alder", call: ["transfer(address,uint256)", [NEWCOMER, GROVE_FACTS.newcomer]] }),
  },
];

/**
 * marco buys five tokens, paula raises their prices, he sells each in four parts with a gain: a smart trader. paula
 * holds most of every one, and an address without earlier activity receives some on the last day.
 */
export const cohorts: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(6, 20), run: () => fund(stage) },
  { at: on(7, 20), run: () => plant(stage) },
  ...trades(stage),
  ...lastDay(stage),
];
