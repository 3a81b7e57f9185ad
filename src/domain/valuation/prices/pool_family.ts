import { traitsOf } from "../../../protocols/pool_families.ts";
import { midOfReserves, midOfSqrt } from "./quotes.ts";

/** State of a pool after an event, from the event itself. */
export interface PoolState {
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly sqrt_price_x96: bigint;
  readonly liquidity: bigint;
}

const priceOf = (family: string) => traitsOf(family)?.price;
const placeOf = (family: string) => traitsOf(family)?.place;

/**
 * The chain reports the contents of the pool's vaults: there is no contract to call, and no share token at its address.
 */
const isVault = (family: string): boolean => placeOf(family) === "chain";

/** Liquidity is in ranges of ticks: the state has a price, but not the pool's holdings. */
export const isConcentrated = (family: string): boolean => priceOf(family) === "square_root" && !isVault(family);

/** All pools share one contract: the holdings of one are no address's balance. */
export const isInSingleton = (family: string): boolean => isConcentrated(family) && placeOf(family) === "manager";

/**
 * Its events report amounts moved but never its holdings: it has no state, gives no price, and its value is unknown.
 */
export const isUnreported = (family: string): boolean => priceOf(family) === "none";

/**
 * Its hooks change the payout of a swap: its events report neither its price nor its holdings, and no known venue
 * operates it.
 */
export const isPaidByHooks = (family: string): boolean => priceOf(family) === "hooks";

/** The pool is a token itself: liquidity providers get shares that can be sent, burned and locked. */
export const isShared = (family: string): boolean => placeOf(family) === "share_token";

/** The pool is a contract that can receive tokens and be called; otherwise its id names a part of one. */
export const isContract = (family: string): boolean => isShared(family) || placeOf(family) === "contract";

/** The pool's id begins with the address of a contract that holds its tokens or names its pairs. */
export const hasOwnAddress = (family: string): boolean =>
  isContract(family) || placeOf(family) === "contract_pairs" || placeOf(family) === "manager_pairs";

/** x * y = k: price and price impact follow from the reserves alone. */
export const isConstantProduct = (family: string): boolean => priceOf(family) === "product";

/**
 * Price of token0 in token1 where x^3*y + y^3*x is constant (aerodrome-finance/contracts Pool.sol): the ratio of the
 * curve's slopes at the reserves. `ratio`: reserve of token1 per token0, in whole coins.
 */
const stablePrice = (ratio: number): number => (3 * ratio + ratio ** 3) / (1 + 3 * ratio * ratio);

/** The same from the raw ratio that a pool's events state: of its reserves, or the squared root of its price. */
export const midOfRatio = (
  family: string,
  ratio: number,
  { decimals0, decimals1 }: { readonly decimals0: number; readonly decimals1: number },
): number | null => {
  const whole = ratio * 10 ** (decimals0 - decimals1);
  const price = priceOf(family) === "stable" ? stablePrice(whole) : whole;
  return Number.isFinite(price) && price > 0 ? price : null;
};

/** Price of token0 in token1, whole coins; null without a price. */
export const midOfPool = (
  family: string,
  state: PoolState,
  { decimals0, decimals1 }: { readonly decimals0: number; readonly decimals1: number },
): number | null => {
  if (priceOf(family) === "stable") {
    if (state.reserve0 === 0n || state.reserve1 === 0n) return null;
    return midOfRatio(family, Number(state.reserve1) / Number(state.reserve0), { decimals0, decimals1 });
  }
  return (priceOf(family) === "square_root" ? midOfSqrt : midOfReserves)(state, decimals0, decimals1);
};

/** Base units of a sum of doubles; a negative rounding rest is 0. */
export const unitsOf = (amount: number): bigint => (amount > 0 ? BigInt(Math.round(amount)) : 0n);
