/** What the verified pools of a token hold. */
export interface SellSide {
  /** Reserve of the token, in whole coins, of one constant-product curve that stands for all pools. */
  readonly reserve: number;
  /** USD that the pools can pay at most. */
  readonly payout_max_usd: number;
}

/** A price, and what stands behind it. */
export interface SellablePrice {
  readonly price_usd: number;
  /** Null for a reference coin and for an operator's price: nothing limits the amount that has this price. */
  readonly sells: SellSide | null;
}

/**
 * USD that the pools would pay for `amount` whole coins: along x * y = k, and never more than they hold. Pools of about
 * one price act like one pool with the sum of their reserves, over which a seller splits the amount.
 */
export const realizableUsd = ({ price_usd, sells }: SellablePrice, amount: number): number => {
  const spot = price_usd * amount;
  if (sells === null || amount <= 0) return spot;
  if (sells.reserve <= 0) return 0;
  return Math.min(sells.payout_max_usd, spot * (sells.reserve / (sells.reserve + amount)));
};
