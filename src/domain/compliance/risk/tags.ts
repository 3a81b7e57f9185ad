import { CATEGORIES } from "./model.ts";

/** Categories of the taxonomy that speak against an address: those that the risk model weighs. */
export const RISK_CATEGORIES: readonly string[] = CATEGORIES.flatMap(({ labels }) => labels);

/** The risk categories among an address's categories. Null without labels: nothing is known. */
export const riskTagsOf = (tags: readonly string[] | null): string[] | null =>
  tags === null ? null : tags.filter((tag) => RISK_CATEGORIES.includes(tag));
