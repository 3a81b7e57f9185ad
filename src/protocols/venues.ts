import type { KnownPools } from "../knowledge/protocol_row.ts";
import { KNOWN_POOLS } from "../knowledge/protocols.gen.ts";
import type { Hex } from "../lib/bytes.ts";

/** A factory whose pools are known: one that `knowledge/protocols` lists, or the operator's own. */
export type Venue = Omit<KnownPools, "entity">;

/** The venues of one network by factory. `own` (from the configuration) wins over the list. */
export const venuesOf = (network: string, own: readonly Venue[] = []): ReadonlyMap<Hex, Venue> =>
  new Map([...KNOWN_POOLS, ...own].filter((venue) => venue.network === network).map((venue) => [venue.factory, venue]));
