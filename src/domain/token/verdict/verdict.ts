/** The verdict on a token, from what was found and what is unknown. Pure; the only place that makes a level. */

/**
 * `rugged`: a rug pull by its creators. `drained`: its pools are empty. `counterfeit`: it uses a known token's symbol.
 * `dead`, `alive`, `too_new`: by its trades. The first that applies.
 */
export const TOKEN_OUTCOMES = ["rugged", "drained", "counterfeit", "dead", "alive", "too_new"] as const;
export type TokenOutcome = (typeof TOKEN_OUTCOMES)[number];

export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export type TokenRiskLevel = "low" | "medium" | "high" | "critical" | "unknown";

const VERDICT_RULES = {
  /**
   * Scores below which a token is of high and of medium risk. Only a critical finding makes it critical, never a sum of
   * lesser ones.
   */
  high_below: 45,
  medium_below: 75,
  /**
   * Points of 100 that may be unknown in a score with a level: the width of the medium range. With more, the bounds of
   * the score are at least two levels apart, and no level describes both.
   */
  unknown_points_max: 30,
} as const;

/** A finding with the points that it takes from the score. */
export interface WeighedTrait {
  readonly severity: Severity;
  readonly weight: number;
}

/** A trait that could not be checked, as bad as it can be. */
export interface UnknownTrait extends WeighedTrait {
  readonly code: string;
  /** The index lacks the facts, not the node: a whole index may know better. */
  readonly by_index: boolean;
}

export interface VerdictFacts {
  readonly findings: readonly WeighedTrait[];
  readonly unknown: readonly UnknownTrait[];
  readonly outcome: TokenOutcome | null;
  readonly has_simulation: boolean;
  readonly has_scan: boolean;
  /** In the network's registry: its issuer is known. */
  readonly is_listed: boolean;
}

/** Bounds of a score: every unknown trait is bad, and none is. */
interface ScoreRange {
  readonly min: number;
  readonly max: number;
}

export interface TokenVerdict {
  readonly level: TokenRiskLevel;
  /** The lower bound; null when neither the simulation nor the scan of the code was possible. */
  readonly score: number | null;
  readonly score_range: ScoreRange | null;
  /** Why the level is unknown; null when it is known. */
  readonly level_gap: string | null;
}

const sumOf = (traits: readonly WeighedTrait[]): number => traits.reduce((sum, { weight }) => sum + weight, 0);

/** 100 minus the weights, never below 0; two decimals. */
const scoreOf = (lost: number): number => Math.max(0, Math.round((100 - lost) * 100) / 100);

const isCritical = ({ severity, weight }: WeighedTrait): boolean => severity === "critical" && weight > 0;

/** The least level of a token with this outcome; null: the outcome sets none. */
export const outcomeLevel = (outcome: TokenOutcome | null): "critical" | "high" | null => {
  if (outcome === "rugged") return "critical";
  return outcome === "drained" || outcome === "counterfeit" ? "high" : null;
};

type KnownLevel = Exclude<TokenRiskLevel, "unknown">;

/** The level of a score, by the findings that it counts. */
const levelAt = (score: number, facts: VerdictFacts): KnownLevel => {
  const least = outcomeLevel(facts.outcome);
  if (facts.findings.some(isCritical) || least === "critical") return "critical";
  if (least === "high" || score < VERDICT_RULES.high_below) return "high";
  const is_checked = (facts.has_simulation && facts.has_scan) || facts.is_listed;
  return score >= VERDICT_RULES.medium_below && is_checked ? "low" : "medium";
};

const tooMuchUnknown = (points: number, unknown: readonly UnknownTrait[]): string =>
  `${points} points of the score are unknown (${unknown.map(({ code }) => code).join(", ")}), and a level allows ${VERDICT_RULES.unknown_points_max}`;

/**
 * A level is at least as bad as the findings make it. It is withheld when a whole index could make it critical, or when
 * too much is unknown, unless the findings alone make it high.
 */
export const verdictOf = (facts: VerdictFacts): TokenVerdict => {
  const { findings, unknown, has_simulation, has_scan } = facts;
  const max = scoreOf(sumOf(findings));
  const min = scoreOf(sumOf(findings) + sumOf(unknown));
  const best = levelAt(max, facts);
  if (!has_simulation && !has_scan) {
    const gap = "neither simulation nor code could be read";
    const least = outcomeLevel(facts.outcome) ?? (best === "critical" ? best : null);
    return { level: least ?? "unknown", score: null, score_range: null, level_gap: least === null ? gap : null };
  }
  const known = { score: min, score_range: { min, max } };
  const may_be_critical = unknown.some((trait) => trait.by_index && isCritical(trait));
  const is_too_wide = max - min > VERDICT_RULES.unknown_points_max && best !== "high";
  const is_withheld = best !== "critical" && (may_be_critical || is_too_wide);
  return is_withheld
    ? { level: "unknown", ...known, level_gap: tooMuchUnknown(Math.round(max - min), unknown) }
    : { level: levelAt(min, facts), ...known, level_gap: null };
};
