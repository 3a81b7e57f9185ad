import { CATEGORIES } from "./model.ts";

/** Categories of the taxonomy that speak against an address: those that the risk model weighs. */
export const RISK_CATEGORIES: readonly string[] = CATEGORIES.flatMap(({ labels }) => labels);

/** Those of an address's categories that are a risk. Null when nobody labelled it: nothing is known. */
export const riskTagsOf = (tags: readonly string[] | null): string[] | null =>
  tags === null ? null : tags.filter((tag) => RISK_CATEGORIES.includes(tag));
