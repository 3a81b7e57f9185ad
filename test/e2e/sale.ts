import type { Truth, TruthPool } from "./truth.ts";

interface TruthSale {
  /** Raw units of `base`. */
  readonly amount: number;
  /** Raw units of `quote` per raw unit of `base`. */
  readonly price: number;
  /** The pools count as they are at the end of this hour. Unix seconds. */
  readonly hour: number;
}

/**
 * Raw units of the quoted token that pools pay for an amount, read from the node: one constant product over the reserves
 * on their curves, at most what they hold; price times amount where that loses less than 1 %.
 */
export const paidBy = async (
  truth: Truth,
  pools: readonly TruthPool[],
  { amount, price, hour }: TruthSale,
): Promise<number> => {
  const block = truth.blockAt(hour + 3_599);
  const states = await Promise.all(pools.map((pool) => truth.poolState(pool, block)));
  const own = states.reduce((sum, state) => sum + (state === null ? 0 : state.reserve / state.ratio), 0);
  const held = await Promise.all(pools.map(({ quote, pool }) => truth.balance(quote, pool, block)));
  const limit = held.reduce((sum, units) => sum + Number(units), 0);
  const paid = Math.min(limit, (price * own * amount) / (own + amount));
  return paid >= 0.99 * price * amount ? price * amount : paid;
};
