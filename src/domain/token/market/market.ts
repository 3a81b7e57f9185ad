import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf, iso } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { isShared } from "../../valuation/prices/pool_family.ts";
import { priceKey } from "../../valuation/prices/price_now.ts";
import { readSupply } from "../holders/supply.ts";
import { formatToken, metadataIn } from "../metadata/metadata.ts";
import {
  ageDays,
  findSignals,
  missingOf,
  priceOf,
  qualityOf,
  type SignalFacts,
  suppliesOf,
  tradesOf,
  volumeOf,
} from "./figures.ts";
import { liquidityOf, type TokenLiquidity, valuePools } from "./liquidity.ts";
import { readMarketContext } from "./market_context.ts";
import { type PoolShares, readPoolShares } from "./pool_shares.ts";
import { midOf, type PoolValue, readDepth, readPoolsAtEach, unreportedCount } from "./pools.ts";
import { type MarketToken, readPriceHistory, readTrading, type TokenTrading } from "./read.ts";
import type { MarketLiquidity, MarketReport, TopPool } from "./report.ts";
import { changePercent } from "./signals.ts";

const TOP_POOLS = 10;
const FIVE_MINUTES_S = 300;
const PPM_PER_PERCENT = 10_000;

const blockAt = async ({ facts, snapshot }: SnapshotContext, time: number): Promise<number | null> => {
  const [block] = await facts.ask(snapshot, "block_at_time", { time: Math.max(0, time) });
  return block?.block_number ?? null;
};

/** The pools now and before, valued at the prices of their time. */
const readMarket = async (scope: SnapshotContext, token: Hex, now: TokenLiquidity) => {
  const { time } = scope.snapshot.block;
  const { values, quotes, faces, found } = now;
  const [day_block, moment_block] = await Promise.all([
    blockAt(scope, time - DAY_S),
    blockAt(scope, time - FIVE_MINUTES_S),
  ]);
  const deepest = values.find(({ at }) => midOf(at, quotes) !== null);
  const standing = readPoolsAtEach(scope, [
    { pools: day_block === null ? [] : found.pools, at: day_block ?? 0 },
    { pools: deepest === undefined || moment_block === null ? [] : [deepest.at.pool], at: moment_block ?? 0 },
  ]);
  const then = { standing: standing.then(([pools = []]) => pools), time: Math.max(0, time - DAY_S), tokens: [token] };
  const [before, [, [earlier] = []]] = await Promise.all([valuePools(scope, found.pools, then), standing]);
  const moved_5m =
    deepest === undefined || earlier === undefined
      ? null
      : changePercent(midOf(deepest.at, quotes), midOf(earlier, quotes));
  const total_usd_before = before.values.length === 0 ? null : liquidityOf(scope, before.values, found.pools).usd;
  return { values, total_usd_before, quotes, faces, moved_5m };
};

type TokenMarket = Awaited<ReturnType<typeof readMarket>>;

/** USD that a pool traded in the last 24 hours; null when a trade has no price. */
const dayVolumeOf = (pool: Hex, { days }: TokenTrading): number | null => {
  const row = days.find((found) => found.pool === pool);
  if (row === undefined) return 0;
  return row.unpriced > 0 ? null : row.usd;
};

const lockedPercent = (shares: PoolShares | null): number | null =>
  shares === null ? null : shares.burned_percent + shares.locked_percent;

const readTopPools = async (scope: SnapshotContext, market: TokenMarket, trading: TokenTrading): Promise<TopPool[]> => {
  const { facts, snapshot, chain } = scope;
  const top = market.values.slice(0, TOP_POOLS);
  const announced = top.flatMap(({ at }) => at.pool.created_block ?? []);
  const [times, shares] = await Promise.all([
    announced.length === 0 ? [] : facts.ask(snapshot, "block_times", { blocks: announced }),
    readPoolShares(
      scope,
      top.flatMap(({ at: { pool } }) => (isShared(pool.family) && pool.created_block !== null ? [pool.pool] : [])),
    ),
  ]);
  const timeOf = new Map(times.map(({ block_number, time }) => [block_number, time]));
  const symbolOf = (token: Hex): string => metadataIn(market.faces, token).symbol ?? chain.formatAddress(token);
  return top.map(({ at: { pool }, liquidity_usd }: PoolValue) => {
    const time = pool.created_block === null ? undefined : timeOf.get(pool.created_block);
    return {
      address: chain.formatAddress(pool.pool),
      dex: pool.venue,
      pair: `${symbolOf(pool.token0)}/${symbolOf(pool.token1)}`,
      fee_percent: pool.fee_ppm === 0 || pool.fee_ppm >= 100 * PPM_PER_PERCENT ? null : pool.fee_ppm / PPM_PER_PERCENT,
      liquidity_usd,
      volume_24h_usd: dayVolumeOf(pool.pool, trading),
      created_at: time === undefined ? null : iso(time),
      lp_locked_percent: lockedPercent(shares.get(pool.pool) ?? null),
    };
  });
};

