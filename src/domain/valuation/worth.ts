/**
 * Worth of an amount of a token: the verified pools would pay so much for it, never more than price times amount.
 * The fragment store/fragments/worth_usd.sql is the same formula for queries.
 */
import { toAmount } from "../../lib/money.ts";

/** Reserve of a token in its verified pools, in whole coins, and the USD that they can pay at most. */
export interface SaleDepth {
  readonly reserve: number;
  readonly payout_max_usd: number;
}

/** A price with what can be sold at it. */
export interface SalePrice {
  readonly price_usd: number;
  /** Null: not limited, as a reference coin or an operator's price. */
  readonly sells: SaleDepth | null;
}

/** `low_liquidity`: the pools pay less than price times amount. `not_sellable`: they pay nothing. */
export type WorthLimit = "low_liquidity" | "not_sellable";

export interface AmountWorth {
  /** USD that the pools pay. */
  readonly value_usd: number;
  /** Price times amount. */
  readonly spot_value_usd: number;
  /** Null: both are equal. */
  readonly limit: WorthLimit | null;
}

/** A sale that keeps at least this part of price times amount counts in full: prices are no more exact than that. */
const KEPT_SHARE_MIN = 0.99;

/** Products of invented amounts and prices may overflow a double; JSON knows no infinity. */
const finite = (usd: number): number => Math.min(usd, Number.MAX_VALUE);

/**
 * USD that pools with this depth pay for an amount, as one constant product: each further coin gets less, and all coins
 * of the world together get the payout. `amount` and `reserve` have the same unit.
 */
const paidFor = (amount: number, unit_usd: number, { reserve, payout_max_usd }: SaleDepth): number => {
  if (reserve <= 0 || payout_max_usd <= 0) return 0;
  // The share is at most 1, and 1 for an amount that overflows.
  const share = amount === Number.POSITIVE_INFINITY ? 1 : amount / (reserve + amount);
  return Math.min(payout_max_usd, finite(unit_usd * reserve) * share);
};

/**
 * Worth of a positive amount in any unit, as a number, without the reason. This runs for every movement of a wallet,
 * so it allocates nothing. `unit_usd` and `sells.reserve` refer to the unit of `amount`.
 */
export const worthOfUnits = (amount: number, unit_usd: number, sells: SaleDepth | null): number => {
  if (amount === 0 || unit_usd === 0) return 0;
  const spot_usd = finite(amount * unit_usd);
  if (sells === null) return spot_usd;
  const paid_usd = paidFor(amount, unit_usd, sells);
  return paid_usd >= spot_usd * KEPT_SHARE_MIN ? spot_usd : paid_usd;
};

/** Worth of an amount in whole coins. A debt (a negative amount) has the negative worth of a holding. */
export const worthOf = ({ price_usd, sells }: SalePrice, amount: number): AmountWorth => {
  const sign = amount < 0 ? -1 : 1;
  const size = Math.abs(amount);
  const value_usd = worthOfUnits(size, price_usd, sells);
  const spot_value_usd = size === 0 || price_usd === 0 ? 0 : finite(size * price_usd);
  const limit = value_usd === spot_value_usd ? null : value_usd === 0 ? "not_sellable" : "low_liquidity";
  return { value_usd: value_usd === 0 ? 0 : sign * value_usd, spot_value_usd: sign * spot_value_usd, limit };
};

/**
 * Worth of a sum of movements of which only the number is known: as many movements of their mean size. By the shape of
 * the curve they are worth at least as much as the real ones, and no more than price times amount.
 */
export const worthOfMovements = (price: SalePrice, amount: number, count: number): number => {
  const whole = worthOf(price, amount);
  if (whole.limit === null || count <= 1) return whole.value_usd;
  const mean = worthOf(price, amount / count);
  return mean.limit === null ? whole.spot_value_usd : mean.value_usd * count;
};

/** Worth of base units; null when the price is unknown. */
export const worthOfRaw = (raw: bigint, decimals: number, price: SalePrice | null | undefined): AmountWorth | null =>
  price === null || price === undefined ? null : worthOf(price, toAmount(raw, decimals));

/** `value_usd` of base units; null when the price is unknown. */
export const usdOf = (raw: bigint, decimals: number, price: SalePrice | null | undefined): number | null =>
  worthOfRaw(raw, decimals, price)?.value_usd ?? null;

/** A depth from the table of prices; a negative reserve means that the price is not limited. */
export const storedDepth = (reserve: number, payout_max_usd: number): SaleDepth | null =>
  reserve < 0 ? null : { reserve, payout_max_usd };

/** A price and its depth in base units as the columns of a query; -1 means that the price is not limited. */
export const unitColumns = ({ price_usd, sells }: SalePrice, decimals: number) => {
  const depth = unitDepth(sells, decimals);
  return { unit: price_usd / 10 ** decimals, reserve: depth?.reserve ?? -1, payout_usd: depth?.payout_max_usd ?? -1 };
};

/** The depth in base units, for amounts that are not converted to whole coins. */
export const unitDepth = (sells: SaleDepth | null | undefined, decimals: number): SaleDepth | null =>
  sells === null || sells === undefined
    ? null
    : { reserve: sells.reserve * 10 ** decimals, payout_max_usd: sells.payout_max_usd };
