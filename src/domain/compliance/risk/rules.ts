import type { SourcedRule } from "../../../lib/risk_rule.ts";
import type { RiskCategory } from "./model.ts";
import type { CategoryFinding } from "./report.ts";

/** A rule whose limits an exposure reached, with the measured values. */
export interface FiredRule {
  id: string;
  source: SourcedRule["source"];
  category: RiskCategory;
  exposure: SourcedRule["exposure"];
  direction: SourcedRule["direction"];
  usd: number;
  percent: number;
  limit_usd: number | null;
  limit_percent: number | null;
}

type ExposureFacts = Pick<
  CategoryFinding,
  "category" | "direct_in_usd" | "direct_out_usd" | "indirect_in_usd" | "indirect_out_usd"
>;

export interface MeasuredRisk {
  readonly categories: readonly ExposureFacts[];
  /** USD that the wallet received and paid. */
  readonly totals: { readonly in: number; readonly out: number };
}

const usdOf = (found: ExposureFacts, { exposure, direction }: SourcedRule): number => {
  const sides = direction === "any" ? (["in", "out"] as const) : [direction];
  const kinds = exposure === "any" ? (["direct", "indirect"] as const) : [exposure];
  return sides.flatMap((side) => kinds.map((kind) => found[`${kind}_${side}_usd`])).reduce((sum, usd) => sum + usd, 0);
};

/** The rules of which an exposure reaches every limit, in the order of the operator. */
export const firedRules = (rules: readonly SourcedRule[], { categories, totals }: MeasuredRisk): FiredRule[] =>
  rules.flatMap((rule) => {
    const found = categories.find(({ category }) => category === rule.category);
    if (found === undefined) return [];
    const usd = usdOf(found, rule);
    const total = rule.direction === "any" ? totals.in + totals.out : totals[rule.direction];
    const percent = total <= 0 ? 0 : Math.min(100, (100 * usd) / total);
    const is_reached = usd > 0 && usd >= (rule.usd ?? 0) && percent >= (rule.percent ?? 0);
    const { id, source, exposure, direction, usd: limit_usd, percent: limit_percent } = rule;
    const { category } = found;
    return is_reached ? [{ id, source, category, exposure, direction, usd, percent, limit_usd, limit_percent }] : [];
  });
