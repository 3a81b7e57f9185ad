import { DOLLAR, ETHER, type EvmScenario, FOREVER, on, type ScenarioAct } from "../act.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";
import { EXACT_INPUT_SINGLE, LAST_DAY } from "./market.ts";

export const BUY_WITH_ETHER = "swapExactETHForTokens(uint256,address[],address,uint256) payable returns (uint256[])";
export const SELL_FOR_ETHER = "swapExactTokensForETH(uint256,uint256,address[],address,uint256) returns (uint256[])";

export const buyWithEther = (stage: EvmScenarioChain, buyer: string, [token, wei]: readonly [string, bigint]) => {
  const args = [0n, ["@weth", `@${token}`], `@${buyer}`, FOREVER];
  return stage.act({ from: buyer, to: "v2_router", value: wei, call: [BUY_WITH_ETHER, args] });
};

export const balanceOf = async (stage: EvmScenarioChain, holder: string, token: string): Promise<bigint> =>
  // balanceOf returns a uint256.
  (await stage.read(token, "balanceOf(address) view returns (uint256)", [`@${holder}`])) as bigint;

/** Sells a share of the balance, in percent. */
export const sellForEther = async (
  stage: EvmScenarioChain,
  seller: string,
  [token, percent]: readonly [string, bigint],
) => {
  const amount = ((await balanceOf(stage, seller, token)) * percent) / 100n;
  const args = [amount, 0n, [`@${token}`, "@weth"], `@${seller}`, FOREVER];
  return stage.act({ from: seller, to: "v2_router", call: [SELL_FOR_ETHER, args] });
};

const swapJuniper = async (stage: EvmScenarioChain, paid: "usdc" | "juniper", amount: bigint): Promise<void> => {
  const bought = paid === "usdc" ? "juniper" : "usdc";
  const args = [`@${paid}`, `@${bought}`, 10_000n, "@alice", FOREVER, amount, 0n, 0n];
  await stage.act({ from: "alice", to: "v3_router", call: [EXACT_INPUT_SINGLE, [args]] });
};

const prepare = async (stage: EvmScenarioChain): Promise<void> => {
  await approve(stage, "alice", { token: "harbor", spender: "v2_router" });
  for (const token of ["usdc", "juniper"]) await approve(stage, "alice", { token, spender: "v3_router" });
};

const harborTrades = (stage: EvmScenarioChain): ScenarioAct[] => {
  const acts: ScenarioAct[] = [];
  for (let day = 4; day <= LAST_DAY; day += 3) {
    const round = (day - 4) / 3;
    // Two purchases, then a sale of 40 %.
    const trade =
      round % 3 === 2
        ? () => sellForEther(stage, "alice", ["harbor", 40n])
        : () => buyWithEther(stage, "alice", ["harbor", (BigInt(round % 5) + 2n) * (ETHER / 10n)]);
    acts.push({ at: on(day, 16 + (round % 4)), run: trade });
  }
  return acts;
};

const juniperTrades = (stage: EvmScenarioChain): ScenarioAct[] => {
  const acts: ScenarioAct[] = [];
  for (let day = 5; day <= LAST_DAY; day += 6) {
    const round = (day - 5) / 6;
    const trade =
      round % 3 === 2
        ? async () => swapJuniper(stage, "juniper", (await balanceOf(stage, "alice", "juniper")) / 2n)
        : () => swapJuniper(stage, "usdc", (BigInt(round) + 8n) * 100n * DOLLAR);
    acts.push({ at: on(day, 10.5), run: trade });
  }
  return acts;
};

/** A deposit to the exchange and a withdrawal from it, so that labelled counterparties exist. */
const exchangeVisits = (stage: EvmScenarioChain): ScenarioAct[] => [
  { at: on(29, 9), run: () => stage.act({ from: "alice", to: "exchange", value: 5n * ETHER, gas: 21_000 }) },
  { at: on(62, 9), run: () => stage.act({ from: "exchange", to: "alice", value: 3n * ETHER, gas: 21_000 }) },
];

/** alice trades Harbor against ether on v2 and Juniper against dollars on v3. */
export const traders: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(3, 15), run: () => prepare(stage) },
  ...harborTrades(stage),
  ...juniperTrades(stage),
  ...exchangeVisits(stage),
];
