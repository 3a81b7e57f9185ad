import type { Hex } from "../../../../lib/bytes.ts";
import { iso } from "../../../../lib/time.ts";
import { CAPABILITY_METHOD } from "../../../token/contracts/capabilities/scan.ts";
import { SIMULATION_METHOD } from "../../../token/simulation/simulate.ts";
import { type MarketFacts, simulationOf, type TokenRiskFacts } from "./facts.ts";
import type { Grade } from "./grades.ts";
import type { Alert } from "./report.ts";

/** A finding with the points that it subtracts from the score. */
export interface TokenFinding extends Alert {
  readonly weight: number;
}

type AlertEvidence = Alert["evidence"][number];

interface FindingWords {
  readonly title: string;
  readonly description: string;
}

export const finding = (
  code: string,
  [severity, weight]: Grade,
  content: FindingWords & { readonly evidence: readonly AlertEvidence[] },
): TokenFinding => ({ code, severity, weight, ...content, evidence: [...content.evidence] });

/** Evidence from a simulation. */
export const bySimulation = (facts: TokenRiskFacts): readonly AlertEvidence[] => {
  const pools = simulationOf(facts)?.pools ?? [];
  return pools.map((pool) => ({
    kind: "simulation",
    ref: `${SIMULATION_METHOD}: pool ${facts.chain.formatAddress(pool)} at block ${facts.block.number}`,
    observed_at: iso(facts.block.time),
  }));
};

/** Evidence from a call. */
export const byCall = (facts: MarketFacts, words: string, to: Hex = facts.token): AlertEvidence => ({
  kind: "call",
  ref: `${words} of ${facts.chain.formatAddress(to)} at block ${facts.block.number}`,
  observed_at: iso(facts.block.time),
});

/** Evidence from the code. */
export const byCode = (facts: TokenRiskFacts, words: string): AlertEvidence =>
  byCall(facts, `${CAPABILITY_METHOD}: ${words} in the code`, facts.scan.code_addresses[0]);

/** Evidence from the index. */
export const byIndex = (facts: MarketFacts, words: string): AlertEvidence => ({
  kind: "call",
  ref: `index: ${words}`,
  observed_at: iso(facts.block.time),
});

/** Evidence from a list. */
export const byList = (facts: MarketFacts, ref: string): AlertEvidence => ({
  kind: "list",
  ref,
  observed_at: iso(facts.block.time),
});
