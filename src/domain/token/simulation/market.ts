import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { isPaidByHooks } from "../../valuation/prices/pool_family.ts";
import { NO_ADDRESS, type PoolKey } from "./pool_key.ts";

/** Markets where a trade can be simulated. */

/** A pool of a token against a coin with a known price. */
export interface SimulationMarket {
  readonly pool: Hex;
  readonly family: string;
  readonly token: Hex;
  readonly quote: Hex;
  /** For constant-product pools, whose state has no fee, 0: not known. For Uniswap v4: the fee of its key. */
  readonly fee_ppm: number;
  /** The contract that receives the sold coins: the pool, or the manager that holds it. */
  readonly payee: Hex;
  /** For Uniswap v4; null when unknown, and for all other pools. */
  readonly key: PoolKey | null;
  /** The pool's reserve of the quote, base units. */
  readonly depth_raw: bigint;
  /** The same in USD. */
  readonly depth_usd: number;
}

/** The state that every simulation uses. */
export interface SimulationState {
  readonly chain: Chain;
  readonly block: { readonly number: number; readonly time: number };
  readonly signal: AbortSignal;
  /** Omitted means unknown: transactions pay nothing then. */
  readonly conditions?: BlockConditions;
}

/** Conditions of the newest blocks, so that a simulated transaction looks like one of them. */
export interface BlockConditions {
  /** Base units of the native coin per unit of gas. */
  readonly gas_price: bigint;
  /** Receives the tips; null when unknown. */
  readonly producer: Hex | null;
}

/** Nodes fill in blocks of a simulation at this pace at least. */
const BLOCK_SECONDS_MIN = 12;

/** Whole seconds between simulated blocks. */
export const paceOf = ({ chain }: Pick<SimulationState, "chain">): number =>
  Math.max(BLOCK_SECONDS_MIN, Math.ceil(chain.network.block_seconds));

const V4 = "uniswap_v4";

/** How contracts/Simulator.sol trades in a pool of a family (its `Kind`); pools of other families are not simulated. */
export const KINDS: ReadonlyMap<string, bigint> = new Map([
  ["uniswap_v2", 0n],
  ["uniswap_v3", 1n],
  ["solidly", 2n],
  ["solidly_stable", 2n],
  [V4, 3n],
]);
const POOLS_MAX = 3;
/** USD of the quote in the pool. */
const DEPTH_USD_MIN = 500;
/**
 * Fractions of the depth to trade, to expose taxes and limits that depend on the amount: a seventh buys about a tenth of
 * the supply of a token of which the pool has most.
 */
const SIZES: readonly bigint[] = [1_000n, 100n, 7n];

/** Its hooks take part in every trade, and any account may have created it with any hooks. */
const hasHooks = ({ key }: SimulationMarket): boolean => key !== null && key.hooks !== NO_ADDRESS;

const isDeep = ({ depth_usd, depth_raw }: SimulationMarket): boolean => depth_usd >= DEPTH_USD_MIN && depth_raw > 0n;

/**
 * The pools that are worth a simulation: the deepest three against anchors, those with hooks after those without
 * (docs/design/risk.md). `anchors`: dollar coins and the wrapped coin.
 */
export const marketsToSimulate = (
  found: readonly SimulationMarket[],
  anchors: ReadonlySet<Hex>,
): readonly SimulationMarket[] =>
  found
    .filter(({ quote, family, key }) => anchors.has(quote) && KINDS.has(family) && (family !== V4 || key !== null))
    .filter(isDeep)
    .sort(
      (a, b) => Number(hasHooks(a)) - Number(hasHooks(b)) || b.depth_usd - a.depth_usd || (a.pool < b.pool ? -1 : 1),
    )
    .slice(0, POOLS_MAX);

/** True when pools might qualify if their hooks, or the reserves behind those, were known. */
export const hasUnknownHooks = (found: readonly SimulationMarket[], anchors: ReadonlySet<Hex>): boolean =>
  found
    .filter(({ quote }) => anchors.has(quote))
    .some((market) => isPaidByHooks(market.family) || (market.family === V4 && market.key === null && isDeep(market)));

/** Quote amounts of the simulations, smaller first. */
export const sizesOf = ({ depth_raw }: SimulationMarket): readonly bigint[] =>
  SIZES.map((part) => depth_raw / part).filter((size) => size > 0n);
