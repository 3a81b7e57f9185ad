import { type Hex, sliceHex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { hasOwnAddress } from "../../valuation/prices/pool_family.ts";
import { inBatches } from "../../valuation/prices/pools.ts";
import { holdsWholeChain } from "../../window/whole_chain.ts";

interface ListedPool {
  readonly pool: Hex;
  readonly family: string;
  /** Null when no factory announced the pool: it was read from its contract. */
  readonly created_block: number | null;
}

const ADDRESS_BYTES = 20;

/** The contract of a pool; null for a part of another one. Ids of Curve and Balancer begin with it. */
const contractOf = ({ pool, family }: ListedPool): Hex | null =>
  hasOwnAddress(family) ? sliceHex(pool, 0, ADDRESS_BYTES) : null;

/**
 * Without the pools whose contracts were created after a past block: a pool that no factory announced has no block of its
 * own. Only an index of every creation shows them.
 */
export const existingPools = async <P extends ListedPool>(
  { facts, snapshot }: IndexedFacts,
  pools: readonly P[],
): Promise<readonly P[]> => {
  const { coverage, from_block, is_past } = snapshot;
  const has_creations = coverage.traces && holdsWholeChain({ complete: coverage.complete, from_block });
  if (is_past !== true || !has_creations) return pools;
  const contracts = pools.map((pool) => (pool.created_block === null ? contractOf(pool) : null));
  const wanted = [...new Set(contracts.flatMap((contract) => contract ?? []))];
  const created = await inBatches(wanted, (addresses) => facts.ask(snapshot, "creations_among", { addresses }));
  const known = new Set(created.map(({ address }) => address));
  return pools.filter((_, i) => {
    const contract = contracts[i] ?? null;
    return contract === null || known.has(contract);
  });
};
