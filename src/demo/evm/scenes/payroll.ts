import { type Act, DOLLAR, ETHER, on, type Scene } from "../act.ts";
import { ours } from "../artifacts.ts";
import { BYSTANDERS } from "../characters.ts";
import type { Stage } from "../stage.ts";
import { approve } from "./exchanges.ts";

/** Ether and dollars per week and head. */
const WAGES = [5n, 6n, 7n, 8n, 9n] as const;
const STAFF = BYSTANDERS.slice(0, WAGES.length);
const WEEKS = 12;

const prepare = async (stage: Stage): Promise<void> => {
  await stage.create("disperser", { from: "peggy", code: ours("Disperser") });
  await approve(stage, "peggy", { token: "usdc", spender: "disperser" });
};

const payInEther = (stage: Stage) => {
  const values = WAGES.map((wage) => (wage * ETHER) / 100n);
  const total = values.reduce((sum, value) => sum + value, 0n);
  const call = ["disperseEther(address[],uint256[]) payable", [STAFF, values]] as const;
  return stage.act({ from: "peggy", to: "disperser", value: total, call });
};

const payInDollars = (stage: Stage) => {
  const values = WAGES.map((wage) => wage * 100n * DOLLAR);
  const call = ["disperseToken(address,address[],uint256[])", ["@usdc", STAFF, values]] as const;
  return stage.act({ from: "peggy", to: "disperser", call });
};

/** peggy pays five people every week at the same hour: ether in even weeks, dollars in odd ones. */
export const payroll: Scene = (stage): readonly Act[] => [
  { at: on(4, 8), run: () => prepare(stage) },
  ...Array.from({ length: WEEKS }, (_, week) => ({
    at: on(5 + week * 7, 17),
    run: () => (week % 2 === 0 ? payInEther(stage) : payInDollars(stage)),
  })),
];
