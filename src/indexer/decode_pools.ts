import type { EventLog } from "../chains/chain.ts";
import { type Bytes, EMPTY, toHex } from "../lib/bytes.ts";
import { isPairOf } from "../protocols/curve.ts";
import type { Fact, PoolFact, PoolFamily } from "../protocols/protocol.ts";
import type { Venue } from "../protocols/venues.ts";
import type { BlockScope } from "./decode_scope.ts";

/** Families whose pools share one contract, which names them in its events. */
const SINGLETONS: ReadonlySet<string> = new Set<PoolFamily>(["uniswap_v4", "uniswap_v4_custom", "balancer_v2"]);

/** The pool of a log's event; null if an unlisted contract names a pool other than itself: any contract could. */
export const poolOf = ({ venues }: BlockScope, { address }: EventLog, found: Fact): Bytes | null => {
  if (found.fact === "pool" && !SINGLETONS.has(found.family)) return found.pool;
  if (!("pool" in found) || found.pool === undefined) return address;
  if (isPairOf(address, found.pool)) return found.pool;
  const listed = venues.get(toHex(address));
  return listed !== undefined && SINGLETONS.has(listed.family) ? found.pool : null;
};

/** A venue lists the plain family; each pool states its variant. */
export const plainFamily = (family: PoolFamily): PoolFamily => (family === "solidly_stable" ? "solidly" : family);

/** The fee of a venue holds for its plain pools. 0 = unknown. */
export const venueFee = (family: PoolFamily, venue: Venue | null): number =>
  venue === null || family !== plainFamily(family) ? 0 : (venue.fee_ppm ?? 0);

/**
 * Only the factory that a venue names may announce pools, and only of its own family. The native coin of a pool has its
 * wrapped form here, as everywhere in pricing.
 */
export const withVenue = ({ venues, wrapped_native }: BlockScope, factory: Bytes, { fact: _, ...pool }: PoolFact) => {
  const listed = venues.get(toHex(factory));
  const venue = listed?.family === plainFamily(pool.family) ? listed : null;
  const token0 = pool.token0.length === 0 ? (wrapped_native ?? EMPTY) : pool.token0;
  return { ...pool, token0, venue: venue?.venue ?? "", fee_ppm: pool.fee_ppm ?? venueFee(pool.family, venue) };
};
