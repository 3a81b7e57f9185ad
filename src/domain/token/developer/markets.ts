import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { latelyBefore, type PoolState, statesBefore } from "../../valuation/prices/pool_states.ts";
import { inBatches } from "../../valuation/prices/pools.ts";
import { priceKey, type TokenPrices } from "../../valuation/prices/price_cache.ts";
import { pricesAtHours } from "../../valuation/prices/price_now.ts";
import { type SalePrice, usdOf as worthUsd } from "../../valuation/worth.ts";
import { type PoolAtBlock, readPoolsAtEach, type TokenPool, unreportedCount, valuedAt } from "../market/pools.ts";
import { metadataOf, type TokenMetadata } from "../metadata/metadata.ts";
import { RUG_RULES } from "./rug_outcomes.ts";

/** Markets of a developer's tokens, and their value. */

export interface DeveloperMarket {
  readonly pool: TokenPool;
  readonly token: Hex;
}

/** Pools of known exchanges, once per token of these that they trade. */
export const readMarkets = async (
  { facts, snapshot }: SnapshotContext,
  tokens: readonly Hex[],
): Promise<readonly DeveloperMarket[]> => {
  const found = await inBatches(tokens, (part) => facts.ask(snapshot, "pools_of_tokens", { tokens: [...part] }));
  const wanted = new Set(tokens);
  return found
    .filter(({ venue }) => venue !== "")
    .flatMap((pool) =>
      [true, false].flatMap((is_first): DeveloperMarket[] => {
        const [token, other] = is_first ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
        return wanted.has(token) ? [{ token, pool: { ...pool, is_first, other } }] : [];
      }),
    );
};

/** Prices of the other sides at the requested hours. */
export interface Valuer {
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  /** Price of one whole coin in the hour of a moment; null without a price. */
  readonly priceAt: (token: Hex, time: number) => SalePrice | null;
}

export interface TokenMoment {
  readonly token: Hex;
  /** Unix seconds. */
  readonly time: number;
}

export const readValuer = async (
  scope: SnapshotContext,
  tokens: readonly Hex[],
  moments: readonly TokenMoment[],
): Promise<Valuer> => {
  const { facts, snapshot, chain } = scope;
  const pairs = moments.map(({ token, time }) => ({ token, hour: hourOf(time) }));
  const unique = [...new Map(pairs.map((pair) => [priceKey(pair.token, pair.hour), pair])).values()];
  const [faces, prices]: [ReadonlyMap<Hex, TokenMetadata>, TokenPrices] = await Promise.all([
    metadataOf(scope, tokens),
    pricesAtHours({ facts, snapshot, network: chain.network }, unique),
  ]);
  return { faces, priceAt: (token, time) => prices.get(priceKey(token, hourOf(time))) ?? null };
};

/** USD of an amount of the other side; null without decimals or price. */
export const usdOf = ({ faces, priceAt }: Valuer, token: Hex, { amount, time }: { amount: bigint; time: number }) => {
  const decimals = faces.get(token)?.decimals ?? null;
  return decimals === null ? null : worthUsd(amount, decimals, priceAt(token, time));
};

export interface MarketState {
  /** USD on the other side of all pools; null when no price is known. */
  readonly depth_usd: number | null;
  /** USD by the deepest pool; 0 when too little is left for a market; null = not known. */
  readonly price_usd: number | null;
}

/** The pools of one token at a moment; `untold`: pools of unknown contents. */
interface TokenPoolsAtBlock {
  readonly pools: PoolAtBlock[];
  readonly untold: number;
}

const NOT_KNOWN: MarketState = { depth_usd: null, price_usd: null };

/** The markets of one token at a moment, valued by the prices of another. Uses no price of the token itself. */
const stateOf = (
  { pools, untold }: TokenPoolsAtBlock,
  { valuer, time }: { readonly valuer: Valuer; readonly time: number },
): MarketState => {
  const quotes = {
    decimalsOf: (token: Hex) => valuer.faces.get(token)?.decimals ?? null,
    usdOf: (token: Hex) => valuer.priceAt(token, time)?.price_usd ?? null,
    // Only the other side has a price here.
    depthOf: () => 0,
  };
  const values = pools.map((at) => {
    const own = at.pool.is_first ? at.pool.token0 : at.pool.token1;
    return valuedAt(at, { ...quotes, usdOf: (token) => (token === own ? null : quotes.usdOf(token)) });
  });
  const known = values.flatMap(({ depth_usd, price_usd }) => (depth_usd === null ? [] : [{ depth_usd, price_usd }]));
  if (known.length === 0) return pools.length + untold === 0 ? { depth_usd: 0, price_usd: 0 } : NOT_KNOWN;
  const depth_usd = known.reduce((sum, value) => sum + value.depth_usd, 0);
  const deepest = known.reduce((best, value) => (value.depth_usd > best.depth_usd ? value : best));
  // A missing amount may be in a pool of unknown contents.
  if (depth_usd < RUG_RULES.depth_usd_min && untold > 0) return NOT_KNOWN;
  return { depth_usd, price_usd: depth_usd < RUG_RULES.depth_usd_min ? 0 : deepest.price_usd };
};

