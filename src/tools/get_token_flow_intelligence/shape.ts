import * as z from "zod";
import { COHORTS } from "../../domain/address/cohorts/definitions.ts";
import type { TIMEFRAMES } from "../../domain/wallet/flows/groups/read.ts";
import { asOfBlock, metadata, network, token, unavailable } from "../fields.ts";
import type { ToolInput } from "../tool.ts";

const NAMES = ["5m", "1h", "6h", "12h", "1d", "7d"] as const satisfies readonly (keyof typeof TIMEFRAMES)[];

export const input = z.strictObject({
  token_address: token("Token address, or `native` for the network's native coin."),
  network: network(),
  timeframe: z.enum(NAMES).default("1d").describe("Length of the window, which ends at the as-of block."),
  as_of_block: asOfBlock(),
});

const usd = (description: string) => z.number().nullable().describe(description);

const wallet = z.strictObject({
  address: z.string(),
  label: z.string().nullable(),
  net_flow_usd: usd("Null when one of its flows had no price."),
  net_flow_amount: z.number().nullable(),
  net_flow_raw: z.string(),
});

const flow = z.strictObject({
  net_flow_usd: usd("USD received minus paid, each hour at its own price; null when an hour with a flow has no price."),
  net_flow_amount: z.number().nullable().describe("Amount in whole tokens; null when its decimals are unknown."),
  net_flow_raw: z.string(),
  inflow_usd: usd("USD received from outside the cohort."),
  outflow_usd: usd("USD paid to outside the cohort."),
  avg_flow_usd: usd("Mean net flow of the preceding windows of this length, over 30 days or the token's life."),
  wallet_count: z.int().describe("Cohort members with any transfer, transfers among themselves included."),
  top_wallets: z.array(wallet).describe("At most five, largest net flow first."),
});
const known = flow.nullable();

const rule = z.strictObject({
  cohort: z.enum([...COHORTS, "unclassified"]),
  rule: z.string(),
  categories: z.array(z.string()),
  thresholds: z.array(z.strictObject({ name: z.string(), value: z.number() })),
});

export const output = z.strictObject({
  type: z.literal("token_flow_intelligence"),
  flows: z.strictObject({
    exchange: known,
    public_figure: known,
    fund: known,
    smart_trader: known,
    top_pnl: known,
    whale: known,
    fresh_wallets: known.describe("Null for timeframes below `1d`."),
  }),
  overlap_wallet_count: z.int().describe("Addresses with a flow that belong to two or more cohorts."),
  unclassified: flow.describe("All addresses outside the cohorts, with pools, without zero and burn addresses."),
  price_usd: usd("Price at the as-of block; null without a market that is deep enough."),
  price_change_percent: usd("Percent change since the hour in which the window begins; null without both prices."),
  definitions: z.strictObject({
    version: z.string(),
    smart_traders_of: z.string().describe("Day of the smart-trader list."),
    average_days: z.int(),
    average_windows: z.int().describe("Number of windows averaged in `avg_flow_usd`, which is null when this is 0."),
    rules: z.array(rule),
  }),
  window: z.strictObject({ from: z.string(), to: z.string() }),
  unavailable,
  metadata: metadata({ token_address: z.string(), timeframe: z.enum(NAMES) }),
});

export type IntelligenceInput = ToolInput<typeof input>;
export type IntelligenceOutput = z.output<typeof output>;
export type CohortFlow = z.output<typeof flow>;
