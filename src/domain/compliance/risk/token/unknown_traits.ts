import { RUG_RULES } from "../../../token/developer/rug_outcomes.ts";
import type { UnknownTrait } from "../../../token/verdict/verdict.ts";
import { CAPABILITIES } from "./code_findings.ts";
import { type MarketFacts, powersGap, type TokenRiskFacts } from "./facts.ts";
import type { TokenFinding } from "./finding.ts";
import { type GradedCode, WORST } from "./grades.ts";
import { LIQUIDITY_USD_MIN, type NameFlags } from "./market_findings.ts";
import type { Flags } from "./report.ts";

/** Traits of a token that could not be checked, each as bad as it can be. A trait that does not apply is not unknown. */

interface TraitCheck {
  readonly code: GradedCode;
  readonly is_unknown: boolean;
  /** The index lacks the facts: a whole index may know better. */
  readonly by_index: boolean;
}

const traitsOf = (
  { is_listed }: MarketFacts,
  findings: readonly TokenFinding[],
  checks: readonly TraitCheck[],
): readonly UnknownTrait[] => {
  // Findings weigh already; traits of a listed token weigh nothing, because its issuer is known.
  if (is_listed) return [];
  const found = new Set(findings.map(({ code }) => code));
  return checks
    .filter(({ code, is_unknown }) => is_unknown && !found.has(code))
    .map(({ code, by_index }) => {
      const [severity, weight] = WORST[code];
      return { code, severity, weight, by_index };
    });
};

const marketChecks = (facts: MarketFacts, flags: NameFlags): readonly TraitCheck[] => {
  const { creator_rugs, creator, holders, liquidity, created_at, history } = facts;
  const { is_life_indexed, is_creation_missing } = history;
  const end = creator_rugs?.own_end ?? null;
  const is_end_unknown = end === null ? creator_rugs !== null || is_creation_missing : end.is_open;
  const { total_usd, unknown_pools } = liquidity;
  const may_have_more = total_usd === null || unknown_pools > 0 || !is_life_indexed;
  const index = { by_index: true } as const;
  return [
    { code: "rugged", is_unknown: is_end_unknown, ...index },
    {
      code: "creator_history",
      is_unknown: flags.creator_honeypot_history === null && (creator_rugs !== null || is_creation_missing),
      ...index,
    },
    {
      code: "lp_held_by_creator",
      is_unknown: !is_life_indexed || (creator === null && is_creation_missing),
      ...index,
    },
    {
      code: "concentrated",
      is_unknown: holders.top10_percent_adjusted === null && holders.doubt === null && holders.count !== 0,
      ...index,
    },
    { code: "low_liquidity", is_unknown: may_have_more && (total_usd ?? 0) < LIQUIDITY_USD_MIN, ...index },
    { code: "new_token", is_unknown: created_at === null && is_creation_missing, ...index },
  ];
};

/** No pool is left that a trade could be simulated in: there is nothing to buy or to sell. */
const hasNoMarket = ({ simulation, liquidity, history }: TokenRiskFacts): boolean =>
  simulation === "no_pool" &&
  history.is_life_indexed &&
  liquidity.unknown_pools === 0 &&
  liquidity.total_usd !== null &&
  liquidity.total_usd < 2 * RUG_RULES.depth_usd_min;

const tradeChecks = (facts: TokenRiskFacts, flags: Flags): readonly TraitCheck[] => {
  if (hasNoMarket(facts)) return [];
  const { simulation, replay, holders, history } = facts;
  const by_index = simulation === "no_pool" || !history.is_life_indexed;
  const buyer = typeof simulation === "string" ? null : simulation.buyer;
  const has_sellers = holders.people.length > 0 || !history.is_life_indexed;
  return [
    { code: "honeypot", is_unknown: flags.is_honeypot === null, by_index },
    { code: "sell_tax", is_unknown: (buyer?.sell_tax_percent ?? null) === null, by_index },
    { code: "buy_tax", is_unknown: (buyer?.buy_tax_percent ?? null) === null, by_index },
    {
      code: "holders_blocked",
      // Holders of a part of the history are no sample of all holders.
      is_unknown: replay.fail_percent === null ? has_sellers : !history.is_life_indexed,
      by_index,
    },
  ];
};

const codeChecks = (facts: TokenRiskFacts, flags: Flags): readonly TraitCheck[] => {
  const { scan } = facts;
  const node = { by_index: false } as const;
  const is_hidden = scan.functions === null;
  return [
    ...CAPABILITIES.map((code): TraitCheck => ({ code, is_unknown: is_hidden, ...node })),
    { code: "tax_modifiable", is_unknown: is_hidden, ...node },
    // Any power may be among such functions, and hardly several.
    { code: "unreached_functions", is_unknown: !is_hidden && powersGap(facts) !== null, ...node },
    { code: "hidden_owner", is_unknown: flags.hidden_owner === null, ...node },
    { code: "upgradeable", is_unknown: scan.is_upgradeable === null, ...node },
    { code: "unverified", is_unknown: facts.is_verified === null, ...node },
  ];
};

/** Of a token that is a contract. */
export const unknownTraits = (
  facts: TokenRiskFacts,
  flags: Flags,
  findings: readonly TokenFinding[],
): readonly UnknownTrait[] =>
  traitsOf(facts, findings, [...tradeChecks(facts, flags), ...codeChecks(facts, flags), ...marketChecks(facts, flags)]);

/** Of a token that is an account: its own state shows its powers and its fee. */
export const unknownMarketTraits = (
  facts: MarketFacts,
  flags: NameFlags,
  findings: readonly TokenFinding[],
): readonly UnknownTrait[] => traitsOf(facts, findings, marketChecks(facts, flags));
