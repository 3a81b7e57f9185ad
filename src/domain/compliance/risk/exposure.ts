import type { Hex } from "../../../lib/bytes.ts";
import type { RiskCategory } from "./model.ts";
import type { CategoryExposure, ExposureDirection } from "./score.ts";
import type { Trail } from "./trace.ts";

/** The trails of one network, with the category of each source. */
export interface CategorisedTrails {
  readonly trails: readonly Trail[];
  readonly categories: ReadonlyMap<Hex, RiskCategory>;
}

/** Sums of trails by category, direction and distance, over all networks; in a fixed order. */
export const exposuresOf = (networks: readonly CategorisedTrails[]): readonly CategoryExposure[] => {
  const sums = new Map<string, { category: RiskCategory; direction: ExposureDirection; hops: number; usd: number }>();
  for (const { trails, categories } of networks) {
    for (const { direction, source, txs, usd } of trails) {
      const category = categories.get(source);
      if (category === undefined) continue;
      const hops = txs.length;
      const key = `${category}:${direction}:${hops}`;
      const known = sums.get(key);
      if (known === undefined) sums.set(key, { category, direction, hops, usd });
      else known.usd += usd;
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, exposure]) => exposure);
};
