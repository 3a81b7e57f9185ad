import { codeFindings } from "./code_findings.ts";
import { type MarketFacts, simulationOf, type TokenRiskFacts } from "./facts.ts";
import type { TokenFinding } from "./finding.ts";
import { marketFindings } from "./market_findings.ts";
import { outcomeOf } from "./outcome.ts";
import { type Flags, SEVERITIES, type TokenRiskLevel } from "./report.ts";
import { tradeFindings } from "./trade_findings.ts";

/** Findings that count even for a token with a known issuer. */
const ALWAYS: readonly string[] = ["honeypot", "sell_tax", "buy_tax"];
/**
 * Scores below which a token is of high and of medium risk. Only a critical finding makes it critical, never a sum of
 * lesser ones.
 */
const [HIGH_BELOW, MEDIUM_BELOW] = [45, 75];

/** Worst first, ties by code. */
const bySeverity = (a: TokenFinding, b: TokenFinding): number =>
  SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || (a.code < b.code ? -1 : 1);

/** All findings, worst first. Findings of a listed token are true but weigh nothing. */
export const findingsOf = (facts: TokenRiskFacts, flags: Flags): readonly TokenFinding[] => {
  const all = [...tradeFindings(facts, flags), ...codeFindings(facts, flags), ...marketFindings(facts, flags)];
  return weighed(facts, all);
};

/** Worst first, with the weights that count. */
export const weighed = ({ is_listed }: MarketFacts, all: readonly TokenFinding[]): readonly TokenFinding[] => {
  const counted = is_listed
    ? all.map(
        (found): TokenFinding => (ALWAYS.includes(found.code) ? found : { ...found, severity: "info", weight: 0 }),
      )
    : all;
  return [...counted].sort(bySeverity);
};

/** 100 minus the weights, never below 0; two decimals. */
const scoreOf = (findings: readonly TokenFinding[]): number => {
  const lost = findings.reduce((sum, { weight }) => sum + weight, 0);
  return Math.max(0, Math.round((100 - lost) * 100) / 100);
};

/** Completed checks of a token. */
interface InspectionFacts {
  readonly has_simulation: boolean;
  readonly has_scan: boolean;
}

/** The score is null when neither the simulation nor the scan of the code was possible. */
export const judge = (facts: TokenRiskFacts, findings: readonly TokenFinding[]): TokenVerdict => {
  const seen = { has_simulation: simulationOf(facts) !== null, has_scan: facts.scan.functions !== null };
  return verdictOf(facts, findings, seen);
};

interface TokenVerdict {
  readonly level: TokenRiskLevel;
  readonly score: number | null;
}

export const verdictOf = (
  facts: MarketFacts,
  findings: readonly TokenFinding[],
  { has_simulation, has_scan }: InspectionFacts,
): TokenVerdict => {
  const is_critical = findings.some(({ severity, weight }) => severity === "critical" && weight > 0);
  const is_high = outcomeOf(facts, null) !== null;
  // A known outcome needs no check of possible ones.
  if (!has_simulation && !has_scan)
    return { level: is_critical ? "critical" : is_high ? "high" : "unknown", score: null };
  const score = scoreOf(findings);
  if (is_critical) return { level: "critical", score };
  if (is_high || score < HIGH_BELOW) return { level: "high", score };
  const is_low = score >= MEDIUM_BELOW && ((has_simulation && has_scan) || facts.is_listed);
  return { level: is_low ? "low" : "medium", score };
};

/** Mitigating facts about a token, in fixed sentences. */
export const positivesOf = (facts: TokenRiskFacts, flags: Flags): string[] => {
  const { scan, liquidity, replay } = facts;
  const taxes = simulationOf(facts)?.buyer;
  const sentences: readonly (readonly [boolean, string])[] = [
    [facts.is_listed, "It is in this network's registry: the powers of its issuer are known and weigh nothing here."],
    [flags.is_honeypot === false, "It can be bought and sold."],
    [taxes?.buy_tax_percent === 0 && taxes.sell_tax_percent === 0, "Purchases and sales are not taxed."],
    [replay.holders_tested > 0 && replay.holders_failed === 0, "Every tested real holder can move coins."],
    [scan.owner?.type === "renounced" && flags.hidden_owner === false, "Ownership was given up."],
    [scan.owner === null && flags.hidden_owner === false, "The contract has no owner."],
    [flags.is_mintable === false, "The code has no known function that creates coins."],
    [flags.has_blacklist === false, "The code has no known function that blocks single holders."],
    [flags.transfer_pausable === false, "The code has no known function that stops transfers."],
    [flags.is_proxy === false, "The code cannot be replaced: it is not a proxy."],
    [flags.is_verified === true, "Its source is published."],
    [(liquidity.kept_percent ?? 0) > 80, "More than 80 % of the deepest pool's shares are burnt or locked."],
  ];
  return sentences.filter(([is_so]) => is_so).map(([, sentence]) => sentence);
};
