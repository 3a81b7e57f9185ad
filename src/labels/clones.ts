import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";

/** Categories that a contract has by what its code does. Whose it is follows from no code. */
export const CLONED_CATEGORIES: readonly string[] = [
  "dex",
  "lending",
  "bridge",
  "high_risk_bridge",
  "mixer",
  "launchpad",
  "derivatives",
];

/** A labelled contract of which a hash of its code is known. */
export interface LabelledCode {
  readonly address: Hex;
  readonly label: string;
  readonly category: string;
  /** Of its runtime code, or of the code that made it. */
  readonly hash: Hex;
  /** When the index saw it being created, unix seconds. */
  readonly time: number;
}

/** What is said of contracts with a code. */
export interface CodeClaim {
  /** The labelled contract that it is named after. */
  readonly like: LabelledCode;
  /** First second of the day from which on the code was known, unix seconds. */
  readonly day: number;
}

export const dayOf = (time: number): number => time - (time % DAY_S);

/**
 * Claims by hash, each named after the oldest contract with that code. None for a code under which contracts of several
 * categories run.
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
