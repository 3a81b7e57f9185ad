import * as z from "zod";
import { MARKET_THRESHOLDS, type SignalCode } from "../../domain/token/market/signals.ts";
import {
  asOfBlock,
  CIRCULATING_MEANING,
  chainText,
  LIQUIDITY_MEANING,
  metadata,
  network,
  token,
  unavailable,
} from "../fields.ts";

export const TIMEFRAMES = { "1h": 3_600, "6h": 21_600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 } as const;
// Object.keys forgets the keys; they are those of TIMEFRAMES.
const NAMES = Object.keys(TIMEFRAMES) as [keyof typeof TIMEFRAMES];

export const input = z.strictObject({
  token_address: token("Token, or `native` for the coin of the network (its pools trade the wrapped form)."),
  network: network(),
  timeframe: z.enum(NAMES).default("24h").meta({
    description: "Period that volume, trades and wash detection look at. It ends at the block that is answered about.",
  }),
  as_of_block: asOfBlock(),
});

const told = (description: string) => z.number().nullable().meta({ description });
const percent = (description: string) => told(`${description} Percent.`);

const candle = z.strictObject({
  from: z.string(),
  to: z.string().meta({ description: "Outside." }),
  open_usd: told(
    "Price of the hour before, where that has one. All four are null when no hour of the stretch has a price.",
  ),
  high_usd: z.number().nullable(),
  low_usd: z.number().nullable(),
  close_usd: z.number().nullable(),
});

const price = z.strictObject({
  usd: told("Price of the hour; null without a market that is deep enough."),
  native: told("The same in coins of the network."),
  confidence: z.enum(["low", "medium", "high"]).nullable(),
  source: z.enum(["anchor", "vwap", "mid", "last", "operator"]).nullable().meta({
    description: "Dollar coin at its peg, trades of this hour, state of the pools, or carried from before.",
  }),
  updated_at: z.string().nullable().meta({ description: "When a verified pool last changed its price." }),
  change_percent: z.strictObject({
    "5m": percent("Of the deepest pool's own price."),
    "1h": percent("Between hourly prices, as the longer ones."),
    "6h": z.number().nullable(),
    "24h": z.number().nullable(),
    "7d": z.number().nullable(),
    "30d": z.number().nullable(),
  }),
  high_24h: told("Highest hourly price of the last 24 hours."),
  low_24h: told("Lowest hourly price of the last 24 hours."),
  ath_usd: told("Highest hourly price ever; null when the index does not know the token's whole life."),
  ath_at: z.string().nullable(),
  candles: z.array(candle).meta({ description: "Hourly prices of the timeframe; the last one ends with this hour." }),
});

const volume = z.strictObject({
  usd: told("Traded in verified pools inside the timeframe, each trade at its hour's price."),
  buy_usd: z.number().nullable(),
  sell_usd: z.number().nullable(),
  amount: told("The same in whole tokens."),
  amount_raw: z.string(),
  change_percent: percent("Against the same length of time before."),
});

const trades = z.strictObject({
  count: z.int().meta({ description: "Swaps." }),
  buys: z.int(),
  sells: z.int(),
  unique_buyers: z.int(),
  unique_sellers: z.int(),
  unique_traders: z.int().meta({ description: "Senders of the transactions." }),
  avg_trade_usd: z.number().nullable(),
  median_trade_usd: z.number().nullable(),
});

const topPool = z.strictObject({
  address: z.string(),
  dex: z.string(),
  pair: chainText("Symbols of both tokens."),
  fee_percent: z.number().nullable(),
  liquidity_usd: told("Both sides, at the pool's own price."),
  volume_24h_usd: z.number().nullable(),
  created_at: z.string().nullable(),
  lp_locked_percent: percent(
    "Shares of the pool at burn addresses and in locks that have not run out; null for positions.",
  ),
});

const liquidity = z.strictObject({
  total_usd: told(LIQUIDITY_MEANING),
  pool_count: z.int().meta({ description: "Pools of known factories." }),
  pools_without_value: z.int().meta({
    description: "Of these: neither side has a price, or nothing tells what the pool holds (Curve, Balancer).",
  }),
  top_pools: z.array(topPool),
  depth: z.strictObject({
    minus_2pct_usd: told("What sellers get until the token is worth 2 % less, in every pool by its own arithmetic."),
    plus_2pct_usd: told("What buyers pay until the token is worth 2 % more, fees included."),
  }),
});

const amount = z.strictObject({ amount: z.number().nullable(), amount_raw: z.string() });

// fromEntries forgets the keys; they are those of MARKET_THRESHOLDS.
const thresholds = Object.fromEntries(Object.keys(MARKET_THRESHOLDS).map((code) => [code, z.number()])) as {
  [C in SignalCode]: z.ZodNumber;
};
// The same keys again.
const codes = Object.keys(MARKET_THRESHOLDS) as [SignalCode];

export const output = z.strictObject({
  type: z.literal("token_market"),
  timeframe: z.enum(NAMES),
  token: z.strictObject({
    address: z.string(),
    symbol: chainText("Token symbol.").nullable(),
    name: chainText("Token name.").nullable(),
    decimals: z.int().nullable(),
  }),
  price,
  volume,
  trades,
  liquidity,
  supply: z.strictObject({
    total: amount.nullable(),
    circulating: amount.nullable().meta({ description: CIRCULATING_MEANING }),
    burned: amount.nullable(),
    max: amount.nullable(),
  }),
  market_cap_usd: told("supply.circulating at price.usd."),
  fdv_usd: told("total at price.usd."),
  holders_count: z.int().nullable(),
  holders_change_24h: z.int().nullable(),
  token_age_days: z.int().nullable(),
  signals: z.array(z.strictObject({ code: z.enum(codes), value: z.number(), threshold: z.number() })).meta({
    description: "Those whose value lies beyond its threshold; what could not be looked at is in `unavailable`.",
  }),
  thresholds: z.strictObject(thresholds),
  quality: z.strictObject({
    wash_volume_percent: percent(
      "Of the traded amount: one trader, within 24 hours at least 3 buying and 3 selling transactions that left at most 1 % of what they moved.",
    ),
    volume_to_liquidity_ratio: z.number().nullable(),
    single_pool: z.boolean().meta({ description: "Only one verified pool holds anything." }),
  }),
  unavailable,
  metadata: metadata({ token_address: z.string(), timeframe: z.enum(NAMES) }),
});
