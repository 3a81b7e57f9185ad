import type { EventLog } from "../chains/chain.ts";
import type { PoolFamily } from "../knowledge/pool_families.gen.ts";
import { type Bytes, EMPTY, toHex } from "../lib/bytes.ts";
import { isPairOf } from "../protocols/curve.ts";
import { isManaged, plainFamily } from "../protocols/pool_families.ts";
import type { Fact, PoolFact } from "../protocols/protocol.ts";
import type { Venue } from "../protocols/venues.ts";
import type { BlockScope } from "./decode_scope.ts";

/** The pool of a log's event; null if an unlisted contract names a pool other than itself: any contract could. */
export const poolOf = ({ venues }: BlockScope, { address }: EventLog, found: Fact): Bytes | null => {
  if (found.fact === "pool" && !isManaged(found.family)) return found.pool;
  if (!("pool" in found) || found.pool === undefined) return address;
  if (isPairOf(address, found.pool)) return found.pool;
  const listed = venues.get(toHex(address));
  return listed !== undefined && isManaged(listed.family) ? found.pool : null;
};

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
