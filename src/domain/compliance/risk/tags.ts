import { CATEGORIES } from "./model.ts";

/** Categories of the taxonomy that speak against an address: those that the risk model weighs. */
export const RISK_CATEGORIES: readonly string[] = CATEGORIES.flatMap(({ labels }) => labels);

/** The risk categories among an address's categories. Null without labels: nothing is known. */
export const riskTagsOf = (tags: readonly string[] | null): string[] | null =>
  tags === null ? null : tags.filter((tag) => RISK_CATEGORIES.includes(tag));

/** Sanctions have lists of their own, and issuers' freezes are read from the chain. */
const ELSEWHERE: readonly string[] = ["sanctioned", "issuer_frozen"];

/** Risk categories that only labels name. */
export const NAMED_BY_LABELS: readonly string[] = RISK_CATEGORIES.filter((category) => !ELSEWHERE.includes(category));
