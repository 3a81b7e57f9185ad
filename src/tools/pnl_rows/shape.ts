import * as z from "zod";
import { chainText, holdingOutcome, unavailable, uncostedValue } from "../fields.ts";

const usd = (description: string) => z.number().describe(description);
export const unknownUsd = (description: string) => z.number().nullable().describe(description);

const trading = z.strictObject({
  buy_count: z.int(),
  sell_count: z.int(),
  bought_amount: z.number().nullable(),
  bought_amount_raw: z.string(),
  bought_usd: usd("USD value of all purchases; a trade without a price adds nothing."),
  sold_amount: z.number().nullable(),
  sold_amount_raw: z.string(),
  sold_usd: usd("USD proceeds of all sales; a trade without a price adds nothing."),
  avg_buy_price_usd: z.number().nullable(),
  avg_sell_price_usd: z.number().nullable(),
  cost_basis_usd: usd("USD cost of the holding at the end of the window, over the part with a known cost."),
  avg_cost_usd: unknownUsd("USD cost of one token, over the part with a known cost; null when nothing is left."),
  received_amount: z.number().nullable(),
  received_amount_raw: z.string(),
  received_cost_usd: usd(
    "USD market value of receipts that start a new cost basis. Tokens returned by a contract keep their cost.",
  ),
  income_usd: usd(
    "Part of received_cost_usd that is income: mints, rewards, claims, and returns beyond the amount deposited in a contract.",
  ),
  sent_amount: z.number().nullable(),
  sent_amount_raw: z.string().describe("Amount sent in base units, with deposits into contracts, without fees."),
  sent_to_exchange_amount: z.number().nullable(),
  bridged_in_amount: z.number().nullable().describe("Amount received from a known bridge, at market value."),
  bridged_out_amount: z.number().nullable().describe("Amount sent to a known bridge, with its cost."),
  borrowed_amount: z.number().nullable(),
  repaid_amount: z.number().nullable(),
  uncosted_amount: z.number().nullable(),
  uncosted_value_usd: uncostedValue,
  proceeds_without_cost_usd: usd("USD proceeds of sales without a known cost. Not in the realized profit."),
  gas_fees_usd: unknownUsd(
    "USD fees of this token's trades, split between the tokens of each trade; null when the native coin has no price.",
  ),
  first_trade_at: z.string().nullable(),
  last_trade_at: z.string().nullable(),
  avg_holding_days: z
    .number()
    .nullable()
    .describe("Average holding time of sold tokens in days, weighted by quantity; null without sales."),
  max_balance: z.number().nullable().describe("Largest balance ever held, in whole tokens."),
});

export const row = z.strictObject({
  token_symbol: chainText("Token symbol; omitted when the contract reports none.").optional(),
  token_address: z.string().describe("Token address; `native` for the network's native coin and its wrapped form."),
  wrapped_address: z.string().nullable().describe("For `native`, the wrapped coin counted with it; else null."),
  token_id: z.string().nullable().describe("Id of the NFT that holds a pool position; null for tokens."),
  chain: z.string(),
  ...holdingOutcome,
  pnl: z.strictObject({
    realized_usd: usd("Realized profit of sales in the window, in USD."),
    unrealized_usd: usd("Unrealized profit at the end of the window, since acquisition, in USD.").optional(),
    total_usd: z.number().optional(),
    realized_roi_percent: z.number().optional(),
    unrealized_roi_percent: z.number().optional(),
  }),
  holdings: z.strictObject({
    current_amount: z.number().optional(),
    current_amount_raw: z.string(),
    current_value_usd: z
      .number()
      .optional()
      .describe("USD value; 0 when the token cannot be sold (`drained`, `unsellable`)."),
    last_market_value_usd: unknownUsd("For a token that cannot be sold, its USD value at the last market price."),
    uncosted_amount: z.number().nullable(),
    price_usd: z.number().nullable(),
    price_confidence: z.enum(["low", "medium", "high"]).nullable(),
    decimals: z.int().nullable(),
  }),
  trading,
  is_spam: z.boolean(),
  spam_reasons: z.array(z.string()),
  unavailable,
});

export const totals = {
  total_tokens: z.int(),
  total_realized_pnl_usd: z.number(),
  total_unrealized_pnl_usd: z.number(),
  total_pnl_usd: z.number(),
  profitable_tokens: z.int(),
  losing_tokens: z.int(),
  neutral_tokens: z.int(),
  unpriced_tokens: z.int(),
  unpriced_cost_usd: usd("USD cost of holdings without a price; in no profit or loss."),
  uncosted_value_usd: usd("USD value of priced holdings without a known cost; in no profit or loss."),
  proceeds_without_cost_usd: usd("USD proceeds of sales without a known cost; in no profit or loss."),
};

export type OutputRow = z.output<typeof row>;
