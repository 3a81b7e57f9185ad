/** Verification levels of blocks, weakest first. */
export const VERIFIED = ["none", "receipts", "full"] as const;

/**
 * How much of a block was recomputed. `full`: every fact follows from the block hash, except data that no hash commits to
 * (docs/threat_model.md). `receipts`: the results of transactions (status, logs) follow from the block hash, not all of their
 * fields. `none`: only the links between blocks, and counts and duplicates within a block, were compared.
 */
export type VerificationLevel = (typeof VERIFIED)[number];

/** The weakest level of the blocks; `full` for an empty list. */
export const leastVerified = (all: readonly VerificationLevel[]): VerificationLevel =>
  VERIFIED.find((one) => all.includes(one)) ?? "full";
