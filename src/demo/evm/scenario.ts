import type { EvmScenario, ScenarioAct } from "./act.ts";
import type { EvmScenarioChain } from "./scenario_chain.ts";
import { accounts } from "./scenarios/accounts.ts";
import { books } from "./scenarios/books.ts";
import { cohorts } from "./scenarios/cohorts.ts";
import { creations } from "./scenarios/creations.ts";
import { defi } from "./scenarios/defi.ts";
import { developers } from "./scenarios/developers.ts";
import { exchanges } from "./scenarios/exchanges.ts";
import { frauds } from "./scenarios/frauds.ts";
import { freezes } from "./scenarios/freezes.ts";
import { habits } from "./scenarios/habits.ts";
import { issuers } from "./scenarios/issuers.ts";
import { locks } from "./scenarios/locks.ts";
import { market } from "./scenarios/market.ts";
import { mixer } from "./scenarios/mixer.ts";
import { money } from "./scenarios/money.ts";
import { names } from "./scenarios/names.ts";
import { payroll } from "./scenarios/payroll.ts";
import { plaza } from "./scenarios/plaza.ts";
import { protocols } from "./scenarios/protocols.ts";
import { savings } from "./scenarios/savings.ts";
import { services } from "./scenarios/services.ts";
import { sites } from "./scenarios/sites.ts";
import { spamming } from "./scenarios/spam.ts";
import { tokens } from "./scenarios/tokens.ts";
import { traders } from "./scenarios/traders.ts";
import { traps } from "./scenarios/traps.ts";

/** A tool that needs a new subject adds a scene here. */
const SCENARIOS: readonly EvmScenario[] = [
  money,
  exchanges,
  market,
  names,
  tokens,
  books,
  traders,
  defi,
  payroll,
  creations,
  frauds,
  spamming,
  accounts,
  freezes,
  issuers,
  habits,
  sites,
  services,
  savings,
  cohorts,
  plaza,
  mixer,
  traps,
  developers,
  locks,
  protocols,
];

/** Runs all scenes in order of time. `t0` in unix seconds. */
export const runScenario = async (stage: EvmScenarioChain, t0: number): Promise<void> => {
  // Array.sort is stable: acts of the same second keep the order of the scenes.
  const acts: ScenarioAct[] = SCENARIOS.flatMap((scene) => scene(stage)).sort((a, b) => a.at - b.at);
  for (const act of acts) {
    stage.at(t0 + act.at);
    await act.run();
  }
};
