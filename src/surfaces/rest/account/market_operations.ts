/** Prices at past hours, candles and trades, from the index alone. Free of charge. */
import { z } from "zod";
import { AssayError } from "../../../lib/errors.ts";
import { definer } from "../../operations/operation.ts";
import type { AccountContext } from "./operations.ts";

const CANDLE_INTERVALS = ["1h", "4h", "1d", "1w"] as const;

const TRADES_MAX = 200;

const network = z.string().min(1).max(100);
const token = z.string().min(1).max(100).meta({ description: "Address, or `native`." });
const moment = z.string().min(4).max(40).meta({ description: "A date (2026-01-31) or a date-time in UTC." });
const usd = z.number().nullable();

const basis = {
  network: z.string(),
  as_of: z.strictObject({ block_number: z.int(), block_hash: z.string(), time: z.string() }),
  coverage_from: z.string().nullable().meta({ description: "Earlier blocks are not indexed; null when all are." }),
};

const priceAnswer = z.strictObject({
  ...basis,
  token: z.string(),
  hour: z.string().meta({ description: "First second of the hour that has the price." }),
  price_usd: usd,
  method: z.enum(["anchor", "market", "last", "operator"]).nullable(),
  confidence: z.enum(["low", "medium", "high"]).nullable(),
  cost_to_move_usd: usd.meta({ description: "Cost of moving the price by 2 %." }),
  reason: z.string().nullable().meta({ description: "Why there is no price." }),
});

const candle = z.strictObject({
  from: z.string(),
  to: z.string(),
  ...{ open_usd: usd, high_usd: usd, low_usd: usd, close_usd: usd },
  trades: z.int().nullable().meta({ description: "Null where the first block of the candle is not indexed." }),
  volume_usd: usd.meta({ description: "Null also where a trade was in an hour without a price." }),
});

const candlesAnswer = z.strictObject({
  ...basis,
  token: z.string(),
  interval: z.enum(CANDLE_INTERVALS),
  candles: z.array(candle),
});

const amount = z.strictObject({
  token: z.string(),
  symbol: z.string().nullable(),
  amount: z.number().nullable(),
  amount_raw: z.string(),
});

const trade = z.strictObject({
  time: z.string(),
  block_number: z.int(),
  tx_hash: z.string().nullable(),
  pool: z.string(),
  trader: z.string(),
  sold: amount,
  bought: amount,
});

const tradesAnswer = z.strictObject({
  ...basis,
  trades: z.array(trade).meta({ description: "The newest first, net of round trips inside a transaction." }),
  next: z.string().nullable().meta({ description: "`before` of the next page; null on the last one." }),
});

export interface PriceRequest {
  readonly network: string;
  readonly token: string;
  /** Null: now. */
  readonly at: string | null;
}

export interface CandlesRequest extends Omit<PriceRequest, "at"> {
  readonly from: string;
  readonly to: string | null;
  readonly interval: (typeof CANDLE_INTERVALS)[number];
}

export interface TradesRequest {
  readonly network: string;
  readonly token: string | null;
  readonly wallet: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Market data of the index of this process. Each throws AssayError BAD_FIELD for what it does not know. */
export interface MarketData {
  price(request: PriceRequest, signal: AbortSignal): Promise<z.output<typeof priceAnswer>>;
  candles(request: CandlesRequest, signal: AbortSignal): Promise<z.output<typeof candlesAnswer>>;
  trades(request: TradesRequest, signal: AbortSignal): Promise<z.output<typeof tradesAnswer>>;
}

const define = definer<AccountContext>();

/** How long a read may take. */
const READ_MS = 15_000;

const marketOf = ({ market }: AccountContext): MarketData => {
  if (market !== null) return market;
  const message = "This service has no index.";
  throw new AssayError({ code: "MARKET_OFF", message, public: message });
};

const oneOf = (token_address: string | undefined, wallet: string | undefined): void => {
  if ((token_address === undefined) !== (wallet === undefined)) return;
  const message = "Send either 'token' or 'wallet'.";
  throw new AssayError({ code: "BAD_FIELD", message, public: message });
};

export const marketOperations = {
  show_market_price: define({
    method: "GET",
    path: "/api/market/price",
    summary: "Get the USD price of a token in an hour, with its method and confidence. Free of charge.",
    input: z.strictObject({ network, token, at: moment.optional() }),
    output: priceAnswer,
    run: (desk, { at = null, ...request }) => marketOf(desk).price({ ...request, at }, AbortSignal.timeout(READ_MS)),
  }),
  list_market_candles: define({
    method: "GET",
    path: "/api/market/candles",
    summary: "List candles of a token, at most 400, with trades and volume in verified pools. Free of charge.",
    input: z.strictObject({
      network,
      token,
      from: moment,
      to: moment.optional(),
      interval: z.enum(CANDLE_INTERVALS).default("1d"),
    }),
    output: candlesAnswer,
    run: (desk, { to = null, ...request }) => marketOf(desk).candles({ ...request, to }, AbortSignal.timeout(READ_MS)),
  }),
  list_market_trades: define({
    method: "GET",
    path: "/api/market/trades",
    summary: "List trades of a token in verified pools, or trades of a wallet, the newest first. Free of charge.",
    input: z.strictObject({
      network,
      token: token.optional(),
      wallet: z.string().min(1).max(100).optional(),
      before: z.string().max(100).optional(),
      limit: z.coerce.number().int().min(1).max(TRADES_MAX).default(50),
    }),
    output: tradesAnswer,
    run(desk, { network: id, token: of = null, wallet = null, before = null, limit }) {
      oneOf(of ?? undefined, wallet ?? undefined);
      const request = { network: id, token: of, wallet, before, limit };
      return marketOf(desk).trades(request, AbortSignal.timeout(READ_MS));
    },
  }),
} as const;
