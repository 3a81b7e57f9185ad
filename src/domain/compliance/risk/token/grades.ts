import type { Severity } from "../../../token/verdict/verdict.ts";

/** [severity, weight] of a finding. */
export type Grade = readonly [severity: Severity, weight: number];

/** Weight of a finding that alone makes a token a high risk: at most 44 of 100 points are left. */
const OUTCOME_WEIGHT = 56;

/** The worst grade of each finding that takes points: what an unknown trait may cost (unknown_traits.ts). */
export const WORST = {
  rugged: ["critical", 100],
  drained: ["high", OUTCOME_WEIGHT],
  fake_token: ["high", OUTCOME_WEIGHT],
  honeypot: ["critical", 100],
  sell_tax: ["critical", 60],
  buy_tax: ["critical", 42],
  holders_blocked: ["critical", 35],
  mintable: ["high", 45],
  blacklist: ["high", 40],
  pausable: ["high", 40],
  take_back_ownership: ["high", 45],
  balance_change: ["critical", 60],
  tax_modifiable: ["high", 40],
  upgradeable: ["high", 40],
  /** Sales can be stopped while transfers work, or they are stopped already under some condition. */
  sales_stoppable: ["critical", 60],
  stops_selling_later: ["critical", 60],
  /** Functions that rejected every trial: any power may be among them. */
  unreached_functions: ["high", 25],
  hidden_owner: ["high", 25],
  unverified: ["medium", 20],
  lp_held_by_creator: ["high", 25],
  low_liquidity: ["medium", 10],
  concentrated: ["high", 12],
  creator_history: ["high", 30],
  new_token: ["low", 8],
} as const satisfies Readonly<Record<string, Grade>>;

/** Powers of a multisig or behind a delay: holders see them coming, or several must agree. */
export const GUARDED = {
  mintable: ["medium", 15],
  blacklist: ["medium", 15],
  pausable: ["medium", 15],
  take_back_ownership: ["medium", 15],
  balance_change: ["high", 30],
  sales_stoppable: ["high", 30],
  upgradeable: ["medium", 15],
} as const satisfies Readonly<Record<string, Grade>>;

export type GradedCode = keyof typeof WORST;
