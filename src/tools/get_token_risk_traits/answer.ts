import { simulationOf, type TokenRiskFacts } from "../../domain/compliance/risk/token/facts.ts";
import { flagsOf } from "../../domain/compliance/risk/token/flags.ts";
import { findingsOf, judge, positivesOf } from "../../domain/compliance/risk/token/judge.ts";
import { outcomeOf } from "../../domain/compliance/risk/token/outcome.ts";
import type { Flags } from "../../domain/compliance/risk/token/report.ts";
import { SUMS_REASON } from "../../domain/token/holders/sums.ts";
import type { Buyer } from "../../domain/token/simulation/verdict.ts";
import type { RiskOutput } from "./shape.ts";
import { levelGap, NO_SCORE, verdictFields } from "./verdict_fields.ts";

type SimulationOutput = RiskOutput["risk_overview"]["simulation"];

const buyerOf = (buyer: Buyer | null): SimulationOutput["contract_buyer"] => {
  if (buyer === null) return null;
  const { cannot_sell_all: _, rebate_or_rebase: __, ...shown } = buyer;
  return shown;
};

const shownSimulation = (facts: TokenRiskFacts): SimulationOutput => {
  const { holders_tested, holders_failed, fail_percent } = facts.replay;
  const done = simulationOf(facts);
  return {
    status: typeof facts.simulation === "string" ? facts.simulation : "done",
    block_number: facts.block.number,
    pools_tested: done?.pools.length ?? 0,
    holders_tested,
    holders_failed,
    fail_percent,
    caller_dependent: done?.caller_dependent ?? null,
    contract_buyer: buyerOf(done?.contract_buyer ?? null),
    eoa_buyer: buyerOf(done?.eoa_buyer ?? null),
    rebate_or_rebase: done?.buyer.rebate_or_rebase ?? null,
    max_tx_raw: done?.limits?.max_tx_raw?.toString() ?? null,
    max_wallet_raw: done?.limits?.max_wallet_raw?.toString() ?? null,
  };
};

const ownershipOf = ({ chain, creator, scan, holders }: TokenRiskFacts): RiskOutput["ownership"] => ({
  ...(creator === null ? {} : { creator: chain.formatAddress(creator) }),
  ...(scan.owner === null ? {} : { owner: chain.formatAddress(scan.owner.address) }),
  ...(holders.count === null ? {} : { holder_count: holders.count }),
  owner_type: scan.owner?.type ?? null,
  creator_percent: holders.percentOf(creator),
  owner_percent: scan.owner === null || scan.owner.type === "renounced" ? null : holders.percentOf(scan.owner.address),
  top10_percent_adjusted: holders.top10_percent_adjusted,
});

const NO_SIMULATION: Readonly<Record<string, string>> = {
  pools_unread: "the network is read on demand, and no known factory names a deep pool",
  no_pool: "no pool against a dollar coin or the wrapped native coin holds 500 USD of the token",
  unknown_hooks: "the only such pools are Uniswap v4 pools whose hooks are not indexed or change the price of a trade",
  no_overrides: "the node does not support state overrides",
  no_funding: "the simulated buyer could not be funded for any pool",
};

const CODE_FLAGS: readonly (keyof Flags)[] = [
  "is_upgradeable",
  "is_mintable",
  "can_take_back_ownership",
  "owner_can_change_balance",
  "hidden_owner",
  "transfer_pausable",
  "has_blacklist",
  "has_whitelist",
  "tax_modifiable",
  "per_wallet_tax",
  "anti_whale_modifiable",
  "rebasing",
];

const MARKET_FLAGS: readonly (keyof Flags)[] = ["fake_of_known_token", "airdrop_scam"];

const reasonFor = (flag: keyof Flags, facts: TokenRiskFacts): string => {
  if (flag === "is_verified") return facts.verified_gap ?? "there is no code to verify";
  if (flag === "creator_honeypot_history") return facts.creator_rugs?.gap ?? "its creator is unknown";
  if (MARKET_FLAGS.includes(flag)) return "the network is read on demand: what markets and transfers show is unknown";
  if (CODE_FLAGS.includes(flag) && facts.scan.functions === null) return "the code does not show its functions";
  if (flag === "rebasing") return "no node has the balances of that block";
  if (typeof facts.simulation === "string") return NO_SIMULATION[facts.simulation] ?? "nothing was simulated";
  return "the simulation did not get that far";
};

