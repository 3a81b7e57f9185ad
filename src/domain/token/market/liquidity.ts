import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import { tradedToken } from "../../aliases.ts";
import type { SnapshotContext } from "../../context.ts";
import { type Price, priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../metadata/metadata.ts";
import {
  byValue,
  type PoolAtBlock,
  type PoolsOfToken,
  type PoolsQuery,
  type PoolValue,
  type Quotes,
  readPoolsAtEach,
  readPoolsOf,
  type TokenPool,
  unreportedCount,
  valuedAt,
} from "./pools.ts";

/** Contents of a token's verified pools: `liquidity_usd` of every answer. */

export interface ValuedPools {
  /** Largest first, unknown last. */
  readonly values: readonly PoolValue[];
  readonly quotes: Quotes;
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  /** Price of a token in the hour of the valuation; null without one. */
  readonly priceOf: (token: Hex) => Price | null;
}

/** `liquidity_usd`, or the reason why it is null. Exactly one of them is set. */
export interface Liquidity {
  /** Both sides of every verified pool; 0 when the token is known to have none. */
  readonly usd: number | null;
  readonly reason: string | null;
}

export interface TokenLiquidity extends ValuedPools, Liquidity {
  readonly found: PoolsOfToken;
  /** Number of pools of unknown contents. */
  readonly unknown_pools: number;
}

const NO_VALUE = "no pool has known contents at a known price";
const NO_HISTORY = "no pool was found, and the index does not cover the whole history";
const POOLS_UNREAD = "the network is read on demand, and its pools are not read";

/** Pools at a moment, at their own prices, anchored in the prices of its hour. */
export const valuePools = async (
  scope: SnapshotContext,
  pools: readonly TokenPool[],
  asked: { readonly standing: Promise<readonly PoolAtBlock[]>; readonly time: number; readonly tokens: readonly Hex[] },
): Promise<ValuedPools> => {
  const { facts, snapshot, chain } = scope;
  const hour = hourOf(asked.time);
  const tokens = [...new Set([...asked.tokens, ...pools.flatMap(({ token0, token1 }) => [token0, token1])])];
  const [at, faces, prices] = await Promise.all([
    asked.standing,
    metadataOf(scope, tokens),
    pricesAtHours(
      { facts, network: chain.network, snapshot },
      tokens.map((token) => ({ token, hour })),
    ),
  ]);
  const priceOf = (token: Hex): Price | null => prices.get(priceKey(token, hour)) ?? null;
  const quotes: Quotes = {
    decimalsOf: (token) => metadataIn(faces, token).decimals,
    usdOf: (token) => priceOf(token)?.price_usd ?? null,
    depthOf: (token) => {
      const price = priceOf(token);
      return price?.method === "anchor" ? Number.POSITIVE_INFINITY : (price?.depth_usd ?? 0);
    },
  };
  return { values: at.map((pool) => valuedAt(pool, quotes)).sort(byValue), quotes, faces, priceOf };
};

/**
 * The sum over valued pools; pools without a value are left out if another one has one. `pools`: all pools that were
 * valued or tried.
 */
export const liquidityOf = (
  { snapshot: { coverage, followed } }: Pick<SnapshotContext, "snapshot">,
  values: readonly PoolValue[],
  pools: readonly TokenPool[],
): Liquidity => {
  const known = values.flatMap(({ liquidity_usd }) => liquidity_usd ?? []);
  if (known.length > 0) return { usd: known.reduce((sum, value) => sum + value, 0), reason: null };
  if (values.length + unreportedCount(pools) > 0) return { usd: null, reason: NO_VALUE };
  if (followed !== undefined) return { usd: null, reason: POOLS_UNREAD };
  return coverage.complete && coverage.logs ? { usd: 0, reason: null } : { usd: null, reason: NO_HISTORY };
};

/** Pools hold the wrapped form of the native coin. */
export const tradedAs = ({ chain }: Pick<SnapshotContext, "chain">, token: Hex): Hex =>
  tradedToken(chain.network, token);

/**
 * Liquidity of tokens at the snapshot's block, by token as in the argument: '' is the native coin. `known`: states that
 * were read before.
 */
export const readLiquidity = async (
  scope: SnapshotContext,
  tokens: readonly Hex[],
  known?: PoolsQuery["known"],
): Promise<ReadonlyMap<Hex, TokenLiquidity>> => {
  const traded = [...new Set(tokens.map((token) => tradedAs(scope, token)))];
  const found = await readPoolsOf(
    scope,
    traded.filter((token) => token !== ""),
  );
  const pools = [...found.values()].flatMap((one) => one.pools);
  const { number, time } = scope.snapshot.block;
  const standing = readPoolsAtEach(scope, [{ pools, at: number, known }]).then(([found = []]) => found);
  const valued = await valuePools(scope, pools, { standing, time, tokens: traded });
  return new Map(
    tokens.map((token): [Hex, TokenLiquidity] => {
      const own = tradedAs(scope, token);
      const of_token = found.get(own) ?? { pools: [], unverified: 0, paid_by_hooks: [] };
      const values = valued.values.filter(({ at: { pool } }) => (pool.is_first ? pool.token0 : pool.token1) === own);
      return [
        token,
        {
          ...valued,
          values,
          found: of_token,
          unknown_pools: unreportedCount(of_token.pools),
          ...liquidityOf(scope, values, of_token.pools),
        },
      ];
    }),
  );
};