interface ValuationPoint {
  readonly block: number;
  readonly time: number;
  readonly valuer: Valuer;
  /** States of pools at that block that were read before. */
  readonly known?: Peaks["states"];
}

/** Each market of one token separately at one block, in their order. */
export const readEachMarket = async (
  scope: SnapshotContext,
  markets: readonly DeveloperMarket[],
  at: ValuationPoint,
): Promise<readonly MarketState[]> => {
  const asked = { pools: markets.map(({ pool }) => pool), at: at.block, known: at.known };
  const [pools = []] = await readPoolsAtEach(scope, [asked]);
  const known = new Map(pools.map((found) => [found.pool.pool, found]));
  return markets.map(({ pool }) => {
    const found = known.get(pool.pool);
    return stateOf({ pools: found === undefined ? [] : [found], untold: unreportedCount([pool]) }, at);
  });
};

/** Markets, and the block and prices to value them at. */
export interface MarketsQuery extends ValuationPoint {
  readonly markets: readonly DeveloperMarket[];
}

/** Markets at one block: their pools, and their totals by token. */
export interface MarketsAtBlock {
  readonly pools: readonly PoolAtBlock[];
  readonly states: ReadonlyMap<Hex, MarketState>;
}

/** The markets of tokens at several blocks, in the order of the arguments. */
export const readMarketsEach = async (
  scope: SnapshotContext,
  asked: readonly MarketsQuery[],
): Promise<readonly MarketsAtBlock[]> => {
  const found = await readPoolsAtEach(
    scope,
    asked.map(({ markets, block, known }) => ({ pools: markets.map(({ pool }) => pool), at: block, known })),
  );
  return asked.map(({ markets, ...at }, i) => {
    const pools = found[i] ?? [];
    const untoldOf = (token: Hex): number =>
      unreportedCount(markets.flatMap((market) => (market.token === token ? market.pool : [])));
    const standings = new Map<Hex, TokenPoolsAtBlock>(
      markets.map(({ token }) => [token, { pools: [], untold: untoldOf(token) }]),
    );
    for (const one of pools) standings.get(one.pool.is_first ? one.pool.token0 : one.pool.token1)?.pools.push(one);
    return { pools, states: new Map([...standings].map(([token, standing]) => [token, stateOf(standing, at)])) };
  });
};

/** The markets of tokens at one block, by token. */
export const readMarketStates = async (
  scope: SnapshotContext,
  markets: readonly DeveloperMarket[],
  at: ValuationPoint,
): Promise<ReadonlyMap<Hex, MarketState>> =>
  (await readMarketsEach(scope, [{ ...at, markets }]))[0]?.states ?? new Map();

export type Peak = QueryRow<"developer/peaks">;

/** Contents of pools at their peak, and their states at the snapshot's block; null for a pool without a state. */
export interface Peaks {
  readonly fullest: ReadonlyMap<Hex, Peak>;
  readonly states: ReadonlyMap<Hex, PoolState | null>;
}

/** Only constant-product pools report their contents: the peak of other pools is unknown. */
const areReservesReported = ({ family }: TokenPool): boolean => family === "uniswap_v2";

/** Above this number the other pools need a query of their own. */
const OTHERS_MAX = 1_000;

/** Reads the peaks of the markets and the newest states of their pools, the others' included, in one query. */
export const readPeaks = async (scope: SnapshotContext, markets: readonly DeveloperMarket[]): Promise<Peaks> => {
  const { facts, snapshot } = scope;
  const pools = [...new Map(markets.map(({ pool }) => [pool.pool, pool])).values()];
  const told = idsOf(pools.filter(areReservesReported));
  if (told.length === 0) return { fullest: new Map(), states: new Map() };
  const others = idsOf(pools.filter((pool) => !areReservesReported(pool))).slice(0, OTHERS_MAX);
  const lately = latelyBefore(snapshot, snapshot.block.number);
  const asked = { others, lately };
  const rows = await inBatches(told, (part) => facts.ask(snapshot, "developer/peaks", { ...asked, pools: [...part] }));
  const found = new Map(rows.map((row) => [row.pool, row]));
  const quiet = others.filter((pool) => !found.has(pool));
  const earlier = new Map((await statesBefore(scope, quiet, lately)).map((state) => [state.pool, state]));
  const stateOf = (pool: Hex): PoolState | null => {
    const row = found.get(pool);
    return row === undefined ? (earlier.get(pool) ?? null) : newestOf(row);
  };
  return {
    fullest: new Map(
      told.flatMap((pool) => {
        const row = found.get(pool);
        return row === undefined ? [] : [[pool, row]];
      }),
    ),
    states: new Map([...told, ...others].map((pool) => [pool, stateOf(pool)])),
  };
};

const newestOf = ({ pool, last0, last1, last_time, sqrt_price_x96, liquidity, tick }: Peak): PoolState => {
  return { pool, reserve0: last0, reserve1: last1, time: last_time, sqrt_price_x96, liquidity, tick };
};

const idsOf = (pools: readonly TokenPool[]): readonly Hex[] => pools.map(({ pool }) => pool);
