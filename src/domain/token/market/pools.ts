import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { IndexedFacts, SnapshotContext } from "../../context.ts";
import {
  isConcentrated,
  isConstantProduct,
  isInSingleton,
  isPaidByHooks,
  isUnreported,
  midOfPool,
  unitsOf,
} from "../../valuation/prices/pool_family.ts";
import {
  type PoolState,
  poolReservesAt,
  poolStatesAtEach,
  singletonChangesAt,
} from "../../valuation/prices/pool_states.ts";
import { inBatches } from "../../valuation/prices/pools.ts";
import { existingPools } from "./existing_pools.ts";
import {
  concentratedDepth,
  constantProductDepth,
  type Depth,
  DOWN_2_PERCENT,
  type Ratio,
  type TickRange,
  UP_2_PERCENT,
} from "./pool_depth.ts";
import { type PoolSides, poolPriceUsd, poolValueUsd } from "./pool_value.ts";

/** A pool of a known factory, seen from the requested token. */
export interface TokenPool extends QueryRow<"pools_of_tokens"> {
  /** The token is the pool's first one. */
  readonly is_first: boolean;
  readonly other: Hex;
}

/** A pool's state at one block. */
export interface PoolAtBlock {
  readonly pool: TokenPool;
  /** Its reserves, base units: of the token, and of the other one. */
  readonly own: bigint;
  readonly other: bigint;
  readonly state: PoolState;
}

/** A fee of 100 %; higher values are v4's flag for a dynamic fee. */
const FEE_PPM_MAX = 1_000_000;
/** Depth is summed over this many of the largest pools; the rest is small. */
const DEPTH_POOLS_MAX = 100;

export interface PoolsOfToken {
  /** Of known factories. */
  readonly pools: readonly TokenPool[];
  /** Number of the others. */
  readonly unverified: number;
  /** The others whose hooks hold the payments. */
  readonly paid_by_hooks: readonly TokenPool[];
}

