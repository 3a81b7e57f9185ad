import type { Hex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import type { SnapshotContext } from "../../../context.ts";
import { readLiquidity } from "../../../token/market/liquidity.ts";
import { lockGapOf, lockUntilOf, type PoolShares, readPoolShares } from "../../../token/market/pool_shares.ts";
import type { PoolValue, TokenPool } from "../../../token/market/pools.ts";
import { metadataIn, metadataOf } from "../../../token/metadata/metadata.ts";
import type { SimulationMarket } from "../../../token/simulation/market.ts";
import { keyOf } from "../../../token/simulation/pool_key.ts";
import { isContract, isInSingleton, isShared } from "../../../valuation/prices/pool_family.ts";
import { type Price, pricesAt } from "../../../valuation/prices/price_now.ts";
import type { TokenPoolRow } from "./report.ts";

const POOLS_SHOWN = 10;

export interface TokenLiquidity {
  readonly total_usd: number | null;
  /** Why it is null. */
  readonly total_reason: string | null;
  /** Other pools, of unknown contents. */
  readonly unknown_pools: number;
  readonly rows: TokenPoolRow[];
  /** Largest first; pools of unknown value last. */
  readonly markets: readonly SimulationMarket[];
  readonly price: Price | null;
  /** Percent of the deepest pool's shares that an address holds; null without such a pool. */
  readonly deepestShareOf: (address: Hex) => number | null;
  /** Percent of the deepest pool's shares that cannot be withdrawn soon; null without such a pool. */
  readonly kept_percent: number | null;
  /** Why the end of a lock is unknown, when it is. */
  readonly lock_gap: string;
}

const rowOf = (
  { chain }: SnapshotContext,
  { at, liquidity_usd }: PoolValue,
  shares: PoolShares | null,
): TokenPoolRow => ({
  dex: at.pool.venue,
  address: chain.formatAddress(at.pool.pool),
  liquidity_usd,
  lp_locked_percent: shares?.locked_percent ?? null,
  lp_burned_percent: shares?.burned_percent ?? null,
  lock_until: lockUntilOf(shares),
  lp_holders: (shares?.holders ?? []).map((holder) => ({ ...holder, address: chain.formatAddress(holder.address) })),
});

/** A pool of unknown contents. */
const untoldMarket = (token: Hex, { pool, family, factory, other, fee_ppm }: TokenPool): SimulationMarket => ({
  ...{ pool, family, token, quote: other, fee_ppm, payee: factory },
  key: null,
  depth_raw: 0n,
  depth_usd: 0,
});

const marketOf = ({ chain }: SnapshotContext, token: Hex, { at, depth_usd }: PoolValue): SimulationMarket[] => {
  const { pool, family, factory, other, fee_ppm } = at.pool;
  const { wrapped_native } = chain.network;
  const key = isInSingleton(family) ? keyOf(at.pool, wrapped_native) : null;
  // Such a pool trades the native coin itself, not the token that wraps it.
  const is_another = key?.is_native === true && token === wrapped_native;
  if (depth_usd === null || is_another) return [];
  const payee = isContract(family) ? pool : factory;
  return [{ pool, family, token, quote: other, fee_ppm, payee, key, depth_raw: at.other, depth_usd }];
};

/** On a network that is read on demand: the pools that the node's factories name, largest first. */
const nodeMarkets = async (
  scope: SnapshotContext,
  asked: { readonly token: Hex; readonly at: number },
): Promise<readonly SimulationMarket[]> => {
  const { facts, snapshot, chain } = scope;
  const { token } = asked;
  // Without overrides no trade can be simulated.
  const pools = chain.can.overrides ? ((await facts.nodePools?.(snapshot.network, asked)) ?? []) : [];
  const quotes = [...new Set(pools.map(({ quote }) => quote))];
  const [prices, faces] = await Promise.all([
    pricesAt({ facts, network: chain.network, snapshot }, quotes),
    metadataOf(scope, quotes),
  ]);
  return pools
    .flatMap(({ quote_raw: depth_raw, ...pool }): SimulationMarket[] => {
      const [price, { decimals }] = [prices.get(pool.quote), metadataIn(faces, pool.quote)];
      if (price === undefined || decimals === null) return [];
      const depth_usd = (Number(depth_raw) / 10 ** decimals) * price.price_usd;
      return [{ ...pool, token, payee: pool.pool, key: null, depth_raw, depth_usd }];
    })
    .sort((a, b) => b.depth_usd - a.depth_usd || (a.pool < b.pool ? -1 : 1));
};

/** Pools of known factories, valued at the snapshot's block, largest first. `at`: block whose state the node has. */
export const readTokenLiquidity = async (
  scope: SnapshotContext,
  { token, at }: { readonly token: Hex; readonly at: number },
): Promise<TokenLiquidity> => {
  const read = (await readLiquidity(scope, [token])).get(token);
  if (read === undefined) throw new AssayError({ code: "BUG", message: "the query returned no row for a token" });
  const { values, found } = read;
  const shown = values.slice(0, POOLS_SHOWN).map(({ at: { pool } }) => pool);
  const known = await readPoolShares(
    scope,
    shown.filter(({ family }) => isShared(family)).map(({ pool }) => pool),
  );
  const shares = shown.map(({ pool }) => known.get(pool) ?? null);
  const deepest = shares[0] ?? null;
  return {
    total_usd: read.usd,
    total_reason: read.reason,
    unknown_pools: read.unknown_pools,
    rows: values.slice(0, POOLS_SHOWN).map((value, i) => rowOf(scope, value, shares[i] ?? null)),
    markets:
      scope.snapshot.followed === undefined
        ? [
            ...values.flatMap((value) => marketOf(scope, token, value)),
            ...found.paid_by_hooks.map((pool) => untoldMarket(token, pool)),
          ]
        : await nodeMarkets(scope, { token, at }),
    price: read.priceOf(token),
    deepestShareOf: (address) => deepest?.shareOf(address) ?? null,
    kept_percent: deepest === null ? null : deepest.burned_percent + deepest.locked_percent,
    lock_gap: lockGapOf(shares),
  };
};
