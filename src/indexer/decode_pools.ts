import type { Log } from "../chains/chain.ts";
import { type Bytes, EMPTY, toHex } from "../lib/bytes.ts";
import { isPairOf } from "../protocols/curve.ts";
import type { Fact, PoolFact, PoolFamily } from "../protocols/protocol.ts";
import type { Venue } from "../protocols/venues.ts";
import type { BlockScope } from "./decode_scope.ts";

/** Families whose pools all live in one contract, which names them in its events. */
const SINGLETONS: ReadonlySet<string> = new Set<PoolFamily>(["uniswap_v4", "uniswap_v4_custom", "balancer_v2"]);

/** The pool a log speaks of; null where a contract that is not listed speaks of one that is not itself: anybody could. */
export const poolOf = ({ venues }: BlockScope, { address }: Log, found: Fact): Bytes | null => {
  if (found.fact === "pool" && !SINGLETONS.has(found.family)) return found.pool;
  if (!("pool" in found) || found.pool === undefined) return address;
  if (isPairOf(address, found.pool)) return found.pool;
  const listed = venues.get(toHex(address));
  return listed !== undefined && SINGLETONS.has(listed.family) ? found.pool : null;
};

/** A venue lists the plain family; what varies from pool to pool is told by each. */
export const plainFamily = (family: PoolFamily): PoolFamily => (family === "solidly_stable" ? "solidly" : family);

/** The fee of a venue holds for its plain pools. 0 = not known. */
export const venueFee = (family: PoolFamily, venue: Venue | null): number =>
  venue === null || family !== plainFamily(family) ? 0 : (venue.fee_ppm ?? 0);

/**
 * Only the factory that a venue names may speak for it, and only about its own family. The native coin of a pool is
 * its wrapped form here, as everywhere where prices are made.
 */
export const withVenue = ({ venues, wrapped_native }: BlockScope, factory: Bytes, { fact: _, ...pool }: PoolFact) => {
  const listed = venues.get(toHex(factory));
  const venue = listed?.family === plainFamily(pool.family) ? listed : null;
  const token0 = pool.token0.length === 0 ? (wrapped_native ?? EMPTY) : pool.token0;
  return { ...pool, token0, venue: venue?.venue ?? "", fee_ppm: pool.fee_ppm ?? venueFee(pool.family, venue) };
};
