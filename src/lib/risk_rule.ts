export const RULE_EXPOSURES = ["direct", "indirect", "any"] as const;
export const RULE_DIRECTIONS = ["in", "out", "any"] as const;
/** Where the operator set a rule: in the configuration file, or in the portal and the operator API. */
export const RULE_SOURCES = ["file", "portal"] as const;

/** Most rules of each source. */
export const RULES_MAX = 100;

/** A limit that the operator sets for the exposure of wallets to a category. */
export interface RiskRule {
  readonly id: string;
  /** A category of the risk model. */
  readonly category: string;
  readonly exposure: (typeof RULE_EXPOSURES)[number];
  readonly direction: (typeof RULE_DIRECTIONS)[number];
  /** Null: no limit of this kind. At least one of both is set. */
  readonly usd: number | null;
  /** Percent of all USD that the wallet received, paid, or both, by direction. */
  readonly percent: number | null;
}

/** A rule with where it was set. */
export interface SourcedRule extends RiskRule {
  readonly source: (typeof RULE_SOURCES)[number];
}
