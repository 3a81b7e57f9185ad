import type { Relationship } from "./report.ts";

/** Both directions within this part of each other count as symmetrical. */
const SYMMETRY = 0.1;
const SYMMETRIC_USD_MIN = 100;
/** Two signals, and three. */
const CONFIDENCE = { 2: 0.7, 3: 0.85 } as const;

type Evidence = Relationship["evidence"];

/** What speaks for one owner of the wallet and another address. An empty list is no signal. */
export interface Signals {
  /** The other address paid to a deposit address that the wallet pays to. */
  readonly shared_deposit: Evidence;
  /** Both got their first coins from the same address on the same day. */
  readonly same_funder: Evidence;
  /** What the wallet received from it and paid to it; null without a transfer between them. */
  readonly flow: { readonly in_usd: number; readonly out_usd: number } | null;
  /** The transfers that `flow` begins with. */
  readonly contacts: Evidence;
}

const isSymmetric = ({ in_usd, out_usd }: { readonly in_usd: number; readonly out_usd: number }): boolean => {
  const larger = Math.max(in_usd, out_usd);
  return larger >= SYMMETRIC_USD_MIN && Math.abs(in_usd - out_usd) <= larger * SYMMETRY;
};

/** Confidence and evidence of one owner; null with fewer than two independent signals. */
export const sameOwnerSignals = (
  signals: Signals,
): { readonly confidence: number; readonly evidence: Evidence } | null => {
  const is_symmetric = signals.flow !== null && isSymmetric(signals.flow);
  const found = [signals.shared_deposit, signals.same_funder, is_symmetric ? signals.contacts : []].filter(
    ({ length }) => length > 0,
  );
  if (found.length < 2) return null;
  return { confidence: found.length === 2 ? CONFIDENCE[2] : CONFIDENCE[3], evidence: found.flat() };
};