const missingOf = (
  facts: TokenRiskFacts,
  answer: Omit<RiskOutput, "unavailable" | "metadata" | "security_flags"> & { readonly security_flags: Flags },
): RiskOutput["unavailable"] => {
  const { taxes, ownership, security_flags, liquidity, risk_overview } = answer;
  const { scan, simulation } = facts;
  const untold = facts.holders.is_told
    ? "the index does not cover the whole history"
    : "tokens were issued without an event";
  const is_known = facts.holders.is_told && facts.holders.doubt === null;
  const no_index = facts.holders.doubt === null ? untold : SUMS_REASON;
  const no_simulation = typeof simulation === "string" ? NO_SIMULATION[simulation] : undefined;
  const no_owner = scan.owner?.type === "renounced" ? "ownership was renounced" : "the contract has no owner function";
  const rows: readonly (readonly [string, unknown, string])[] = [
    ["risk_overview.security_score", risk_overview.security_score, NO_SCORE],
    ["risk_overview.score_range", risk_overview.score_range, NO_SCORE],
    [
      "risk_overview.simulation.eoa_buyer",
      risk_overview.simulation.eoa_buyer,
      no_simulation ?? "the node cannot simulate transactions",
    ],
    [
      "risk_overview.simulation.fail_percent",
      risk_overview.simulation.fail_percent,
      "no pool, or no holder without code",
    ],
    ["taxes.buy_tax_percent", taxes.buy_tax_percent, no_simulation ?? "no purchase worked"],
    ["taxes.sell_tax_percent", taxes.sell_tax_percent, no_simulation ?? "no sale worked"],
    ["taxes.transfer_tax_percent", taxes.transfer_tax_percent, no_simulation ?? "no transfer worked"],
    ["ownership.creator", ownership.creator, "the creation is not indexed"],
    ["ownership.owner", ownership.owner, "the contract has no owner function"],
    ["ownership.holder_count", ownership.holder_count, no_index],
    [
      "ownership.creator_percent",
      ownership.creator_percent,
      is_known ? "the creator, the supply or the holders are unknown" : no_index,
    ],
    ["ownership.owner_percent", ownership.owner_percent, is_known ? no_owner : no_index],
    ["ownership.top10_percent_adjusted", ownership.top10_percent_adjusted, no_index],
    ["liquidity.total_usd", liquidity.total_usd, facts.liquidity.total_reason ?? ""],
    [
      "liquidity.pools[].lp_locked_percent",
      lpKnown(liquidity),
      "positions have no shares that could be locked or burned",
    ],
    [
      "liquidity.pools[].lock_until",
      liquidity.pools.every(({ lock_until }) => lock_until !== null) ? "" : null,
      facts.liquidity.lock_gap,
    ],
  ];
  // Both are records of the same keys.
  const flags = Object.entries(security_flags) as [keyof Flags, boolean | null][];
  return [
    ...rows.filter(([, value]) => (value ?? null) === null).map(([field, , reason]) => ({ field, reason })),
    ...flags
      .filter(([flag, value]) => value === null && flag !== "caller_pays_energy")
      .map(([flag]) => ({ field: `security_flags.${flag}`, reason: reasonFor(flag, facts) })),
  ];
};

const lpKnown = ({ pools }: RiskOutput["liquidity"]): "" | null =>
  pools.every(({ lp_locked_percent }) => lp_locked_percent !== null) ? "" : null;

export const answerOf = (facts: TokenRiskFacts, token_address: string): Omit<RiskOutput, "metadata"> => {
  const flags = flagsOf(facts);
  const findings = findingsOf(facts, flags);
  const verdict = judge(facts, flags, findings);
  const buyer = simulationOf(facts)?.buyer;
  const answer = {
    token_address,
    network: facts.chain.network.family,
    risk_overview: {
      ...verdictFields(verdict),
      outcome: outcomeOf(facts),
      detector_descriptions: findings.map(({ description }) => description),
      positive_descriptions: positivesOf(facts, flags),
      simulation: shownSimulation(facts),
    },
    taxes: {
      buy_tax_percent: buyer?.buy_tax_percent ?? null,
      sell_tax_percent: buyer?.sell_tax_percent ?? null,
      transfer_tax_percent: buyer?.transfer_tax_percent ?? null,
    },
    ownership: ownershipOf(facts),
    alerts: findings.map(({ weight: _, ...alert }) => alert),
    security_flags: flags,
    liquidity: { total_usd: facts.liquidity.total_usd, pools: facts.liquidity.rows },
  };
  return { ...answer, unavailable: [...levelGap(verdict), ...missingOf(facts, answer)] };
};
