import { POOL_EVENTS, POOL_FAMILIES, type PoolFamily } from "../knowledge/pool_families.gen.ts";
import type { PoolFamilyTraits } from "../knowledge/pool_family_row.ts";

const TRAITS: ReadonlyMap<string, PoolFamilyTraits> = new Map(POOL_FAMILIES.map((row) => [row.family, row]));

/** Undefined for a family that an older index named. */
export const traitsOf = (family: string): PoolFamilyTraits | undefined => TRAITS.get(family);

/** The family that a venue lists; each of its pools states its variant. */
export const plainFamily = (family: PoolFamily): PoolFamily => traitsOf(family)?.plain ?? family;

/** The pools of the family share one contract, which names them in its events. */
export const isManaged = (family: string): boolean => {
  const place = traitsOf(family)?.place;
  return place === "manager" || place === "manager_pairs";
};

const SHOWN: ReadonlyMap<string, string> = new Map(
  POOL_EVENTS.flatMap(({ id, shown }) => (shown === undefined ? [] : [[id, shown]])),
);

/** Name of the exchange of a pool without a known factory, by the layout of a trade; undefined for another layout. */
export const shownExchange = (layout: string): string | undefined => SHOWN.get(layout);
