import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { BALANCES_UNKNOWN } from "../../domain/holders/sums.ts";
import { marketCapGap, readSupply } from "../../domain/holders/supply.ts";
import { readAround } from "../../domain/market/around.ts";
import { liquidityOf, readLiquidity, type TokenLiquidity, valuePools } from "../../domain/market/liquidity.ts";
import { isShared } from "../../domain/market/pool_family.ts";
import { type PoolShares, readPoolShares } from "../../domain/market/pool_shares.ts";
import {
  midOf,
  type PoolsOfToken,
  type PoolValue,
  readDepth,
  readPoolsAt,
  untoldCount,
} from "../../domain/market/pools.ts";
import { readPriceHistory, readSubject, readTrading, type Subject, type Trading } from "../../domain/market/read.ts";
import { changePercent } from "../../domain/market/signals.ts";
import { priceKey } from "../../domain/prices/price_now.ts";
import { formatToken, metadataIn, parseToken } from "../../domain/tokens/metadata.ts";
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
import { DAY_S, HOUR_S, hourOf, iso } from "../../lib/time.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
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
} from "./answer.ts";
import { type Input, input, type MarketOutput, output, TIMEFRAMES } from "./shape.ts";

const TYPE = "token_market";
const METHODOLOGY = "token-market@1";
const TOP_POOLS = 10;
const FIVE_MINUTES_S = 300;
const PPM_PER_PERCENT = 10_000;

const blockAt = async ({ facts, snapshot }: SnapshotContext, time: number): Promise<number | null> => {
  const [block] = await facts.ask(snapshot, "block_at_time", { time: Math.max(0, time) });
  return block?.block_number ?? null;
};

/** The pools now and before, valued at the prices of their time. */
const readMarket = async (place: SnapshotContext, token: Hex, now: TokenLiquidity) => {
  const { time } = place.snapshot.block;
  const { values, quotes, faces, found } = now;
  const [day_block, moment_block] = await Promise.all([
    blockAt(place, time - DAY_S),
    blockAt(place, time - FIVE_MINUTES_S),
  ]);
  const then = { number: day_block ?? 0, time: time - DAY_S };
  const before =
    day_block === null ? [] : (await valuePools(place, found.pools, { moment: then, tokens: [token] })).values;
  const deepest = values.find(({ at }) => midOf(at, quotes) !== null);
  const [earlier] =
    deepest === undefined || moment_block === null ? [] : await readPoolsAt(place, [deepest.at.pool], moment_block);
  const moved_5m =
    deepest === undefined || earlier === undefined
      ? null
      : changePercent(midOf(deepest.at, quotes), midOf(earlier, quotes));
  const total_usd_before = before.length === 0 ? null : liquidityOf(place, before, found.pools).usd;
  return { values, total_usd_before, quotes, faces, moved_5m };
};

type Market = Awaited<ReturnType<typeof readMarket>>;

/** USD that a pool traded in the last 24 hours; null when a trade has no price. */
const dayVolumeOf = (pool: Hex, { days }: Trading): number | null => {
  const row = days.find((found) => found.pool === pool);
  if (row === undefined) return 0;
  return row.unpriced > 0 ? null : row.usd;
};

const keptPercent = (shares: PoolShares | null): number | null =>
  shares === null ? null : shares.burned_percent + shares.locked_percent;

const readTopPools = async (
  place: SnapshotContext,
  market: Market,
  trading: Trading,
): Promise<MarketOutput["liquidity"]["top_pools"]> => {
  const { facts, snapshot, chain } = place;
  const top = market.values.slice(0, TOP_POOLS);
  const announced = top.flatMap(({ at }) => at.pool.created_block ?? []);
  const [times, shares] = await Promise.all([
    announced.length === 0 ? [] : facts.ask(snapshot, "block_times", { blocks: announced }),
    readPoolShares(
      place,
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
      lp_locked_percent: keptPercent(shares.get(pool.pool) ?? null),
    };
  });
};

/** True when the index saw the token's whole life, so that what it does not know never was. */
const isWholeLife = ({ snapshot: { coverage, from_block } }: SnapshotContext, { created_at }: Subject): boolean =>
  coverage.complete && coverage.gaps.length === 0 && coverage.logs && (from_block <= 1 || created_at !== null);

/** No pool of a known factory; the native coin has as many as its wrapped form. */
const nothingFound = (place: SnapshotContext, subject: Subject, metadata: unknown) =>
  isWholeLife(place, subject)
    ? noData(TYPE, metadata)
    : failed("COVERAGE_INCOMPLETE", "No pool was found, and the index does not know the token's whole life.", metadata);

/** When a pool last changed. */
const newestState = (values: readonly PoolValue[]): number | null =>
  values.reduce<number | null>((newest, { at }) => Math.max(newest ?? 0, at.state.time), null);