/** Pools that trade these tokens, by token: a pool of two of them appears once from each side. */
export const readPoolsOf = async (
  { facts, snapshot }: IndexedFacts,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, PoolsOfToken>> => {
  const found = await inBatches(tokens, (part) => facts.ask(snapshot, "pools_of_tokens", { tokens: [...part] }));
  const unique = await existingPools({ facts, snapshot }, [
    ...new Map(found.map((pool) => [pool.pool, pool])).values(),
  ]);
  const lists = new Map<Hex, TokenPool[]>(tokens.map((token) => [token, []]));
  for (const pool of unique) {
    lists.get(pool.token0)?.push({ ...pool, is_first: true, other: pool.token1 });
    lists.get(pool.token1)?.push({ ...pool, is_first: false, other: pool.token0 });
  }
  return new Map(
    [...lists].map(([token, all]) => {
      const pools = all.filter(({ venue }) => venue !== "");
      const paid_by_hooks = all.filter(({ family }) => isPaidByHooks(family));
      return [token, { pools, unverified: all.length - pools.length, paid_by_hooks }];
    }),
  );
};

const idsOf = (pools: readonly TokenPool[]): readonly Hex[] => pools.map(({ pool }) => pool);

/** Pools, and the block at whose end to read them. */
export interface PoolsQuery {
  readonly pools: readonly TokenPool[];
  readonly at: number;
  /** States at that block that were read before; null for a pool without a state. */
  readonly known?: ReadonlyMap<Hex, PoolState | null> | undefined;
}

/** Reserves of pools whose states do not contain them, at one block: both amounts. */
const readReserves = async (
  scope: IndexedFacts,
  pools: readonly TokenPool[],
  at: number,
): Promise<(pool: TokenPool) => readonly [bigint, bigint]> => {
  const deep = pools.filter(({ family }) => isConcentrated(family) && !isInSingleton(family));
  const single = pools.filter(({ family }) => isInSingleton(family));
  const [balances, moved] = await Promise.all([
    poolReservesAt(scope, deep, at),
    singletonChangesAt(scope, idsOf(single), { at, after: 0 }),
  ]);
  const held = new Map(balances.map(({ holder, token, amount }) => [`${holder}:${token}`, amount]));
  const sums = new Map<Hex, readonly [number, number]>();
  for (const { pool, delta0, delta1 } of moved) {
    const [sum0, sum1] = sums.get(pool) ?? [0, 0];
    sums.set(pool, [sum0 + delta0, sum1 + delta1]);
  }
  return ({ pool, family, token0, token1 }) => {
    if (!isInSingleton(family)) return [held.get(`${pool}:${token0}`) ?? 0n, held.get(`${pool}:${token1}`) ?? 0n];
    const [sum0, sum1] = sums.get(pool) ?? [0, 0];
    return [unitsOf(sum0), unitsOf(sum1)];
  };
};

/** A pool seen from both of its tokens is queried once: its movements are summed over the rows. */
const uniqueOf = (pools: readonly TokenPool[]): readonly TokenPool[] => [
  ...new Map(pools.map((one) => [one.pool, one])).values(),
];

/** Pools at several blocks, in the order of the arguments; a pool without a state at its block is absent. */
export const readPoolsAtEach = async (
  scope: IndexedFacts,
  asked: readonly PoolsQuery[],
): Promise<readonly (readonly PoolAtBlock[])[]> => {
  // A pool changes in other blocks, too, than those of the addresses that a network on demand follows.
  if (scope.snapshot.followed !== undefined) return asked.map(() => []);
  const [states, helds] = await Promise.all([
    poolStatesAtEach(
      scope,
      asked.map(({ pools, at, known }) => ({
        pools: idsOf(uniqueOf(pools)).filter((pool) => known?.has(pool) !== true),
        at,
      })),
    ),
    Promise.all(asked.map(({ pools, at }) => readReserves(scope, uniqueOf(pools), at))),
  ]);
  return asked.map(({ pools, known }, i) => {
    const found = new Map(states[i]?.map((state) => [state.pool, state]));
    return pools.flatMap((pool): PoolAtBlock[] => {
      const state = known?.get(pool.pool) ?? found.get(pool.pool);
      if (state === undefined) return [];
      const is_told = !isConcentrated(pool.family) && !isInSingleton(pool.family);
      const [amount0, amount1] = is_told ? [state.reserve0, state.reserve1] : (helds[i]?.(pool) ?? [0n, 0n]);
      const [own, other] = pool.is_first ? [amount0, amount1] : [amount1, amount0];
      return [{ pool, own, other, state }];
    });
  });
};

/** Prices of a pool's tokens in the hour of the valuation. */
export interface Quotes {
  readonly decimalsOf: (token: Hex) => number | null;
  readonly usdOf: (token: Hex) => number | null;
  /** USD behind that price: of two priced sides, the deeper one values the pool's own price. */
  readonly depthOf: (token: Hex) => number;
}

/** The pool's price of one token in the other, whole coins; null when it has none. */
export const midOf = ({ pool, state }: PoolAtBlock, { decimalsOf }: Quotes): number | null => {
  const [decimals0, decimals1] = [decimalsOf(pool.token0), decimalsOf(pool.token1)];
  if (decimals0 === null || decimals1 === null) return null;
  const mid = midOfPool(pool.family, state, { decimals0, decimals1 });
  return mid === null || pool.is_first ? mid : 1 / mid;
};

/** A total order, so that a pool has one value from either side. */
const isSurer = (a: Hex, b: Hex, { depthOf }: Quotes): boolean =>
  depthOf(a) === depthOf(b) ? a < b : depthOf(a) > depthOf(b);

const sidesOf = (at: PoolAtBlock, quotes: Quotes): PoolSides | null => {
  const { pool } = at;
  const own_token = pool.is_first ? pool.token0 : pool.token1;
  const [decimals, other_decimals] = [quotes.decimalsOf(own_token), quotes.decimalsOf(pool.other)];
  if (decimals === null || other_decimals === null) return null;
  return {
    own: { amount: toAmount(at.own, decimals), price_usd: quotes.usdOf(own_token) },
    other: { amount: toAmount(at.other, other_decimals), price_usd: quotes.usdOf(pool.other) },
    mid: midOf(at, quotes),
    is_other_surer: isSurer(pool.other, own_token, quotes),
  };
};

export interface PoolValue {
  readonly at: PoolAtBlock;
  /** Both sides; null when no price is known. */
  readonly liquidity_usd: number | null;
  /** USD on the other side; null when it has no price. */
  readonly depth_usd: number | null;
  /** The token's price by this pool alone. */
  readonly price_usd: number | null;
}

export const valuedAt = (at: PoolAtBlock, quotes: Quotes): PoolValue => {
  const sides = sidesOf(at, quotes);
  if (sides === null) return { at, liquidity_usd: null, depth_usd: null, price_usd: null };
  const { other } = sides;
  return {
    at,
    liquidity_usd: poolValueUsd(sides),
    depth_usd: other.price_usd === null ? null : other.amount * other.price_usd,
    price_usd: poolPriceUsd(sides),
  };
};

/** Largest first, unknown last, ties by address. */
export const byValue = (a: PoolValue, b: PoolValue): number =>
  (b.liquidity_usd ?? -1) - (a.liquidity_usd ?? -1) || (a.at.pool.pool < b.at.pool.pool ? -1 : 1);

/** Number of pools of unknown contents. */
export const unreportedCount = (pools: readonly Pick<TokenPool, "family">[]): number =>
  pools.filter(({ family }) => isUnreported(family)).length;

type TickRanges = ReadonlyMap<Hex, readonly TickRange[]>;

/** Tick ranges of concentrated pools whose whole life is indexed. */
const readRanges = async ({ facts, snapshot }: SnapshotContext, pools: readonly TokenPool[]): Promise<TickRanges> => {
  const wanted = pools.filter(({ family, created_block }) => isConcentrated(family) && created_block !== null);
  const rows = await inBatches(wanted, (part) =>
    facts.ask(snapshot, "market/ranges", { pools: part.map(({ pool }) => pool) }),
  );
  const ranges = new Map<Hex, TickRange[]>(wanted.map(({ pool }) => [pool, []]));
  for (const { pool, tick_lower, tick_upper, net } of rows) {
    ranges.get(pool)?.push({ tick_lower, tick_upper, liquidity: net });
  }
  return ranges;
};

/** Null when the pool's fee or positions are not known. */
const depthOf = (
  at: PoolAtBlock,
  ranges: TickRanges,
  sale: { readonly is_own: boolean; readonly keep: Ratio },
): Depth | null => {
  const { pool, state } = at;
  if (pool.fee_ppm >= FEE_PPM_MAX) return null; // v4: set for each swap
  if (isConcentrated(pool.family)) {
    const own = ranges.get(pool.pool);
    if (own === undefined) return null;
    const { sqrt_price_x96, tick } = state;
    const shape = { sqrt_price_x96, tick, fee_ppm: pool.fee_ppm, ranges: own };
    return concentratedDepth(shape, sale.is_own === pool.is_first, sale.keep);
  }
  if (pool.fee_ppm === 0 || !isConstantProduct(pool.family)) return null;
  const [reserve_in, reserve_out] = sale.is_own ? [at.own, at.other] : [at.other, at.own];
  return constantProductDepth({ reserve_in, reserve_out, fee_ppm: pool.fee_ppm }, sale.keep);
};

/** USD that sellers get, and that buyers pay, until the token's price in this pool has moved by 2 %. */
const depthUsdOf = (at: PoolAtBlock, ranges: TickRanges, quotes: Quotes) => {
  const { pool } = at;
  const own_token = pool.is_first ? pool.token0 : pool.token1;
  const down = depthOf(at, ranges, { is_own: true, keep: DOWN_2_PERCENT });
  const up = depthOf(at, ranges, { is_own: false, keep: UP_2_PERCENT });
  const usd = (token: Hex, amount: bigint): number | null => {
    const [decimals, price_usd] = [quotes.decimalsOf(token), quotes.usdOf(token)];
    return decimals === null || price_usd === null ? null : toAmount(amount, decimals) * price_usd;
  };
  return {
    minus_2pct_usd: down === null ? null : (usd(pool.other, down.amount_out) ?? usd(own_token, down.amount_in)),
    plus_2pct_usd: up === null ? null : (usd(pool.other, up.amount_in) ?? usd(own_token, up.amount_out)),
  };
};

interface DepthUsd {
  readonly minus_2pct_usd: number | null;
  readonly plus_2pct_usd: number | null;
}

const addKnown = (total: number | null, part: number | null): number | null =>
  total === null || part === null ? null : total + part;

/** Total depth of the largest pools; null when one of them has none. `values`: largest first. */
export const readDepth = async (
  scope: SnapshotContext,
  values: readonly PoolValue[],
  quotes: Quotes,
): Promise<DepthUsd> => {
  const valued = values.filter(({ liquidity_usd }) => liquidity_usd !== null).slice(0, DEPTH_POOLS_MAX);
  if (valued.length === 0) return { minus_2pct_usd: null, plus_2pct_usd: null };
  const ranges = await readRanges(
    scope,
    valued.map(({ at }) => at.pool),
  );
  const depths = valued.map(({ at }) => depthUsdOf(at, ranges, quotes));
  return depths.reduce<DepthUsd>(
    (total, depth) => ({
      minus_2pct_usd: addKnown(total.minus_2pct_usd, depth.minus_2pct_usd),
      plus_2pct_usd: addKnown(total.plus_2pct_usd, depth.plus_2pct_usd),
    }),
    { minus_2pct_usd: 0, plus_2pct_usd: 0 },
  );
};
