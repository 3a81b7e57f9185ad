import { EMPTY, fromHex, type Hex, hex, keccak256, toHex } from "../../../lib/bytes.ts";
import { wordOf } from "../../abi.ts";

/** The name of a pool in a Uniswap v4 manager: a key whose hash is its id (v4-core PoolKey.sol, PoolId.sol). */

export const NO_ADDRESS = hex("0".repeat(40));

/** Parts of the key that the market itself does not contain. */
export interface PoolKey {
  /** The first coin is the native one, which the facts store as its wrapped form. */
  readonly is_native: boolean;
  readonly tick_spacing: number;
  /** The zero address: none. */
  readonly hooks: Hex;
}

/** A pool as the index knows it. Addresses as hex; `hooks` '': none, or not known. */
export interface KnownPool {
  readonly pool: Hex;
  readonly token0: Hex;
  readonly token1: Hex;
  readonly fee_ppm: number;
  readonly tick_spacing: number;
  readonly hooks: Hex;
}

const WORD_BITS = 256;

const idOf = (pool: KnownPool, { is_native, tick_spacing, hooks }: PoolKey): Hex => {
  const key = [
    wordOf(is_native ? NO_ADDRESS : pool.token0),
    wordOf(pool.token1),
    wordOf(BigInt(pool.fee_ppm)),
    wordOf(BigInt.asUintN(WORD_BITS, BigInt(tick_spacing))),
    wordOf(hooks),
  ].join("");
  return toHex(keccak256(fromHex(key) ?? EMPTY));
};

/** The one key whose hash is the pool's id; null when the known details are incomplete. */
export const keyOf = (pool: KnownPool, wrapped_native: Hex | null): PoolKey | null => {
  const { tick_spacing } = pool;
  const hooks = pool.hooks === "" ? NO_ADDRESS : pool.hooks;
  const forms = pool.token0 === wrapped_native ? [true, false] : [false];
  return (
    forms.map((is_native) => ({ is_native, tick_spacing, hooks })).find((key) => idOf(pool, key) === pool.pool) ?? null
  );
};