const shownLiquidity = async (
  place: SnapshotContext,
  market: Market,
  known: { readonly trading: Trading; readonly liquidity: TokenLiquidity },
): Promise<MarketOutput["liquidity"]> => {
  const { values } = market;
  const depth = await readDepth(place, market.values, market.quotes);
  const top_pools = await readTopPools(place, market, known.trading);
  return {
    total_usd: known.liquidity.usd,
    pool_count: known.liquidity.found.pools.length,
    pools_without_value:
      values.filter(({ liquidity_usd }) => liquidity_usd === null).length + known.liquidity.untold_pools,
    top_pools,
    depth,
  };
};

const answerOf = async (
  place: SnapshotContext,
  subject: Subject,
  asked: { input: Input; liquidity: TokenLiquidity },
) => {
  const { snapshot, chain } = place;
  const { pools } = asked.liquidity.found;
  const period_s = TIMEFRAMES[asked.input.timeframe];
  const end = snapshot.block.time;
  const { token, traded, face } = subject;
  const history = await readPriceHistory(place, traded, Math.max(2 * period_s, DAY_S) + HOUR_S);
  const trading = await readTrading(place, subject, { period_s, history });
  const market = await readMarket(place, traded, asked.liquidity);
  const supply = await readSupply(place, { ...subject, decimals: face.decimals });
  const [native, holders, traded_since] = await readAround(place, token, pools);
  const liquidity = await shownLiquidity(place, market, { trading, liquidity: asked.liquidity });
  const { values } = market;
  const price_usd = history.now?.price_usd ?? null;
  const volume = volumeOf(trading, subject);
  const age_days = ageDays(subject.created_at, end);
  const signalFacts: SignalFacts = {
    ...{ values, trading, volume, age_days, end, traded_since },
    untold_pools: untoldCount(pools),
    total_usd: liquidity.total_usd,
    total_usd_before: market.total_usd_before,
  };
  const { signals, unknown, thresholds } = findSignals(signalFacts);
  const answer = {
    type: TYPE as "token_market",
    timeframe: asked.input.timeframe,
    token: { address: formatToken(chain, token), symbol: face.symbol, name: face.name, decimals: face.decimals },
    price: priceOf({
      history,
      end,
      native_usd: native.get(priceKey("", hourOf(end)))?.price_usd ?? null,
      updated_at: newestState(values),
      moved_5m: market.moved_5m,
      is_whole_life: isWholeLife(place, subject),
    }),
    volume,
    trades: tradesOf(trading),
    liquidity,
    ...suppliesOf(supply, price_usd),
    holders_count: holders.count,
    holders_change_24h: holders.change,
    token_age_days: age_days,
    signals: [...signals],
    quality: qualityOf(signalFacts),
  };
  const reasons = {
    liquidity: asked.liquidity.reason,
    circulating: supply.reason,
    market_cap: marketCapGap(supply, price_usd),
    is_doubtful: holders.is_doubtful,
  };
  const unavailable = missingOf(answer, unknown, reasons);
  return { shown: { ...answer, thresholds, unavailable }, doubts: holders.is_doubtful ? [BALANCES_UNKNOWN] : [] };
};

const warningsOf = ({ unverified }: PoolsOfToken): readonly Warning[] =>
  unverified === 0
    ? []
    : [
        {
          code: "UNVERIFIED_POOLS",
          message: `${unverified} pools of factories that are not known are left out: anybody could have forged them.`,
        },
      ];

export const getTokenMarketAnalysis = defineTool({
  name: "get_token_market_analysis",
  title: "Market of a token",
  description:
    "Price with its changes, volume and trades, liquidity with exact depth around the price, supply, holders and signals of one token, from the verified pools of one network.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: "0x0116686E2291dbd5e317F47faDBFb43B599786Ef", network: "demo", timeframe: "7d" },
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const token = parseToken(chain, asked.token_address);
    if (token === null) throw new AssayError({ code: "BUG", message: `binding let ${asked.token_address} through` });
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const place: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const subject = await readSubject(place, token);
    const liquidity = subject === null ? undefined : (await readLiquidity(place, [token])).get(token);
    const found = liquidity?.found ?? { pools: [], unverified: 0, paid_by_hooks: [] };
    const metadata = metadataFor(chain, snapshot, {
      echo: { token_address: formatToken(chain, token), timeframe: asked.timeframe },
      methodology: METHODOLOGY,
      warnings: warningsOf(found),
    });
    if (subject === null || liquidity === undefined) {
      return failed(
        "NOT_A_TOKEN",
        `${asked.token_address} does not answer like a token on ${asked.network}, and none of it ever moved.`,
        metadata,
      );
    }
    if (found.pools.length === 0 && found.unverified === 0) return nothingFound(place, subject, metadata);
    const { shown, doubts } = await answerOf(place, subject, { input: asked, liquidity });
    return data<MarketOutput>({ ...shown, metadata: { ...metadata, warnings: [...metadata.warnings, ...doubts] } });
  },
});
