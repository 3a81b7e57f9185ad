import type { RiskCategory } from "./model.ts";
import type { CategoryExposure } from "./score.ts";
import type { Trail } from "./trace.ts";

/** A trail with the category of its source; null: it counts as no risk. */
interface CategorisedTrail {
  readonly trail: Trail;
  readonly category: RiskCategory | null;
}

/** Sums of trails by category, direction, and whether they are direct or dust, over all networks; in a fixed order. */
export const exposuresOf = (trails: readonly CategorisedTrail[]): readonly CategoryExposure[] => {
  const sums = new Map<string, CategoryExposure & { usd: number }>();
  for (const { trail, category } of trails) {
    const { direction, hops, usd, is_dust } = trail;
    if (category === null) continue;
    const is_direct = hops === 1;
    const key = `${category}:${direction}:${is_direct}:${is_dust}`;
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { category, direction, is_direct, is_dust, usd });
    else known.usd += usd;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, exposure]) => exposure);
};
