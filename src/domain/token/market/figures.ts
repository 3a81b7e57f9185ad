import { toAmount } from "../../../lib/money.ts";
import { DAY_S, iso } from "../../../lib/time.ts";
import type { SalePrice } from "../../valuation/worth.ts";
import { SUMS_REASON } from "../holders/sums.ts";
import { isTooThin, marketValueOf, type Supply, TOO_THIN } from "../holders/supply.ts";
import { candlesOf } from "./candles.ts";
import type { PoolValue } from "./pools.ts";
import {
  CHANGE_AGES,
  dailyAmounts,
  type MarketToken,
  type PeriodTrades,
  type PriceHistory,
  rangeOf,
  type TokenTrading,
} from "./read.ts";
import type { MarketFigures, MarketPrice, MarketQuality, MarketReport, MarketTrades, MarketVolume } from "./report.ts";
import {
  changePercent,
  MARKET_THRESHOLDS,
  type SignalValues,
  sharePercent,
  signalsOf,
  spreadPercent,
  zScore,
} from "./signals.ts";

type MissingFigures = MarketReport["unavailable"];

/** USD of all trades; null when one of them has no price. */
const tradedUsd = (trades: PeriodTrades | null): number | null => {
  if (trades === null) return 0;
  return trades.unpriced > 0 ? null : trades.bought_usd + trades.sold_usd;
};

export const volumeOf = ({ current, before }: TokenTrading, { face }: MarketToken): MarketVolume => {
  const usd = tradedUsd(current);
  const amount = (current?.bought ?? 0n) + (current?.sold ?? 0n);
  return {
    usd,
    buy_usd: usd === null ? null : (current?.bought_usd ?? 0),
    sell_usd: usd === null ? null : (current?.sold_usd ?? 0),
    amount: face.decimals === null ? null : toAmount(amount, face.decimals),
    amount_raw: amount.toString(),
    change_percent: changePercent(usd, tradedUsd(before)),
  };
};

export const tradesOf = ({ current }: TokenTrading): MarketTrades => {
  const usd = tradedUsd(current);
  return {
    count: current?.trades ?? 0,
    buys: current?.buys ?? 0,
    sells: current?.sells ?? 0,
    unique_buyers: current?.buyers ?? 0,
    unique_sellers: current?.sellers ?? 0,
    unique_traders: current?.traders ?? 0,
    avg_trade_usd: current === null || usd === null ? null : usd / current.trades,
    median_trade_usd: current === null || usd === null ? null : current.median_usd,
  };
};

export interface PriceFacts {
  readonly history: PriceHistory;
  readonly end: number;
  readonly period_s: number;
  readonly native_usd: number | null;
  /** Unix seconds; null when no pool has a state. */
  readonly updated_at: number | null;
  /** Percent by which the deepest pool's own price moved in five minutes. */
  readonly moved_5m: number | null;
  /** The index has every hour of the token's life. */
  readonly is_whole_life: boolean;
}

export const priceOf = (facts: PriceFacts): MarketPrice => {
  const { history, end, native_usd } = facts;
  const usd = history.now?.price_usd ?? null;
  const { high, low } = rangeOf(history, end);
  const highest = facts.is_whole_life ? history.highest : null;
  const since = (age: keyof typeof CHANGE_AGES) => changePercent(usd, history.at(end - CHANGE_AGES[age]));
  return {
    usd,
    native: usd === null || native_usd === null ? null : usd / native_usd,
    confidence: history.now?.confidence ?? null,
    cost_to_move_usd: history.now?.cost_to_move_usd ?? null,
    source: history.now?.method ?? null,
    updated_at: facts.updated_at === null ? null : iso(facts.updated_at),
    change_percent: {
      "5m": facts.moved_5m,
      "1h": since("1h"),
      "6h": since("6h"),
      "24h": since("24h"),
      "7d": since("7d"),
      "30d": since("30d"),
    },
    high_24h: high,
    low_24h: low,
    ath_usd: highest?.price_usd ?? null,
    ath_at: highest === null ? null : iso(highest.hour),
    candles: candlesOf(history, end, facts.period_s),
  };
};

export const suppliesOf = (supply: Supply, price: SalePrice | null, liquidity_usd: number | null) => {
  const { total_supply, burned, circulating, decimals } = supply;
  const shown = (raw: bigint | null) =>
    raw === null ? null : { amount: decimals === null ? null : toAmount(raw, decimals), amount_raw: raw.toString() };
  const value = marketValueOf(supply, price, liquidity_usd);
  const fdv_usd =
    total_supply === null || decimals === null || price === null
      ? null
      : toAmount(total_supply, decimals) * price.price_usd;
  const is_fdv_thin = fdv_usd !== null && price !== null && isTooThin(fdv_usd, price, liquidity_usd);
  return {
    supply: { total: shown(total_supply), circulating: shown(circulating), burned: shown(burned), max: null },
    market_cap_usd: value.market_cap_usd,
    unrealizable_market_cap_usd: value.unrealizable_market_cap_usd,
    depth_ratio: value.depth_ratio,
    fdv_usd: is_fdv_thin ? null : fdv_usd,
    gaps: { market_cap: value.gap, fdv: is_fdv_thin ? TOO_THIN : "it needs a total supply and a price" },
  };
};

