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
import { thinMarket } from "../worth_fields.ts";

export const TIMEFRAMES = { "1h": 3_600, "6h": 21_600, "24h": 86_400, "7d": 604_800, "30d": 2_592_000 } as const;
// Object.keys forgets the keys; they are those of TIMEFRAMES.
const NAMES = Object.keys(TIMEFRAMES) as [keyof typeof TIMEFRAMES];

export const input = z.strictObject({
  token_address: token("Token address, or `native` for the network's native coin (its pools trade the wrapped form)."),
  network: network(),
  timeframe: z.enum(NAMES).default("24h").describe("Period of volume, trades and wash detection, to the as-of block."),
  as_of_block: asOfBlock(),
});

const numberField = (description: string) => z.number().nullable().describe(description);
const percent = (description: string) => numberField(`${description} Percent.`);

const candle = z.strictObject({
  from: z.string(),
  to: z.string().describe("Outside."),
  open_usd: numberField(
    "Opening price: that of the preceding hour when it has one. All four prices are null when no hour of the candle has a price.",
  ),
  high_usd: z.number().nullable(),
  low_usd: z.number().nullable(),
  close_usd: z.number().nullable(),
});

const price = z.strictObject({
  usd: numberField("USD price of the current hour; null without a market that is deep enough."),
  native: numberField("The same price in the network's native coin."),
  confidence: z.enum(["low", "medium", "high"]).nullable(),
  source: z
    .enum(["anchor", "market", "last", "operator"])
    .nullable()
    .describe(
      "`anchor`: a dollar coin at its peg; `market`: verified pools at the ends of this hour's blocks; `last`: carried from an earlier hour; `operator`: the operator's price.",
    ),
  cost_to_move_usd: numberField(
    "USD that would move the price by 10 % for the hour; `confidence` follows from it. Null where no pool sets the price.",
  ),
  updated_at: z.string().nullable().describe("Time at which a verified pool last changed its price."),
  change_percent: z.strictObject({
    "5m": percent("Change of the deepest pool's own price."),
    "1h": percent("Change between hourly prices, as for the longer periods."),
    "6h": z.number().nullable(),
    "24h": z.number().nullable(),
    "7d": z.number().nullable(),
    "30d": z.number().nullable(),
  }),
  high_24h: numberField("Highest hourly price of the last 24 hours."),
  low_24h: numberField("Lowest hourly price of the last 24 hours."),
  ath_usd: numberField("Highest hourly price ever; null when the index does not cover the token's whole life."),
  ath_at: z.string().nullable(),
  candles: z.array(candle).describe("Candles of hourly prices over the timeframe; the last one ends with this hour."),
});

const volume = z.strictObject({
  usd: numberField("USD traded in verified pools in the timeframe, each trade at its hourly price."),
  buy_usd: z.number().nullable(),
  sell_usd: z.number().nullable(),
  amount: numberField("The same volume in whole tokens."),
  amount_raw: z.string(),
  change_percent: percent("Change from the preceding period of the same length."),
});

const trades = z.strictObject({
  count: z.int().describe("Number of swaps."),
  buys: z.int(),
  sells: z.int(),
  unique_buyers: z.int(),
  unique_sellers: z.int(),
  unique_traders: z.int().describe("Distinct senders of the swap transactions."),
  avg_trade_usd: z.number().nullable(),
  median_trade_usd: z.number().nullable(),
});

const topPool = z.strictObject({
  address: z.string(),
  dex: z.string(),
  pair: chainText("Symbols of both tokens."),
  fee_percent: z.number().nullable(),
  liquidity_usd: numberField("USD value of both sides, at the pool's own price."),
  volume_24h_usd: z.number().nullable(),
  created_at: z.string().nullable(),
  lp_locked_percent: percent("Pool shares at burn addresses and in unexpired locks; null for pools without shares."),
});

const liquidity = z.strictObject({
  total_usd: numberField(LIQUIDITY_MEANING),
  pool_count: z.int().describe("Number of pools of known factories."),
  pools_without_value: z
    .int()
    .describe("Pools without a value: neither side has a price, or the pool's holdings are unknown (Curve, Balancer)."),
  top_pools: z.array(topPool),
  depth: z.strictObject({
    minus_2pct_usd: numberField(
      "USD that sellers receive until the price falls by 2 %, computed per pool with its own formula.",
    ),
    plus_2pct_usd: numberField("USD that buyers pay until the price rises by 2 %, fees included."),
  }),
});

const amount = z.strictObject({ amount: z.number().nullable(), amount_raw: z.string() });

// fromEntries forgets the keys; they are those of MARKET_THRESHOLDS.
const thresholds = Object.fromEntries(Object.keys(MARKET_THRESHOLDS).map((code) => [code, z.number()])) as {
  [C in SignalCode]: z.ZodNumber;
};
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
    circulating: amount.nullable().describe(CIRCULATING_MEANING),
    burned: amount.nullable(),
    max: amount.nullable(),
  }),
  market_cap_usd: numberField("supply.circulating times price.usd; null where the pools are too thin for it."),
  ...thinMarket,
  fdv_usd: numberField("Total supply times price.usd."),
  holders_count: z.int().nullable(),
  holders_change_24h: z.int().nullable(),
  token_age_days: z.int().nullable(),
  signals: z
    .array(z.strictObject({ code: z.enum(codes), value: z.number(), threshold: z.number() }))
    .describe("Signals whose value exceeds its threshold. Signals that could not be computed are in `unavailable`."),
  thresholds: z.strictObject(thresholds),
  quality: z.strictObject({
    wash_volume_percent: percent(
      "Share of volume from wash trading: one trader with at least 3 purchases and 3 sales within 24 hours whose net change is at most 1 % of the amount moved.",
    ),
    volume_to_liquidity_ratio: z.number().nullable(),
    single_pool: z.boolean().describe("True when a single verified pool holds all the liquidity."),
  }),
  unavailable,
  metadata: metadata({ token_address: z.string(), timeframe: z.enum(NAMES) }),
});
