import { DOLLAR, ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import { BYSTANDERS } from "../characters.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";
import { approve } from "./exchanges.ts";

/** Ether and dollars per week and head. */
const WAGES = [5n, 6n, 7n, 8n, 9n] as const;
const STAFF = BYSTANDERS.slice(0, WAGES.length);
const WEEKS = 12;

const prepare = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("disperser", { from: "peggy", code: projectCode("Disperser") });
  await approve(stage, "peggy", { token: "usdc", spender: "disperser" });
};

const payInEther = (stage: EvmScenarioChain) => {
  const values = WAGES.map((wage) => (wage * ETHER) / 100n);
  const total = values.reduce((sum, value) => sum + value, 0n);
  const call = ["disperseEther(address[],uint256[]) payable", [STAFF, values]] as const;
  return stage.act({ from: "peggy", to: "disperser", value: total, call });
};

const payInDollars = (stage: EvmScenarioChain) => {
  const values = WAGES.map((wage) => wage * 100n * DOLLAR);
  const call = ["disperseToken(address,address[],uint256[])", ["@usdc", STAFF, values]] as const;
  return stage.act({ from: "peggy", to: "disperser", call });
};

/** peggy pays five people every week at the same hour: ether in even weeks, dollars in odd ones. */
export const payroll: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(4, 8), run: () => prepare(stage) },
  ...Array.from({ length: WEEKS }, (_, week) => ({
    at: on(5 + week * 7, 17),
    run: () => (week % 2 === 0 ? payInEther(stage) : payInDollars(stage)),
  })),
];
