/** What can be said of how well blocks were checked, the least first. */
export const VERIFIED = ["none", "receipts", "full"] as const;

/**
 * What was recomputed of a block. `full`: every fact of it follows from its hash, but for what nothing commits to
 * (docs/threat_model.md). `receipts`: what its transactions did (status, logs) follows from its hash, not all of what they
 * are. `none`: only the links between blocks, and counts and repetitions within one, were compared.
 */
export type Verified = (typeof VERIFIED)[number];

/** What is true of all of them; `full` of none. */
export const leastVerified = (all: readonly Verified[]): Verified =>
  VERIFIED.find((one) => all.includes(one)) ?? "full";
