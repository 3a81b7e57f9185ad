import { SEVERITIES, type TokenVerdict, verdictOf } from "../../../token/verdict/verdict.ts";
import { codeFindings } from "./code_findings.ts";
import { type MarketFacts, type PowerFacts, simulationOf, type TokenRiskFacts } from "./facts.ts";
import type { TokenFinding } from "./finding.ts";
import { faceFlagsOf } from "./flags.ts";
import { marketFindings } from "./market_findings.ts";
import { outcomeOf } from "./outcome.ts";
import type { Flags } from "./report.ts";
import { tradeFindings } from "./trade_findings.ts";
import { unknownMarketTraits, unknownTraits } from "./unknown_traits.ts";

/** Findings that count even for a token with a known issuer. */
const ALWAYS: readonly string[] = ["honeypot", "sell_tax", "buy_tax"];
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

/** The verdict on a token that is a contract. */
export const judge = (facts: TokenRiskFacts, flags: Flags, findings: readonly TokenFinding[]): TokenVerdict =>
  verdictOf({
    findings,
    unknown: unknownTraits(facts, flags, findings),
    outcome: outcomeOf(facts),
    has_simulation: simulationOf(facts) !== null,
    has_scan: facts.scan.functions !== null,
    is_listed: facts.is_listed,
  });

/** The verdict on a token that is an account: trades need keys, so none is simulated. */
export const judgePowers = (facts: PowerFacts, findings: readonly TokenFinding[]): TokenVerdict =>
  verdictOf({
    findings,
    unknown: unknownMarketTraits(facts, faceFlagsOf(facts), findings),
    outcome: outcomeOf(facts),
    has_simulation: false,
    has_scan: true,
    is_listed: facts.is_listed,
  });

/** Mitigating facts about a token, in fixed sentences. */
export const positivesOf = (facts: TokenRiskFacts, flags: Flags): string[] => {
  const { scan, liquidity, replay } = facts;
  const taxes = simulationOf(facts)?.buyer;
  const sentences: readonly (readonly [boolean, string])[] = [
    [facts.is_listed, "It is in this network's registry: the powers of its issuer are known and weigh nothing here."],
    [
      flags.is_honeypot === false && simulationOf(facts)?.differences?.length === 0,
      "It can be bought and sold: in several amounts, through the router that others use, and later.",
    ],
    [taxes?.buy_tax_percent === 0 && taxes.sell_tax_percent === 0, "Purchases and sales are not taxed."],
    [replay.holders_tested > 0 && replay.holders_failed === 0, "Every tested real holder can move coins."],
    [scan.owner?.type === "renounced" && flags.hidden_owner === false, "Ownership was given up."],
    [scan.owner === null && flags.hidden_owner === false, "The contract has no owner."],
    [flags.is_mintable === false, "No function of the code created coins when it was tried."],
    [flags.has_blacklist === false, "No function of the code blocked a holder when it was tried."],
    [flags.transfer_pausable === false, "No function of the code stopped transfers when it was tried."],
    [flags.is_proxy === false, "The code cannot be replaced: it is not a proxy."],
    [flags.is_verified === true, "Its source is published."],
    [(liquidity.kept_percent ?? 0) > 80, "More than 80 % of the deepest pool's shares are burnt or locked."],
  ];
  return sentences.filter(([is_so]) => is_so).map(([, sentence]) => sentence);
};
