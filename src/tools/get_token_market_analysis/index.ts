import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { BALANCES_UNKNOWN } from "../../domain/holders/sums.ts";
import { readAround } from "../../domain/market/around.ts";
import { isShared } from "../../domain/market/pool_family.ts";
import { type PoolShares, readPoolShares } from "../../domain/market/pool_shares.ts";
import {
  byValue,
  midOf,
  type PoolValue,
  type Quotes,
  readDepth,
  readPools,
  readPoolsAt,
  type TokenPool,
  totalUsd,
  untoldCount,
  valuedAt,
} from "../../domain/market/pools.ts";
import { readPriceHistory, readSubject, readTrading, type Subject, type Trading } from "../../domain/market/read.ts";
import { changePercent } from "../../domain/market/signals.ts";
import { priceKey, pricesAtHours } from "../../domain/prices/price_now.ts";
import { formatToken, metadataIn, metadataOf, parseToken } from "../../domain/tokens/metadata.ts";
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

/** Prices of pool tokens in the hours of two moments, and decimals. */
const readQuotes = async (place: SnapshotContext, tokens: readonly Hex[], moments: readonly number[]) => {
  const { facts, snapshot, chain } = place;
  const hours = moments.map(hourOf);
  const [faces, prices] = await Promise.all([
    metadataOf(place, tokens),
    pricesAtHours(
      { facts, network: chain.network, snapshot },
      tokens.flatMap((token) => hours.map((hour) => ({ token, hour }))),
    ),
  ]);
  const quotesAt = (moment: number): Quotes => ({
    decimalsOf: (token) => metadataIn(faces, token).decimals,
    usdOf: (token) => prices.get(priceKey(token, hourOf(moment)))?.price_usd ?? null,
  });
  return { faces, quotesAt };
};

const blockAt = async ({ facts, snapshot }: SnapshotContext, time: number): Promise<number | null> => {
  const [block] = await facts.ask(snapshot, "block_at_time", { time: Math.max(0, time) });
  return block?.block_number ?? null;
};

/** The pools now and before, valued at the prices of their time. */
const readMarket = async (place: SnapshotContext, token: Hex, pools: readonly TokenPool[]) => {
  const { number, time } = place.snapshot.block;
  const [day_block, moment_block] = await Promise.all([
    blockAt(place, time - DAY_S),
    blockAt(place, time - FIVE_MINUTES_S),
  ]);
  const tokens = [...new Set([token, ...pools.map(({ other }) => other)])];
  const [now, then, { faces, quotesAt }] = await Promise.all([
    readPoolsAt(place, pools, number),
    day_block === null ? [] : readPoolsAt(place, pools, day_block),
    readQuotes(place, tokens, [time, time - DAY_S]),
  ]);
  const quotes = quotesAt(time);
  const values = now.map((at) => valuedAt(at, quotes)).sort(byValue);
  const deepest = values.find(({ at }) => midOf(at, quotes) !== null);
  const [earlier] =
    deepest === undefined || moment_block === null ? [] : await readPoolsAt(place, [deepest.at.pool], moment_block);
  const moved_5m =
    deepest === undefined || earlier === undefined
      ? null
      : changePercent(midOf(deepest.at, quotes), midOf(earlier, quotes));
  const before = then.map((at) => valuedAt(at, quotesAt(time - DAY_S)));
  return { values, total_usd_before: before.length === 0 ? null : totalUsd(before, pools), quotes, faces, moved_5m };
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

type Found = Pick<Awaited<ReturnType<typeof readPools>>, "pools" | "unverified">;

/** No pool of a known factory; the native coin has as many as its wrapped form. */
const nothingFound = (place: SnapshotContext, subject: Subject, metadata: unknown) =>
  isWholeLife(place, subject)
    ? noData(TYPE, metadata)
    : failed("COVERAGE_INCOMPLETE", "No pool was found, and the index does not know the token's whole life.", metadata);

/** When a pool last changed. */
const newestState = (values: readonly PoolValue[]): number | null =>
  values.reduce<number | null>((newest, { at }) => Math.max(newest ?? 0, at.state.time), null);

const liquidityOf = async (
  place: SnapshotContext,
  market: Market,
  known: { readonly trading: Trading; readonly pools: readonly TokenPool[] },
): Promise<MarketOutput["liquidity"]> => {
  const { values } = market;
  const depth = await readDepth(place, market.values, market.quotes);
  const top_pools = await readTopPools(place, market, known.trading);
  return {
    total_usd: totalUsd(values, known.pools),
    pool_count: known.pools.length,
    pools_without_value: values.filter(({ liquidity_usd }) => liquidity_usd === null).length + untoldCount(known.pools),
    top_pools,
    depth,
  };
};

const answerOf = async (
  place: SnapshotContext,
  subject: Subject,
  asked: { input: Input; pools: readonly TokenPool[] },
) => {
  const { snapshot, chain } = place;
  const { pools } = asked;
  const period_s = TIMEFRAMES[asked.input.timeframe];
  const end = snapshot.block.time;
  const { token, traded, face } = subject;
  const history = await readPriceHistory(place, traded, Math.max(2 * period_s, DAY_S) + HOUR_S);
  const trading = await readTrading(place, subject, { period_s, history });
  const market = await readMarket(place, traded, pools);
  const [native, kept, holders, traded_since] = await readAround(place, token, pools);
  const liquidity = await liquidityOf(place, market, { trading, pools });
  const { values } = market;
  const price_usd = history.now?.price_usd ?? null;
  const volume = volumeOf(trading, subject);
  const age_days = ageDays(subject.created_at, end);
  const { total_usd } = liquidity;
  const { total_usd_before } = market;
  const signalFacts: SignalFacts = {
    values,
    untold_pools: untoldCount(pools),
    total_usd,
    total_usd_before,
    trading,
    volume,
    age_days,
    end,
    traded_since,
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
    ...suppliesOf(subject, kept, price_usd),
    holders_count: holders.count,
    holders_change_24h: holders.change,
    token_age_days: age_days,
    signals: [...signals],
    quality: qualityOf(signalFacts),
  };
  const unavailable = missingOf(answer, unknown, holders.is_doubtful);
  return { shown: { ...answer, thresholds, unavailable }, doubts: holders.is_doubtful ? [BALANCES_UNKNOWN] : [] };
};

const warningsOf = ({ unverified }: Found): readonly Warning[] =>
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
    const found =
      subject === null || subject.traded === "" ? { pools: [], unverified: 0 } : await readPools(place, subject.traded);
    const metadata = metadataFor(chain, snapshot, {
      echo: { token_address: formatToken(chain, token), timeframe: asked.timeframe },
      methodology: METHODOLOGY,
      warnings: warningsOf(found),
    });
    if (subject === null) {
      return failed(
        "NOT_A_TOKEN",
        `${asked.token_address} does not answer like a token on ${asked.network}, and none of it ever moved.`,
        metadata,
      );
    }
    if (found.pools.length === 0 && found.unverified === 0) return nothingFound(place, subject, metadata);
    const { shown, doubts } = await answerOf(place, subject, { input: asked, pools: found.pools });
    return data<MarketOutput>({ ...shown, metadata: { ...metadata, warnings: [...metadata.warnings, ...doubts] } });
  },
});
