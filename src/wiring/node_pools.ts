/** Pools of a token on a network that is read on demand: factories name them, and the node has their balances. */
import type { Chain } from "../chains/chain.ts";
import { anchorsOf } from "../domain/valuation/prices/pools.ts";
import { pairsOf, readFactoryPools } from "../indexer/demanded/pool_reads.ts";
import type { Hex } from "../lib/bytes.ts";
import { type Venue, venuesOf } from "../protocols/venues.ts";
import type { NodePool } from "../store/facts.ts";

interface NodePoolsParts {
  readonly chain: Pick<Chain, "call" | "network" | "tokenBalances">;
  /** The operator's own. */
  readonly venues: readonly Venue[];
}

/**
 * The pools of known factories between the token, and each dollar coin and the wrapped native coin, after a block. A pool that its factory
 * does not find by these two tokens (a singleton's, one with a strange fee) is not among them.
 * @throws AssayError UPSTREAM_UNAVAILABLE
 */
export const readNodePools = async (
  { chain, venues }: NodePoolsParts,
  { token, at }: { readonly token: Hex; readonly at: number },
  signal: AbortSignal,
): Promise<readonly NodePool[]> => {
  const { network } = chain;
  const quotes = [...anchorsOf(network), ...(network.wrapped_native === null ? [] : [network.wrapped_native])];
  const pairs = pairsOf([token], quotes);
  if (pairs.length === 0) return [];
  const found = await Promise.all(
    [...venuesOf(network.id, venues).values()].map(async (venue) => {
      const { pools } = await readFactoryPools(chain, { venues: [venue], pairs, at }, signal);
      return pools.flat().map(({ pool, family, token0, token1 }) => ({
        ...{ pool, family, quote: token0 === token ? token1 : token0 },
        fee_ppm: family === venue.family ? (venue.fee_ppm ?? 0) : 0,
      }));
    }),
  );
  const pools = found.flat();
  const held = pools.map(({ pool, quote }) => ({ token: quote, holder: pool }));
  const balances = held.length === 0 ? [] : await chain.tokenBalances(held, signal, at);
  return pools.map((pool, i) => ({ ...pool, quote_raw: balances[i] ?? 0n }));
};
