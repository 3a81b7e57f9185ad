import type { EventLog } from "../../../chains/chain.ts";
import { layoutOf } from "../../../protocols/index.ts";
import { shownExchange } from "../../../protocols/pool_families.ts";
import type { PoolTokens } from "./action.ts";

/** Names of exchanges whose pools no row of `knowledge/pool_families.yaml` describes: layout prefix and name. */
const LAYOUTS: readonly (readonly [prefix: string, name: string])[] = [
  ["uniswap_v1", "Uniswap v1 or a fork"],
  ["curve", "Curve or a fork"],
];

/** The venue whose factory announced a pool; without a known factory, the name of its event layout. */
export const venueName = (pool: PoolTokens | undefined, log: Pick<EventLog, "topics">): string | null => {
  if (pool !== undefined && pool.venue !== "") return pool.venue;
  const layout = layoutOf(log) ?? "";
  return shownExchange(layout) ?? LAYOUTS.find(([prefix]) => layout.startsWith(prefix))?.[1] ?? null;
};
