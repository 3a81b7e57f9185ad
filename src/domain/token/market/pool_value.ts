/** The value of a pool's reserves, in USD. Pure. */

/** One side of a pool, in whole coins. `price_usd` null: no market prices it. */
export interface PoolSide {
  readonly amount: number;
  readonly price_usd: number | null;
}

/** A token and its counterpart in a pool. `mid`: price of one `own` in `other`; null when the pool has none. */
export interface PoolSides {
  readonly own: PoolSide;
  readonly other: PoolSide;
  readonly mid: number | null;
  /** If both sides have prices, the other's has the deeper market behind it. */
  readonly is_other_surer: boolean;
}

const worthOf = ({ amount, price_usd }: PoolSide): number | null => {
  if (amount === 0) return 0;
  return price_usd === null ? null : amount * price_usd;
};

/** Value of the second side of a pool by the first, at the pool's own price. `mid`: price of one `of` in `by`. */
const byPool = (by: PoolSide & { readonly worth: number }, of: PoolSide, mid: number): number => {
  const own = of.amount * mid * (by.price_usd ?? 0);
  return Math.min(own, Math.max(by.worth, worthOf(of) ?? 0));
};

/**
 * Value of both sides at the pool's own price: the side with the surer price converts it to USD. The second side counts
 * for at most the first one, and for at most its market value, so that a manipulated price cannot make a pool look
 * deep. A pool without a price counts at the prices of the hour. Null when no price is known.
 */
export const poolValueUsd = ({ own, other, mid, is_other_surer }: PoolSides): number | null => {
  const [ours, theirs] = [worthOf(own), worthOf(other)];
  const by_other = theirs !== null && other.price_usd !== null ? { ...other, worth: theirs } : null;
  const by_own = ours !== null && own.price_usd !== null ? { ...own, worth: ours } : null;
  if (mid === null || (by_other === null && by_own === null))
    return ours === null || theirs === null ? null : ours + theirs;
  if (by_other !== null && (is_other_surer || by_own === null)) return by_other.worth + byPool(by_other, own, mid);
  return by_own === null ? null : by_own.worth + byPool(by_own, other, 1 / mid);
};

/** Price of one `own` in USD by the pool; null without a price of the other side or of the pool. */
export const poolPriceUsd = ({ other, mid }: PoolSides): number | null =>
  mid === null || other.price_usd === null ? null : mid * other.price_usd;
