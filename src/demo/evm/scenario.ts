import type { Act, Scene } from "./act.ts";
import { accounts } from "./scenes/accounts.ts";
import { books } from "./scenes/books.ts";
import { cohorts } from "./scenes/cohorts.ts";
import { creations } from "./scenes/creations.ts";
import { defi } from "./scenes/defi.ts";
import { developers } from "./scenes/developers.ts";
import { exchanges } from "./scenes/exchanges.ts";
import { frauds } from "./scenes/frauds.ts";
import { freezes } from "./scenes/freezes.ts";
import { habits } from "./scenes/habits.ts";
import { issuers } from "./scenes/issuers.ts";
import { locks } from "./scenes/locks.ts";
import { market } from "./scenes/market.ts";
import { mixer } from "./scenes/mixer.ts";
import { money } from "./scenes/money.ts";
import { names } from "./scenes/names.ts";
import { payroll } from "./scenes/payroll.ts";
import { plaza } from "./scenes/plaza.ts";
import { protocols } from "./scenes/protocols.ts";
import { savings } from "./scenes/savings.ts";
import { services } from "./scenes/services.ts";
import { sites } from "./scenes/sites.ts";
import { spamming } from "./scenes/spam.ts";
import { tokens } from "./scenes/tokens.ts";
import { traders } from "./scenes/traders.ts";
import { traps } from "./scenes/traps.ts";
import type { Stage } from "./stage.ts";

/** A tool that needs a new subject adds a scene here. */
const SCENES: readonly Scene[] = [
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
export const runScenario = async (stage: Stage, t0: number): Promise<void> => {
  // Array.sort is stable: acts of the same second keep the order of the scenes.
  const acts: Act[] = SCENES.flatMap((scene) => scene(stage)).sort((a, b) => a.at - b.at);
  for (const act of acts) {
    stage.at(t0 + act.at);
    await act.run();
  }
};
