/**
 * Lamports that an account of this size needs to be exempt from rent (solana-rent: 3480 a byte-year, two years, 128
 * bytes more).
 */
export const rentOf = (space: bigint): bigint => (128n + space) * 6_960n;

/** Only a wrapped SOL account that lives within one transaction needs it. */
export const TOKEN_ACCOUNT_RENT = rentOf(165n);
