import {
  BEHAVIOURS,
  type BehaviourCode,
  CATEGORIES,
  LEVELS,
  LIMITS,
  type RiskCategory,
  type WalletRiskLevel,
  weightOf,
} from "./model.ts";

export type ExposureDirection = "in" | "out";

/** A category of the address itself. */
export interface DirectHit {
  readonly category: RiskCategory;
  /** 0..1 */
  readonly confidence: number;
}

/** The part of a wallet's money that traces to one category, directly or not, in one direction. */
export interface CategoryExposure {
  readonly category: RiskCategory;
  readonly direction: ExposureDirection;
  /** The source dealt with the wallet itself. */
  readonly is_direct: boolean;
  /** Small sums of sources that the wallet never paid. */
  readonly is_dust: boolean;
  readonly usd: number;
}

/** The inputs of the score. */
export interface ScoreFacts {
  readonly direct: readonly DirectHit[];
  readonly exposures: readonly CategoryExposure[];
  /** USD that came in and went out. */
  readonly totals: Readonly<Record<ExposureDirection, number>>;
  readonly behaviours: readonly BehaviourCode[];
  /** Not found, and not excluded either. */
  readonly unjudged: readonly BehaviourCode[];
  readonly coverage_percent: number;
  /** Tracing was cut off: exposure that was not found may still exist. */
  readonly is_cut_off: boolean;
  /** USD that came from addresses which are not read, or went to them. */
  readonly unread_usd: number;
  /** Labelled as an exchange's hot wallet or as a protocol by an operator or a list. */
  readonly is_service: boolean;
}

/** One category or behaviour, and its own share of the whole risk. */
export interface RiskPart<C extends RiskCategory | BehaviourCode = RiskCategory | BehaviourCode> {
  readonly code: C;
  /** 0..1 */
  readonly x: number;
}

export interface RiskScore {
  /** 0..100; null when too little of the wallet's history is known, or its exposure is not. */
  readonly score: number | null;
  readonly level: WalletRiskLevel;
  /** Bounds of the score: nothing unknown is bad, and everything is. */
  readonly range: { readonly min: number; readonly max: number };
  /** The rule that decided. */
  readonly rule: "sanctioned" | "frozen" | "coverage" | "cut_off" | "service" | "unread" | "formula";
  readonly service_address: boolean;
  /** Everything that counts, heaviest first, ties by code. */
  readonly categories: readonly RiskPart<RiskCategory>[];
  readonly behaviours: readonly RiskPart<BehaviourCode>[];
}

/** Part of all value, 0..1. A large sum counts in full regardless of the rest; an empty total has the part 0. */
export const shareOf = (usd: number, total_usd: number): number =>
  total_usd <= 0 ? 0 : Math.min(1, Math.max(usd / total_usd, Math.min(1, usd / LIMITS.full_usd)));

const exposureRisk = (exposure: CategoryExposure, totals: ScoreFacts["totals"]): number => {
  const { category, direction, is_direct, is_dust, usd } = exposure;
  const share = shareOf(usd, totals[direction]);
  const counted = (is_direct ? 1 : LIMITS.indirect_factor) * (is_dust ? LIMITS.dust_factor : 1);
  return (
    weightOf(category) *
    Math.sqrt(Math.min(1, share / LIMITS.full_share)) *
    counted *
    LIMITS.direction_factor[direction]
  );
};

/** The largest risk of any hit or exposure of the category. */
const categoryRisk = (category: RiskCategory, { direct, exposures, totals }: ScoreFacts): number =>
  Math.max(
    0,
    ...direct.filter((hit) => hit.category === category).map(({ confidence }) => weightOf(category) * confidence),
    ...exposures.filter((one) => one.category === category).map((one) => exposureRisk(one, totals)),
  );

/** The highest score below which more exposure could change much. */
const MILD_MAX = LEVELS.find(({ level }) => level === "moderate")?.up_to ?? 0;
/** The heaviest category. */
const WORST: RiskCategory = CATEGORIES.reduce((worst, one) => (one.weight > worst.weight ? one : worst)).category;

const byWeight = (a: RiskPart, b: RiskPart): number => b.x - a.x || (a.code < b.code ? -1 : 1);

/** Π(1 - x). Parts are in a fixed order, so that the same parts give the same product. */
const cleanOf = (parts: readonly RiskPart[]): number => parts.reduce((left, { x }) => left * (1 - x), 1);