/** True when the index covers the token's whole life, so that a missing fact proves absence. */
export const isHistoryComplete = (
  { snapshot: { coverage, from_block } }: SnapshotContext,
  { created_at }: MarketToken,
): boolean =>
  coverage.complete && coverage.gaps.length === 0 && coverage.logs && (from_block <= 1 || created_at !== null);

/** Time of a pool's last change. */
const newestState = (values: readonly PoolValue[]): number | null =>
  values.reduce<number | null>((newest, { at }) => Math.max(newest ?? 0, at.state.time), null);

const shownLiquidity = async (
  scope: SnapshotContext,
  market: TokenMarket,
  known: { readonly trading: TokenTrading; readonly liquidity: TokenLiquidity },
): Promise<MarketLiquidity> => {
  const { values } = market;
  const depth = await readDepth(scope, market.values, market.quotes);
  const top_pools = await readTopPools(scope, market, known.trading);
  return {
    total_usd: known.liquidity.usd,
    pool_count: known.liquidity.found.pools.length,
    pools_without_value:
      values.filter(({ liquidity_usd }) => liquidity_usd === null).length + known.liquidity.unknown_pools,
    top_pools,
    depth,
  };
};

/** The market of a token. `is_doubtful`: its events do not show its holders. `period_s`: the timeframe, seconds. */
export const readMarketReport = async (
  scope: SnapshotContext,
  subject: MarketToken,
  asked: { readonly period_s: number; readonly liquidity: TokenLiquidity },
): Promise<{ readonly report: MarketReport; readonly is_doubtful: boolean }> => {
  const { snapshot, chain } = scope;
  const { pools } = asked.liquidity.found;
  const { period_s } = asked;
  const end = snapshot.block.time;
  const { token, traded, face } = subject;
  const history = await readPriceHistory(scope, traded, Math.max(2 * period_s, DAY_S) + HOUR_S);
  const trading = await readTrading(scope, subject, { period_s, history });
  const market = await readMarket(scope, traded, asked.liquidity);
  const supply = await readSupply(scope, { ...subject, decimals: face.decimals });
  const [native, holders, traded_since] = await readMarketContext(scope, token, pools);
  const liquidity = await shownLiquidity(scope, market, { trading, liquidity: asked.liquidity });
  const { values } = market;
  const { gaps, ...supplies } = suppliesOf(supply, history.now, liquidity.total_usd);
  const volume = volumeOf(trading, subject);
  const age_days = ageDays(subject.created_at, end);
  const signalFacts: SignalFacts = {
    ...{ values, trading, volume, age_days, end, traded_since },
    unknown_pools: unreportedCount(pools),
    total_usd: liquidity.total_usd,
    total_usd_before: market.total_usd_before,
  };
  const { signals, unknown, thresholds } = findSignals(signalFacts);
  const figures = {
    token: { address: formatToken(chain, token), symbol: face.symbol, name: face.name, decimals: face.decimals },
    price: priceOf({
      history,
      end,
      period_s,
      native_usd: native.get(priceKey("", hourOf(end)))?.price_usd ?? null,
      updated_at: newestState(values),
      moved_5m: market.moved_5m,
      is_whole_life: isHistoryComplete(scope, subject),
    }),
    volume,
    trades: tradesOf(trading),
    liquidity,
    ...supplies,
    holders_count: holders.count,
    holders_change_24h: holders.change,
    token_age_days: age_days,
    signals: [...signals],
    quality: qualityOf(signalFacts),
  };
  const reasons = {
    liquidity: asked.liquidity.reason,
    circulating: supply.reason,
    ...gaps,
    is_doubtful: holders.is_doubtful,
  };
  const unavailable = missingOf(figures, unknown, reasons);
  return { report: { ...figures, thresholds, unavailable }, is_doubtful: holders.is_doubtful };
};
