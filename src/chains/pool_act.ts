import type { Bytes } from "../lib/bytes.ts";

/** What one instruction did to a pool of two tokens, where the chain itself says it and no log does. */
export interface PoolAct {
  /** Runs the pool; what a venue calls its factory. */
  readonly program: Bytes;
  /** What people call the program; null for one that we do not know. */
  readonly name: string | null;
  /** Null for a trade of which only its two sides are known, not the pool that it was made with. */
  readonly pool: Bytes | null;
  /** In the order of their bytes. The native coin stands under its wrapped form. */
  readonly token0: Bytes;
  readonly token1: Bytes;
  /** The pool began here. */
  readonly is_new: boolean;
  readonly swap: PoolSwap | null;
  /** Shares of the pool that were made or burnt for somebody. */
  readonly shares: PoolShares | null;
  /** What the pool holds after the whole transaction; null when a later act of the same transaction tells it. */
  readonly state: PoolHoldings | null;
}

export interface PoolSwap {
  /** Paid into the pool. */
  readonly caller: Bytes;
  /** Was paid out of it. */
  readonly recipient: Bytes;
  /** The wallet that wanted the trade: the caller when it signed, else who paid the fee. */
  readonly trader: Bytes;
  /** Change of what the pool holds: one above zero, the other below. */
  readonly amount0: bigint;
  readonly amount1: bigint;
  /** What the trade cost the caller and brought the recipient, fees of the program included: no less and no more than the pool's. */
  readonly given: bigint;
  readonly received: bigint;
}

export interface PoolShares {
  readonly token: Bytes;
  readonly holder: Bytes;
  /** Base units; below zero for burnt ones. */
  readonly amount: bigint;
}

export interface PoolHoldings {
  /** Base units. */
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  /** Square root of the raw price of token0 in token1, times 2^96; 0 where nobody says it. */
  readonly sqrt_price_x96: bigint;
  /** Liquidity behind that price; 0 where nobody says it. */
  readonly liquidity: bigint;
}
