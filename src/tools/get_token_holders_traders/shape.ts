import * as z from "zod";
import {
  asOfBlock,
  CIRCULATING_MEANING,
  category,
  date,
  labelSource,
  metadata,
  network,
  party,
  token,
  unavailable,
  uncostedValue,
} from "../fields.ts";
import type { ToolInput } from "../tool.ts";
import { spotValue } from "../worth_fields.ts";

export const input = z.strictObject({
  token_address: token("Token address, or `native` for the network's native coin."),
  network: network(),
  limit: z.int().min(1).max(100).default(20).describe("Rows per list."),
  from_date: date("First day of the trading window (UTC, inclusive). Default: 29 days before `to_date`."),
  to_date: date("Last day of the trading window (UTC, inclusive). Default: the day of the newest block."),
  aggregate_by_entity: z
    .boolean()
    .default(false)
    .describe("One holder row per labelled entity, among the 1,000 largest holders. Traders are not merged."),
  as_of_block: asOfBlock(),
});

const volume = (description: string) => z.number().optional().describe(description);

const member = {
  address: z.string(),
  address_label: z.string().nullable(),
  category,
  label_source: labelSource,
  value_usd: z.number().optional().describe("USD that the verified pools would pay for the balance."),
  ...spotValue,
  token_balance: z.number().optional(),
  buy_volume_usd: volume("USD bought in verified pools in the window."),
  sell_volume_usd: volume("USD sold in verified pools in the window."),
  balance_raw: z
    .string()
    .nullable()
    .describe("Balance in base units; null when neither the token's events nor its contract report it."),
  tags: z.array(z.string()).nullable(),
  holder_type: z.enum(["eoa", "contract", "lp_pool", "locker", "exchange", "bridge", "burn", "issuer"]),
  balance_change_24h: z.number().nullable(),
  balance_change_7d: z.number().nullable(),
  balance_change_30d: z.number().nullable(),
  first_acquired_at: z.string().nullable(),
  funding_source: z.strictObject(party).nullable(),
  pnl: z
    .strictObject({
      realized_usd: z.number(),
      unrealized_usd: z.number(),
      total_usd: z.number(),
      uncosted_value_usd: uncostedValue,
      avg_cost_usd: z.number().nullable(),
    })
    .nullable()
    .describe(
      "The row of get_wallet_pnl over all time, except that tokens withdrawn from an NFT pool position count at their market value.",
    ),
};

const holder = z.strictObject({
  ...member,
  ownership_percentage: z.number().optional(),
  entity: z.string().nullable(),
  addresses_count: z.int().describe("Addresses merged into this row; 1 without `aggregate_by_entity`."),
});

const trader = z.strictObject({
  ...member,
  buy_count: z.int().describe("Transactions that bought the token."),
  sell_count: z.int().describe("Transactions that sold the token."),
  net_usd: z.number().nullable().describe("USD bought minus USD sold."),
  is_bot: z
    .boolean()
    .describe(
      "True when labelled a bot, when it sent three transactions in one block, or when it is active in all 24 hours of the day.",
    ),
});

const shares = z.strictObject({
  top1_percent: z.number(),
  top10_percent: z.number(),
  top50_percent: z.number(),
  top100_percent: z.number(),
});

const amount = z.strictObject({ amount: z.number().nullable(), amount_raw: z.string() });

export const output = z.strictObject({
  type: z.literal("token_holders_traders"),
  holders: z.array(holder),
  traders: z.array(trader),
  has_more_holders: z.boolean(),
  has_more_traders: z.boolean(),
  traders_unavailable_reason: z
    .enum(["no_dex_pool", "no_trades_in_window", "network_without_swap_index", "native_asset"])
    .nullable(),
  concentration: z
    .strictObject({
      all: shares,
      adjusted: shares.describe("Shares without pools, lockers, exchanges and bridges in the numerator."),
      gini: z.number(),
      hhi: z.number(),
      flag: z.enum(["high", "medium"]).nullable(),
      holders_ranked: z.int(),
    })
    .nullable(),
  supply: z.strictObject({
    total: amount.nullable(),
    burned: amount.nullable(),
    adjusted: amount.nullable().describe("Total supply minus burned, the base of the concentration."),
    circulating: amount.nullable().describe(CIRCULATING_MEANING),
  }),
  price_usd: z.number().nullable(),
  unavailable,
  metadata: metadata({
    token_address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
});

export type HoldersOutput = z.output<typeof output>;
export type HolderRow = z.output<typeof holder>;
export type TraderRow = z.output<typeof trader>;
export type MemberRow = Omit<HolderRow, "ownership_percentage" | "entity" | "addresses_count">;
export type HoldersInput = ToolInput<typeof input>;
