/** Categories of the taxonomy (03, section 6) that speak against an address. */
export const RISK_CATEGORIES: readonly string[] = [
  "mixer",
  "gambling",
  "darknet",
  "scam",
  "phishing",
  "exploit",
  "ransomware",
  "sanctioned",
];

/** Those of an address's categories that are a risk. Null when nobody labelled it: nothing is known. */
export const riskTagsOf = (tags: readonly string[] | null): string[] | null =>
  tags === null ? null : tags.filter((tag) => RISK_CATEGORIES.includes(tag));
