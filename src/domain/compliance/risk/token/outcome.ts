import type { MarketFacts } from "./facts.ts";

/** Outcomes of a token, acquired or from the start: each is at least a high risk. Worst first. */
export const RISK_OUTCOMES = ["rugged", "honeypot", "drained", "counterfeit"] as const;
export type RiskOutcome = (typeof RISK_OUTCOMES)[number];

/** Null: no such outcome was found. `is_honeypot`: result of the simulation; null without one. */
export const outcomeOf = (
  { creator_rugs, is_drained, is_fake }: MarketFacts,
  is_honeypot: boolean | null,
): RiskOutcome | null => {
  const own = creator_rugs?.own ?? null;
  const met: Readonly<Record<RiskOutcome, boolean>> = {
    rugged: own !== null,
    honeypot: is_honeypot === true,
    drained: is_drained,
    counterfeit: is_fake,
  };
  return RISK_OUTCOMES.find((outcome) => met[outcome]) ?? null;
};
