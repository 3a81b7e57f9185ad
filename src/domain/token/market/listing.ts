/** Lists of a network's market: tokens whose price changed most, and new pools. */
import type { Hex } from "../../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";

interface MarketListPage {
  readonly window_s: number;
  readonly limit: number;
  readonly offset: number;
}

interface MoversQuery extends MarketListPage {
  readonly are_gainers: boolean;
  readonly depth_usd_min: number;
}

/** A page of a list; one more row than the page decides whether there is a next one. */
interface ListedRows<R> {
  readonly rows: readonly R[];
  readonly has_more: boolean;
}

const pageOf = <R>(found: readonly R[], limit: number): ListedRows<R> => ({
  rows: found.slice(0, limit),
  has_more: found.length > limit,
});

/** Between whole hours: the hour that is not over has no stored price. */
export const readMovers = async (
  { facts, snapshot }: SnapshotContext,
  { window_s, limit, offset, are_gainers, depth_usd_min }: MoversQuery,
): Promise<ListedRows<QueryRow<"market/price_changes">>> => {
  const until = Math.max(0, hourOf(snapshot.block.time) - HOUR_S);
  const direction = are_gainers ? 1 : -1;
  const asked = { until, window_s, direction, depth_usd_min, limit: limit + 1, offset };
  return pageOf(await facts.ask(snapshot, "market/price_changes", asked), limit);
};

export const readNewPools = async (
  { facts, snapshot }: SnapshotContext,
  { window_s, limit, offset }: MarketListPage,
): Promise<ListedRows<QueryRow<"market/announced_pools">>> => {
  const since = Math.max(0, snapshot.block.time - window_s);
  return pageOf(await facts.ask(snapshot, "market/announced_pools", { since, limit: limit + 1, offset }), limit);
};

/** The token that a pool brings to the market: the one that is no dollar coin and not the wrapped native coin; null if both are. */
export const broughtToken = (
  { chain }: Pick<SnapshotContext, "chain">,
  { token0, token1 }: { readonly token0: Hex; readonly token1: Hex },
): Hex | null => {
  const { stablecoins, wrapped_native } = chain.network;
  const isKnown = (token: Hex): boolean =>
    token === wrapped_native || stablecoins.some(({ address }) => address === token);
  return [token0, token1].find((token) => !isKnown(token)) ?? null;
};
