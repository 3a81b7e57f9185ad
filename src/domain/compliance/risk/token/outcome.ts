import { standingOutcome } from "../../../token/developer/rug_outcomes.ts";
import type { TokenOutcome } from "../../../token/verdict/verdict.ts";
import type { MarketFacts } from "./facts.ts";

/** The token's outcome by its record; without one, as far as its pools and its symbol show it. */
export const outcomeOf = ({ creator_rugs, is_drained, is_fake }: MarketFacts): TokenOutcome | null => {
  const end = creator_rugs?.own_end ?? null;
  return end === null ? standingOutcome({ is_drained, is_counterfeit: is_fake === true }) : end.outcome;
};
