import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Categories that follow from a contract's code. Its owner does not follow from any code. */
export const CLONED_CATEGORIES: readonly string[] = [
  "dex",
  "lending",
  "bridge",
  "high_risk_bridge",
  "mixer",
  "launchpad",
  "derivatives",
];

/** A labelled contract with the hash of its code. */
export interface LabelledCode {
  readonly address: Hex;
  readonly label: string;
  readonly category: string;
  /** Hash of its runtime code, or of its creation code. */
  readonly hash: Hex;
  /** Time of its creation in the index, unix seconds. */
  readonly time: number;
}

/** Categories of contracts with the same code. */
export interface CodeClaim {
  /** The labelled contract that the claim is named after. */
  readonly like: LabelledCode;
  /** First second of the day on which the code became known, unix seconds. */
  readonly day: number;
}

export const dayOf = (time: number): number => time - (time % DAY_S);

/**
 * Claims by hash, each named after the oldest contract with that code. A code shared by contracts of several categories
 * gives no claim.
 */
export const claimsOf = (codes: readonly LabelledCode[]): ReadonlyMap<Hex, CodeClaim> => {
  const byHash = new Map<Hex, LabelledCode[]>();
  for (const code of codes) byHash.set(code.hash, [...(byHash.get(code.hash) ?? []), code]);
  const claims = new Map<Hex, CodeClaim>();
  for (const [hash, same] of byHash) {
    const [like] = same.toSorted(
      (a, b) => a.time - b.time || (`${a.address}${a.label}` < `${b.address}${b.label}` ? -1 : 1),
    );
    const is_clear = new Set(same.map(({ category }) => category)).size === 1;
    if (like !== undefined && is_clear) claims.set(hash, { like, day: dayOf(like.time) });
  }
  return claims;
};
