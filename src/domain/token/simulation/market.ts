import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { isPaidByHooks } from "../../valuation/prices/pool_family.ts";
import { NO_ADDRESS, type PoolKey } from "./pool_key.ts";

/** Where a trade can be rehearsed. */

/** A pool of a token against a coin whose price is known. */
export interface Market {
  readonly pool: Hex;
  readonly family: string;
  readonly token: Hex;
  readonly quote: Hex;
  /** Of constant-product pools, whose fee is not theirs to say, 0: not known. Of Uniswap v4: as its key says. */
  readonly fee_ppm: number;
  /** The contract that gets what is sold: the pool, or the manager it lies in. */
  readonly payee: Hex;
  /** Of Uniswap v4; null where it is not known, and of all others. */
  readonly key: PoolKey | null;
  /** What the pool holds of the quote, base units. */
  readonly depth_raw: bigint;
  /** The same in USD. */
  readonly depth_usd: number;
}

/** The state that everything is rehearsed on. */
export interface Ground {
  readonly chain: Chain;
  readonly block: { readonly number: number; readonly time: number };
  readonly signal: AbortSignal;
}

const V4 = "uniswap_v4";

/** How contracts/Simulator.sol trades in a pool of a family (its `Kind`); a family that is missing is not rehearsed in. */
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
/** Parts of the depth that are traded: two, to expose a tax that grows with the trade. */
const SIZES: readonly bigint[] = [1_000n, 100n];

/** Its hooks have a say in every trade, and anybody may have made it with any. */
const hasHooks = ({ key }: Market): boolean => key !== null && key.hooks !== NO_ADDRESS;

const isDeep = ({ depth_usd, depth_raw }: Market): boolean => depth_usd >= DEPTH_USD_MIN && depth_raw > 0n;

/**
 * The pools that are worth a rehearsal: the deepest three against anchors, those with hooks after those without
 * (docs/design/risk.md). `anchors`: dollar coins and the wrapped coin.
 */
export const marketsWorth = (found: readonly Market[], anchors: ReadonlySet<Hex>): readonly Market[] =>
  found
    .filter(({ quote, family, key }) => anchors.has(quote) && KINDS.has(family) && (family !== V4 || key !== null))
    .filter(isDeep)
    .sort(
      (a, b) => Number(hasHooks(a)) - Number(hasHooks(b)) || b.depth_usd - a.depth_usd || (a.pool < b.pool ? -1 : 1),
    )
    .slice(0, POOLS_MAX);

/** There are pools that could be worth it, if it were known which hooks they have, or what those leave in them. */
export const hasUnknownHooks = (found: readonly Market[], anchors: ReadonlySet<Hex>): boolean =>
  found
    .filter(({ quote }) => anchors.has(quote))
    .some((market) => isPaidByHooks(market.family) || (market.family === V4 && market.key === null && isDeep(market)));

/** Quote amounts of the rehearsals, smaller first. */
export const sizesOf = ({ depth_raw }: Market): readonly bigint[] =>
  SIZES.map((part) => depth_raw / part).filter((size) => size > 0n);
