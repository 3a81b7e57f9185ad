import type { Hex } from "../../../lib/bytes.ts";
import type { RiskCategory } from "./model.ts";
import type { CategoryExposure } from "./score.ts";
import type { Trail } from "./trace.ts";

/** The trails of one network, with the category of each source. */
export interface CategorisedTrails {
  readonly trails: readonly Trail[];
  readonly categories: ReadonlyMap<Hex, RiskCategory>;
}

/** Sums of trails by category, direction, and whether they are direct or dust, over all networks; in a fixed order. */
export const exposuresOf = (networks: readonly CategorisedTrails[]): readonly CategoryExposure[] => {
  const sums = new Map<string, CategoryExposure & { usd: number }>();
  for (const { trails, categories } of networks) {
    for (const { direction, source, hops, usd, is_dust } of trails) {
      const category = categories.get(source);
      if (category === undefined) continue;
      const is_direct = hops === 1;
      const key = `${category}:${direction}:${is_direct}:${is_dust}`;
      const known = sums.get(key);
      if (known === undefined) sums.set(key, { category, direction, is_direct, is_dust, usd });
      else known.usd += usd;
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, exposure]) => exposure);
};
