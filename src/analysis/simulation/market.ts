import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/bytes.ts";

/** Where a trade can be rehearsed (03, 3.6). */

/** A pool of a token against a coin whose price is known. */
export interface Market {
  readonly pool: Hex;
  readonly family: string;
  readonly token: Hex;
  readonly quote: Hex;
  /** Of constant-product pools, whose fee is not theirs to say; 0: not known. */
  readonly fee_ppm: number;
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

/** How contracts/Simulator.sol trades in a pool of a family (its `Kind`); a family that is missing is not rehearsed in. */
export const KINDS: ReadonlyMap<string, bigint> = new Map([
  ["uniswap_v2", 0n],
  ["uniswap_v3", 1n],
  ["solidly", 2n],
  ["solidly_stable", 2n],
]);
const POOLS_MAX = 3;
/** USD of the quote in the pool. */
const DEPTH_USD_MIN = 500;
/** Parts of the depth that are traded: two, to expose a tax that grows with the trade. */
const SIZES: readonly bigint[] = [1_000n, 100n];

/** The pools that are worth a rehearsal: the deepest three against anchors. `anchors`: dollar coins and the wrapped coin. */
export const marketsWorth = (found: readonly Market[], anchors: ReadonlySet<Hex>): readonly Market[] =>
  found
    .filter(({ quote, family }) => anchors.has(quote) && KINDS.has(family))
    .filter(({ depth_usd, depth_raw }) => depth_usd >= DEPTH_USD_MIN && depth_raw > 0n)
    .sort((a, b) => b.depth_usd - a.depth_usd || (a.pool < b.pool ? -1 : 1))
    .slice(0, POOLS_MAX);

/** Quote amounts of the rehearsals, smaller first. */
export const sizesOf = ({ depth_raw }: Market): readonly bigint[] =>
  SIZES.map((part) => depth_raw / part).filter((size) => size > 0n);
