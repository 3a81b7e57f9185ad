import * as z from "zod";
import {
  address,
  asOfBlock,
  chainText,
  date,
  heldOutcome,
  includeSpam,
  metadata,
  networks,
  page,
  pagination,
  recordsPerPage,
  unavailable,
  uncostedValue,
} from "../fields.ts";
import type { Asked } from "../tool.ts";

export const input = z.strictObject({
  address: address("Wallet whose profit and loss to compute."),
  network: networks(),
  from_date: date("First day of the window (UTC, included). Default: 89 days before `to_date`."),
  to_date: date("Last day of the window (UTC, included). Default: the day of the newest block."),
  page: page(),
  records_per_page: recordsPerPage(),
  include_spam: includeSpam(),
  cost_basis_method: z.enum(["average", "fifo"]).default("average").meta({
    description: "`average`: what is sold costs the average of what is held. `fifo`: what came first is sold first.",
  }),
  as_of_block: asOfBlock(),
});

const usd = (description: string) => z.number().meta({ description });
const unknownUsd = (description: string) => z.number().nullable().meta({ description });

const trading = z.strictObject({
  buy_count: z.int(),
  sell_count: z.int(),
  bought_amount: z.number().nullable(),
  bought_amount_raw: z.string(),
  bought_usd: usd("Value of all purchases; an unpriced trade adds nothing."),
  sold_amount: z.number().nullable(),
  sold_amount_raw: z.string(),
  sold_usd: usd("Proceeds of all sales; an unpriced trade adds nothing."),
  avg_buy_price_usd: z.number().nullable(),
  avg_sell_price_usd: z.number().nullable(),
  cost_basis_usd: usd("Cost of the costed part of what is left at the end of the window."),
  avg_cost_usd: unknownUsd("Cost of one costed token; null when none is left."),
  received_amount: z.number().nullable(),
  received_amount_raw: z.string(),
  received_cost_usd: usd("Market value of receipts that were newly valued (returns from a contract keep their cost)."),
  income_usd: usd("The part of it that is income: mints, rewards, claims, more out of a contract than went in."),
  sent_amount: z.number().nullable(),
  sent_amount_raw: z.string().meta({ description: "With what was parked in contracts and accounts, without fees." }),
  sent_to_exchange_amount: z.number().nullable(),
  bridged_in_amount: z.number().nullable().meta({ description: "Arrived from a known bridge, at market value." }),
  bridged_out_amount: z.number().nullable().meta({ description: "Left by a known bridge, with its cost." }),
  borrowed_amount: z.number().nullable(),
  repaid_amount: z.number().nullable(),
  uncosted_amount: z.number().nullable(),
  uncosted_value_usd: uncostedValue,
  proceeds_without_cost_usd: usd("Proceeds of what had no known cost. Not in the realised PnL."),
  gas_fees_usd: unknownUsd(
    "Fees of this token's trades, shared between the tokens of a trade; null: no price of the coin.",
  ),
  first_trade_at: z.string().nullable(),
  last_trade_at: z.string().nullable(),
  avg_holding_days: z.number().nullable().meta({ description: "Of what was sold, weighted by quantity." }),
  max_balance: z.number().nullable().meta({ description: "Largest balance of all time." }),
});

const row = z.strictObject({
  token_symbol: chainText("Omitted when the token tells none.").optional(),
  token_address: z.string().meta({ description: "`native` stands for the coin of the network and its wrapped form." }),
  wrapped_address: z
    .string()
    .nullable()
    .meta({ description: "Of `native`: the wrapped coin that is counted with it; null for other tokens." }),
  token_id: z.string().nullable().meta({ description: "Of the NFT that holds a pool position; null for tokens." }),
  chain: z.string(),
  ...heldOutcome,
  pnl: z.strictObject({
    realized_usd: usd("Of sales inside the window."),
    unrealized_usd: usd("At the end of the window, since acquisition.").optional(),
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
      .meta({ description: "0 where nobody can sell it (`drained`, `unsellable`)." }),
    last_market_value_usd: unknownUsd("Of what cannot be sold: its value at the last price of a market."),
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

const totals = {
  total_tokens: z.int(),
  total_realized_pnl_usd: z.number(),
  total_unrealized_pnl_usd: z.number(),
  total_pnl_usd: z.number(),
  profitable_tokens: z.int(),
  losing_tokens: z.int(),
  neutral_tokens: z.int(),
  unpriced_tokens: z.int(),
  unpriced_cost_usd: usd("Cost of what is held and has no price; in no profit and no loss."),
  uncosted_value_usd: usd(
    "Value of what is held without a known cost, as far as it has a price; in no profit and no loss.",
  ),
  proceeds_without_cost_usd: usd("Proceeds of what was sold without a known cost; in no profit and no loss."),
};

const described = metadata({
  address: z.string(),
  date_range: z.strictObject({ from: z.string(), to: z.string() }),
  cost_basis_method: z.enum(["average", "fifo"]),
  cost_coverage_percent: z
    .number()
    .nullable()
    .meta({ description: "Share of proceeds and holdings, by value, whose cost is known." }),
});

/** The answer where profits are computed. */
export const detailed = z.strictObject({
  type: z.literal("pnl_detailed"),
  note: z.string(),
  summary: z.strictObject({
    ...totals,
    all_tokens: z.strictObject(totals).meta({ description: "The same over the rows of every page." }),
    win_rate_percent: z
      .number()
      .nullable()
      .meta({ description: "Sales with a gain among those with a known cost, over the rows of every page." }),
    gas_fees_usd: unknownUsd("All fees that the wallet paid inside the window, failed transactions included."),
    hidden_spam: z.int(),
  }),
  data: z.array(row),
  by_network: z
    .array(
      z.strictObject({
        network: z.string(),
        ...totals,
        win_rate_percent: z.number().nullable(),
        gas_fees_usd: z.number().nullable(),
        hidden_spam: z.int(),
        cost_coverage_percent: z.number().nullable(),
      }),
    )
    .meta({ description: "Each network's part of the sums over the rows of every page. Books are kept per network." }),
  pagination,
  metadata: described,
});

/** On networks without profits `type` and `note` say so, and there are no rows. */
export const output = detailed.extend({
  type: z.enum(["pnl_detailed", "pnl_unavailable"]),
  summary: detailed.shape.summary.optional(),
  data: detailed.shape.data.optional(),
  by_network: detailed.shape.by_network.optional(),
  pagination: pagination.optional(),
});

export type Input = Asked<typeof input>;
export type PnlOutput = z.output<typeof output>;
export type DetailedPnl = z.output<typeof detailed>;
export type OutputRow = z.output<typeof row>;
