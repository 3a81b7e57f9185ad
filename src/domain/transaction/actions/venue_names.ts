import type { EventLog } from "../../../chains/chain.ts";
import { layoutOf } from "../../../protocols/index.ts";
import type { PoolTokens } from "./action.ts";

/** Name of a pool's venue by the layout of its events: layout prefix and name. */
const LAYOUTS: readonly (readonly [prefix: string, name: string])[] = [
  ["uniswap_v1", "Uniswap v1 or a fork"],
  ["uniswap_v2", "Uniswap v2 or a fork"],
  ["uniswap_v3", "Uniswap v3 or a fork"],
  ["pancake_v3", "PancakeSwap v3 or a fork"],
  ["uniswap_v4", "Uniswap v4 or a fork"],
  ["solidly", "Solidly or a fork"],
  ["balancer_v2", "Balancer v2 or a fork"],
  ["curve", "Curve or a fork"],
];

/** The venue whose factory announced a pool; without a known factory, the name of its event layout. */
export const venueName = (pool: PoolTokens | undefined, log: Pick<EventLog, "topics">): string | null => {
  if (pool !== undefined && pool.venue !== "") return pool.venue;
  const layout = layoutOf(log) ?? "";
  return LAYOUTS.find(([prefix]) => layout.startsWith(prefix))?.[1] ?? null;
};
