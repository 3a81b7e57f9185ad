import type { PriceMethod } from "../../valuation/prices/quotes.ts";
import type { Candle } from "./candles.ts";
import type { SignalCode } from "./signals.ts";

/**
 * Market figures of a token from the verified pools of one network. USD at prices of the hour, amounts in whole tokens.
 */

export interface MarketPrice {
  usd: number | null;
  /** In coins of the network. */
  native: number | null;
  confidence: "low" | "medium" | "high" | null;
  cost_to_move_usd: number | null;
  source: PriceMethod | null;
  updated_at: string | null;
  change_percent: { [age in "5m" | "1h" | "6h" | "24h" | "7d" | "30d"]: number | null };
  high_24h: number | null;
  low_24h: number | null;
  ath_usd: number | null;
  ath_at: string | null;
  candles: Candle[];
}

/** Of the timeframe. Null where a trade has no price. */
export interface MarketVolume {
  usd: number | null;
  buy_usd: number | null;
  sell_usd: number | null;
  amount: number | null;
  amount_raw: string;
  change_percent: number | null;
}

export interface MarketTrades {
  count: number;
  buys: number;
  sells: number;
  unique_buyers: number;
  unique_sellers: number;
  unique_traders: number;
  avg_trade_usd: number | null;
  median_trade_usd: number | null;
}

export interface TopPool {
  address: string;
  dex: string;
  pair: string;
  fee_percent: number | null;
  liquidity_usd: number | null;
  volume_24h_usd: number | null;
  created_at: string | null;
  lp_locked_percent: number | null;
}

export interface MarketLiquidity {
  total_usd: number | null;
  pool_count: number;
  pools_without_value: number;
  top_pools: TopPool[];
  depth: { minus_2pct_usd: number | null; plus_2pct_usd: number | null };
}

interface SuppliedAmount {
  amount: number | null;
  amount_raw: string;
}

export interface MarketSupply {
  total: SuppliedAmount | null;
  circulating: SuppliedAmount | null;
  burned: SuppliedAmount | null;
  max: SuppliedAmount | null;
}

export interface MarketQuality {
  wash_volume_percent: number | null;
  volume_to_liquidity_ratio: number | null;
  single_pool: boolean;
}

/** The figures of a market. */
export interface MarketFigures {
  token: { address: string; symbol: string | null; name: string | null; decimals: number | null };
  price: MarketPrice;
  volume: MarketVolume;
  trades: MarketTrades;
  liquidity: MarketLiquidity;
  supply: MarketSupply;
  market_cap_usd: number | null;
  unrealizable_market_cap_usd: number | null;
  depth_ratio: number | null;
  fdv_usd: number | null;
  holders_count: number | null;
  holders_change_24h: number | null;
  token_age_days: number | null;
  signals: { code: SignalCode; value: number; threshold: number }[];
  quality: MarketQuality;
}

/** The same with the inputs of its signals, and the reasons for null figures. */
export interface MarketReport extends MarketFigures {
  thresholds: { [C in SignalCode]: number };
  unavailable: { field: string; reason: string }[];
}
