import type { Relationship } from "./report.ts";

/** Volumes of both directions count as symmetrical when they differ by at most this share. */
const SYMMETRY = 0.1;
const SYMMETRIC_USD_MIN = 100;
/** Confidence with two and with three signals. */
const CONFIDENCE = { 2: 0.7, 3: 0.85 } as const;

type OwnerEvidence = Relationship["evidence"];

/** Evidence that one owner controls the wallet and another address. An empty list is no signal. */
export interface OwnerSignals {
  /** The other address paid to a deposit address that the wallet pays to. */
  readonly shared_deposit: OwnerEvidence;
  /** Both received their first coins from the same address on the same day. */
  readonly same_funder: OwnerEvidence;
  /** USD received from the other address and paid to it; null without a transfer between the two. */
  readonly flow: { readonly in_usd: number; readonly out_usd: number } | null;
  /** The first transfers of `flow`. */
  readonly contacts: OwnerEvidence;
}

const isSymmetric = ({ in_usd, out_usd }: { readonly in_usd: number; readonly out_usd: number }): boolean => {
  const larger = Math.max(in_usd, out_usd);
  return larger >= SYMMETRIC_USD_MIN && Math.abs(in_usd - out_usd) <= larger * SYMMETRY;
};

/** Confidence and evidence of a common owner; null with fewer than two independent signals. */
export const sameOwnerSignals = (
  signals: OwnerSignals,
): { readonly confidence: number; readonly evidence: OwnerEvidence } | null => {
  const is_symmetric = signals.flow !== null && isSymmetric(signals.flow);
  const found = [signals.shared_deposit, signals.same_funder, is_symmetric ? signals.contacts : []].filter(
    ({ length }) => length > 0,
  );
  if (found.length < 2) return null;
  return { confidence: found.length === 2 ? CONFIDENCE[2] : CONFIDENCE[3], evidence: found.flat() };
};
