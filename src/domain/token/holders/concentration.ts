import { percentOf } from "../../../lib/money.ts";

/** The distribution of a token over its holders. Pure. */

export type HolderType = "eoa" | "contract" | "lp_pool" | "locker" | "exchange" | "bridge" | "burn" | "issuer";

/** Holders that keep coins for others: the adjusted numerators leave them out. */
const CUSTODIANS: ReadonlySet<HolderType> = new Set(["lp_pool", "locker", "exchange", "bridge"]);

/** Number of holders that Gini and HHI cover. */
export const RANKED_HOLDERS_MAX = 1_000;

const HIGH_PERCENT = 50;
const MEDIUM_PERCENT = 30;

export interface RankedHolder {
  /** Base units, positive. */
  readonly amount: bigint;
  readonly type: HolderType;
}

interface HolderShares {
  readonly top1_percent: number;
  readonly top10_percent: number;
  readonly top50_percent: number;
  readonly top100_percent: number;
}

export interface Concentration {
  readonly all: HolderShares;
  /** The same without pools, lockers, exchanges and bridges in the numerator. */
  readonly adjusted: HolderShares;
  /** Over the ranked holders: 0 = all equal, 1 = one holds all. */
  readonly gini: number;
  /** Sum of squared shares of the base, 0..1. */
  readonly hhi: number;
  readonly flag: "high" | "medium" | null;
  readonly holders_ranked: number;
}

const ratio = (part: bigint, whole: bigint): number => (part === whole ? 1 : Number(part) / Number(whole));

const sharesOf = (amounts: readonly bigint[], base: bigint): HolderShares => {
  const top = (count: number): number => {
    const sum = amounts.slice(0, count).reduce((total, amount) => total + amount, 0n);
    return percentOf(sum, base);
  };
  return { top1_percent: top(1), top10_percent: top(10), top50_percent: top(50), top100_percent: top(100) };
};

/** G = (2 * sum of i * x_i) / (n * sum of x_i) - (n + 1) / n over amounts in ascending order, i from 1. */
const giniOf = (descending: readonly bigint[]): number => {
  const n = descending.length;
  const total = descending.reduce((sum, amount) => sum + amount, 0n);
  const weighted = descending.reduce((sum, amount, i) => sum + BigInt(n - i) * amount, 0n);
  return (2 * ratio(weighted, total)) / n - (n + 1) / n;
};

/**
 * Concentration of a token. `holders`: the largest ones, largest first, including burn addresses; at most
 * `RANKED_HOLDERS_MAX` count. `base`: total supply minus the burnt amount. Null when the base is zero.
 */
export const concentrationOf = (holders: readonly RankedHolder[], base: bigint): Concentration | null => {
  const ranked = holders.filter(({ type }) => type !== "burn").slice(0, RANKED_HOLDERS_MAX);
  if (base <= 0n || ranked.length === 0) return null;
  const amounts = ranked.map(({ amount }) => amount);
  const adjusted = sharesOf(
    ranked.filter(({ type }) => !CUSTODIANS.has(type)).map(({ amount }) => amount),
    base,
  );
  const { top10_percent } = adjusted;
  return {
    all: sharesOf(amounts, base),
    adjusted,
    gini: giniOf(amounts),
    hhi: amounts.reduce((sum, amount) => sum + ratio(amount, base) ** 2, 0),
    flag: top10_percent > HIGH_PERCENT ? "high" : top10_percent > MEDIUM_PERCENT ? "medium" : null,
    holders_ranked: ranked.length,
  };
};
