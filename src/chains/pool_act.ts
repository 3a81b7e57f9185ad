import type { Bytes } from "../lib/bytes.ts";

/** Effect of one instruction on a pool of two tokens, if the chain itself states it and no log does. */
export interface PoolAct {
  /** The program that runs the pool; the counterpart of a venue's factory. */
  readonly program: Bytes;
  /** Common name of the program; null for an unknown one. */
  readonly name: string | null;
  /** Null for a trade of which only the two sides are known, not the pool. */
  readonly pool: Bytes | null;
  /** In the order of their bytes. The native coin has its wrapped form here. */
  readonly token0: Bytes;
  readonly token1: Bytes;
  /** The pool began here. */
  readonly is_new: boolean;
  readonly swap: PoolSwap | null;
  /** Shares of the pool that were minted or burnt. */
  readonly shares: PoolShares | null;
  /** Balances of the pool after the whole transaction; null if a later act of the same transaction has them. */
  readonly state: PoolHoldings | null;
}

export interface PoolSwap {
  /** Paid into the pool. */
  readonly caller: Bytes;
  /** Received from the pool. */
  readonly recipient: Bytes;
  /** The wallet behind the trade: the caller if it signed, else the fee payer. */
  readonly trader: Bytes;
  /** Change of the pool's balance: one above zero, the other below. */
  readonly amount0: bigint;
  readonly amount1: bigint;
  /** Paid by the caller and received by the recipient, fees of the program included: at least and at most the pool's. */
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
  /** Square root of the raw price of token0 in token1, times 2^96; 0 if unknown. */
  readonly sqrt_price_x96: bigint;
  /** Liquidity behind that price; 0 if unknown. */
  readonly liquidity: bigint;
}
