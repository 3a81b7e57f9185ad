import * as z from "zod";
import { COHORTS } from "../../domain/address/cohorts/definitions.ts";
import type { TIMEFRAMES } from "../../domain/wallet/flows/groups/read.ts";
import { asOfBlock, metadata, network, token, unavailable } from "../fields.ts";
import type { Asked } from "../tool.ts";

const NAMES = ["5m", "1h", "6h", "12h", "1d", "7d"] as const satisfies readonly (keyof typeof TIMEFRAMES)[];

export const input = z.strictObject({
  token_address: token("Token, or `native` for the coin of the network."),
  network: network(),
  timeframe: z.enum(NAMES).default("1d").meta({ description: "Length of the window that ends at the answer's block." }),
  as_of_block: asOfBlock(),
});

const usd = (description: string) => z.number().nullable().meta({ description });

const wallet = z.strictObject({
  address: z.string(),
  label: z.string().nullable(),
  net_flow_usd: usd("Null when a flow of it had no price."),
  net_flow_amount: z.number().nullable(),
  net_flow_raw: z.string(),
});

const flow = z.strictObject({
  net_flow_usd: usd("Received minus paid, each hour at its price; null when an hour with a flow has none."),
  net_flow_amount: z.number().nullable().meta({ description: "Null when the token does not tell its decimals." }),
  net_flow_raw: z.string(),
  inflow_usd: usd("From outside of the cohort."),
  outflow_usd: usd("To outside of the cohort."),
  avg_flow_usd: usd("Mean net flow of the windows of this length before this one, over 30 days or the token's life."),
  wallet_count: z.int().meta({ description: "Members with any flow, also among themselves." }),
  top_wallets: z.array(wallet).meta({ description: "At most five, largest net flow first." }),
});
/** Null: nothing is known of this cohort; `unavailable` says why. */
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
    fresh_wallets: known.meta({ description: "Null below 1d." }),
  }),
  overlap_wallet_count: z.int().meta({ description: "Addresses with a flow that are in two cohorts or more." }),
  unclassified: flow.meta({ description: "Everybody in no cohort, pools included; not the void and burn addresses." }),
  price_usd: usd("At the answer's block."),
  price_change_percent: usd("Against the hour in which the window begins."),
  definitions: z.strictObject({
    version: z.string(),
    smart_traders_of: z.string().meta({ description: "Day of the list of smart traders." }),
    average_days: z.int(),
    average_windows: z.int().meta({ description: "How many windows `avg_flow_usd` is the mean of; 0: it is null." }),
    rules: z.array(rule),
  }),
  window: z.strictObject({ from: z.string(), to: z.string() }),
  unavailable,
  metadata: metadata({ token_address: z.string(), timeframe: z.enum(NAMES) }),
});

export type Input = Asked<typeof input>;
export type IntelligenceOutput = z.output<typeof output>;
export type CohortFlow = z.output<typeof flow>;