/** Inputs of the signals. */
export interface SignalFacts {
  readonly values: readonly PoolValue[];
  /** Other pools, of unknown contents. */
  readonly unknown_pools: number;
  readonly total_usd: number | null;
  /** The same 24 hours before. */
  readonly total_usd_before: number | null;
  readonly trading: TokenTrading;
  readonly volume: MarketVolume;
  readonly age_days: number | null;
  readonly end: number;
  /** Unix seconds of the token's first trade; null when not known. */
  readonly traded_since: number | null;
}

const washPercent = ({ wash }: TokenTrading): number | null =>
  wash === null ? null : sharePercent(wash.washed, wash.traded);

/** With pools of unknown contents, a known liquidity counts only if it is enough without them. */
const knownLiquidity = ({ total_usd, unknown_pools }: SignalFacts): number | null =>
  unknown_pools > 0 && (total_usd ?? 0) < MARKET_THRESHOLDS.low_liquidity ? null : total_usd;

/** Shallower pools show no dislocation: a few trades of their own move their price. */
const DEPTH_USD_MIN = 5_000;

export const findSignals = (facts: SignalFacts) => {
  const { trading, end } = facts;
  const history = facts.traded_since === null ? null : dailyAmounts(trading, { end, since: facts.traded_since });
  const prices = facts.values.flatMap(({ depth_usd, price_usd }) =>
    depth_usd !== null && depth_usd >= DEPTH_USD_MIN && price_usd !== null ? [price_usd] : [],
  );
  const values: SignalValues = {
    volume_spike: history === null ? null : zScore(history.latest, history.before),
    liquidity_drop: changePercent(facts.total_usd, facts.total_usd_before),
    buy_pressure: sharePercent(facts.volume.buy_usd, facts.volume.usd),
    price_dislocation: spreadPercent(prices),
    low_liquidity: knownLiquidity(facts),
    new_token: facts.age_days,
    wash_suspected: washPercent(trading),
  };
  return { ...signalsOf(values), thresholds: MARKET_THRESHOLDS };
};

export const qualityOf = ({ trading, volume, total_usd, values, unknown_pools }: SignalFacts): MarketQuality => ({
  wash_volume_percent: washPercent(trading),
  volume_to_liquidity_ratio:
    volume.usd === null || total_usd === null || total_usd === 0 ? null : volume.usd / total_usd,
  single_pool: values.filter(({ at }) => at.own > 0n || at.other > 0n).length + unknown_pools === 1,
});

const REASONS: { readonly [code: string]: string } = {
  volume_spike: "fewer than 7 whole days of trading before, or all of them equal",
  liquidity_drop: "no liquidity with a value 24 hours before",
  buy_pressure: "no trade with a price inside the timeframe",
  price_dislocation: "fewer than two pools deep enough for a price",
  low_liquidity: "no pool has known contents at a known price",
  new_token: "the index does not cover its creation",
  wash_suspected: "no trade inside the timeframe",
};

/** Why domain figures are null; null or unset when they are known. */
interface UnknownReasons {
  readonly liquidity: string | null;
  readonly circulating: string | null;
  readonly market_cap: string | null;
  readonly fdv: string;
  /** The token's events do not show its holders. */
  readonly is_doubtful: boolean;
}

/** The fields that are null, and why. */
export const missingOf = (
  answer: MarketFigures,
  unknown: readonly string[],
  reasons: UnknownReasons,
): MissingFigures => {
  const { price, volume, liquidity, supply, trades } = answer;
  const is_native = answer.token.address === "native";
  const no_holders = reasons.is_doubtful ? SUMS_REASON : "the index does not cover the whole history";
  const no_supply = is_native ? "a coin has no contract that reports it" : "the contract reports none";
  const rows: readonly (readonly [string, unknown, string])[] = [
    ["token.decimals", answer.token.decimals, "the token's decimals are unknown"],
    ["price.usd", price.usd, "no pool is deep enough against a priced token"],
    ["price.change_percent.5m", price.change_percent["5m"], "no pool had a price five minutes before"],
    ["price.ath_usd", price.ath_usd, "no price, or the index does not reach back to the token's creation"],
    ["volume.usd", volume.usd, "a trade was in an hour without a price"],
    ["volume.change_percent", volume.change_percent, "no trade with a price in the period before"],
    ["trades.avg_trade_usd", trades.avg_trade_usd, "no trade, or one without a price"],
    ["liquidity.total_usd", liquidity.total_usd, reasons.liquidity ?? ""],
    ["liquidity.depth", liquidity.depth.minus_2pct_usd, "a pool's fee, positions or prices are not known"],
    ["supply.total", supply.total, no_supply],
    ["supply.circulating", supply.circulating, reasons.circulating ?? ""],
    ["supply.max", supply.max, "no standard reports a maximum"],
    ["market_cap_usd", answer.market_cap_usd, reasons.market_cap ?? ""],
    ["fdv_usd", answer.fdv_usd, reasons.fdv],
    ["holders_count", answer.holders_count, no_holders],
    ["holders_change_24h", answer.holders_change_24h, no_holders],
    [
      "token_age_days",
      answer.token_age_days,
      is_native ? "a coin is not created" : "the index does not cover its creation",
    ],
  ];
  return [
    ...rows.filter(([, value]) => value === null).map(([field, , reason]) => ({ field, reason })),
    ...unknown.map((code) => ({ field: `signals.${code}`, reason: REASONS[code] ?? "not known" })),
  ];
};

/** Whole days between two moments. */
export const ageDays = (created_at: number | null, end: number): number | null =>
  created_at === null ? null : Math.floor((end - created_at) / DAY_S);