const pointsOf = (parts: readonly RiskPart[]): number => Math.round(100 * (1 - cleanOf(parts)));

export const levelOf = (score: number | null): WalletRiskLevel =>
  score === null ? "unknown" : (LEVELS.find(({ up_to }) => score <= up_to)?.level ?? "severe");

const isSure = (facts: ScoreFacts, category: RiskCategory): boolean =>
  facts.direct.some((hit) => hit.category === category && hit.confidence >= LIMITS.sure_confidence);

/** Value at addresses that are not read, as an indirect exposure to the heaviest category. */
const unreadRisk = ({ unread_usd, totals }: ScoreFacts): number =>
  Math.max(
    ...(["in", "out"] as const).map((direction) =>
      exposureRisk({ category: WORST, direction, is_direct: false, is_dust: false, usd: unread_usd }, totals),
    ),
  );

/** Exposure through addresses that are not read could raise a score that is not high. */
const isOpen = (facts: ScoreFacts, parts: readonly RiskPart[]): boolean => {
  const [found, worst] = [pointsOf(parts), Math.round(100 * (1 - cleanOf(parts) * (1 - unreadRisk(facts))))];
  return found <= MILD_MAX && levelOf(found) !== levelOf(worst);
};

const ruled = (
  facts: ScoreFacts,
  parts: readonly RiskPart[],
): Pick<RiskScore, "score" | "rule" | "service_address"> => {
  const points = pointsOf(parts);
  const has_hit = facts.direct.length > 0;
  const service_address = facts.is_service && !has_hit;
  if (isSure(facts, "sanctioned")) return { score: 100, rule: "sanctioned", service_address };
  if (isSure(facts, "issuer_frozen")) {
    return { score: Math.max(LIMITS.frozen_score_min, points), rule: "frozen", service_address };
  }
  if (facts.coverage_percent < LIMITS.coverage_percent_min) return { score: null, rule: "coverage", service_address };
  if (facts.is_cut_off) return { score: null, rule: "cut_off", service_address };
  if (service_address) {
    return { score: Math.min(LIMITS.service_score_max, points), rule: "service", service_address };
  }
  if (isOpen(facts, parts)) return { score: null, rule: "unread", service_address };
  return { score: points, rule: "formula", service_address };
};

/** The part of the history that is not indexed, as an exposure to the heaviest category. */
const unindexedRisk = ({ coverage_percent }: ScoreFacts): number =>
  Math.sqrt(Math.min(1, (1 - coverage_percent / 100) / LIMITS.full_share));

/** Bounds of the score by its rule. A score that is withheld may be anything above what was found. */
const rangeOf = (
  facts: ScoreFacts,
  { score, rule }: Pick<RiskScore, "score" | "rule">,
  parts: readonly RiskPart[],
): RiskScore["range"] => {
  if (rule === "sanctioned") return { min: 100, max: 100 };
  if (score === null && rule !== "unread") return { min: pointsOf(parts), max: 100 };
  const behaviours = [...new Set(facts.unjudged)].map((code) => ({ code, x: BEHAVIOURS[code] }));
  const left = cleanOf(parts.concat(behaviours)) * (1 - unindexedRisk(facts)) * (1 - unreadRisk(facts));
  const worst = Math.round(100 * (1 - left));
  const max = rule === "service" ? Math.min(LIMITS.service_score_max, worst) : worst;
  const min = score ?? pointsOf(parts);
  return { min, max: Math.max(min, max) };
};

/**
 * The score of `risk/wallet@2`. Rules in this order, the first that applies decides: sanctioned itself, frozen itself,
 * too little history, tracing that was cut off, service, addresses that are not read.
 */
export const scoreOf = (facts: ScoreFacts): RiskScore => {
  const categories = CATEGORIES.map(({ category }) => ({ code: category, x: categoryRisk(category, facts) }))
    .filter(({ x }) => x > 0)
    .sort(byWeight);
  const behaviours = [...new Set(facts.behaviours)].map((code) => ({ code, x: BEHAVIOURS[code] })).sort(byWeight);
  const parts = [...categories, ...behaviours];
  const decided = ruled(facts, parts);
  const range = rangeOf(facts, decided, parts);
  return { ...decided, range, level: levelOf(decided.score), categories, behaviours };
};
