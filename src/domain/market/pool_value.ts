/** What a pool holds, in USD. Pure. */

/** One side of a pool, in whole coins. `price_usd` null: no market prices it. */
export interface PoolSide {
  readonly amount: number;
  readonly price_usd: number | null;
}

/** A token and what it is traded against. `mid`: price of one `own` in `other`; null when the pool has none. */
export interface PoolSides {
  readonly own: PoolSide;
  readonly other: PoolSide;
  readonly mid: number | null;
}

const worthOf = ({ amount, price_usd }: PoolSide): number | null => {
  if (amount === 0) return 0;
  return price_usd === null ? null : amount * price_usd;
};

/**
 * Both sides together. A side without a price counts at the pool's own price, and never for more than the side that has
 * one: nobody makes a pool look deep with coins of his own making. Null when neither side has a price.
 */
export const poolValueUsd = ({ own, other, mid }: PoolSides): number | null => {
  const [ours, theirs] = [worthOf(own), worthOf(other)];
  if (ours !== null && theirs !== null) return ours + theirs;
  if (mid === null) return null;
  if (ours !== null && own.price_usd !== null) return ours + Math.min(ours, (other.amount * own.price_usd) / mid);
  if (theirs !== null && other.price_usd !== null) {
    return theirs + Math.min(theirs, own.amount * mid * other.price_usd);
  }
  return null;
};

/** What the pool says one `own` costs in USD; null without a price of the other side or of the pool. */
export const poolPriceUsd = ({ other, mid }: PoolSides): number | null =>
  mid === null || other.price_usd === null ? null : mid * other.price_usd;
