import { isConcentrated } from "./pool_family.ts";
import { type PoolHour, type PoolPast, poolHourOf } from "./pool_hour.ts";
import type { PlacedState, RangeChange } from "./pool_states.ts";
import type { PricePool } from "./pools.ts";

/** Holdings and state of a pool, carried from hour to hour. */
export interface CarriedPool {
  readonly pool: PricePool;
  /** Null before its first state. */
  state: Omit<PlacedState, "pool" | "time"> | null;
  /** Liquidity that entered the range after that state. */
  entered: bigint;
  /** Balances of a concentrated pool, which its states do not report. */
  balance0: bigint;
  balance1: bigint;
  volume0: bigint;
  volume1: bigint;
  /** This hour and the one before, where the pool changed in them. */
  past: readonly PoolPast[];
  /** Market of this hour; null when the pool did not change in it. */
  market: Pick<PoolHour, "price" | "share"> | null;
  /** The pool in whole coins, as of the last change. */
  hour: PoolHour | null;
}

export const emptyPool = (pool: PricePool): CarriedPool => ({
  ...{ pool, state: null, entered: 0n, balance0: 0n, balance1: 0n, volume0: 0n, volume1: 0n },
  ...{ past: [], market: null, hour: null },
});

/** A trade reports all liquidity in range. */
export const setState = (entry: CarriedPool, state: NonNullable<CarriedPool["state"]>): void => {
  entry.state = state;
  entry.entered = 0n;
};

/** Counts a change after the last trade in a range that contains its price. */
export const addEntered = (entry: CarriedPool, change: RangeChange): void => {
  const { state } = entry;
  if (state === null || !isAfter(change, state)) return;
  if (change.tick_lower <= state.tick && state.tick < change.tick_upper)
    entry.entered += change.is_added ? change.liquidity : -change.liquidity;
};

const isAfter = (change: RangeChange, state: NonNullable<CarriedPool["state"]>): boolean =>
  change.block_number > state.state_block ||
  (change.block_number === state.state_block && change.log_index > state.state_log);

/** Without a state the depth behind its trades is unknown (Curve and Balancer report none): it gives no price. */
export const hourOfPool = ({ pool, state, market, entered, ...amounts }: CarriedPool): PoolHour | null => {
  if (state === null) return null;
  const liquidity = isConcentrated(pool.family) ? state.liquidity + entered : state.liquidity;
  return poolHourOf(pool, { ...state, liquidity: liquidity < 0n ? 0n : liquidity }, { amounts, market });
};
