import * as z from "zod";
import { SEGMENTS } from "../../domain/wallet/flows/segment.ts";
import { asOfBlock, date, metadata, network, page, pagination, recordsPerPage, token, unavailable } from "../fields.ts";
import type { ToolInput } from "../tool.ts";

export const INTERVALS = { "1h": 3_600, "1d": 86_400 } as const;

export const input = z.strictObject({
  token_address: token("Token address, or `native` for the network's native coin."),
  network: network(),
  from_date: date("First day (UTC, inclusive). Default: 29 days before `to_date`; at most 365 days in all."),
  to_date: date("Last day (UTC, inclusive). Default: the day of the newest block."),
  interval: z.enum(["1h", "1d"]).default("1d").describe("Length of one row; `1h` is limited to 14 days."),
  segment: z
    .enum(SEGMENTS)
    .default("all")
    .describe(
      "Holders to follow: all, labelled exchanges, whales at the start of the window, or a cohort (`smart_trader` fails until its list is built).",
    ),
  page: page(),
  records_per_page: recordsPerPage(),
  as_of_block: asOfBlock(),
});

const count = z.int().nullable();
const amount = z.number().nullable();
const amountField = (description: string) => amount.describe(description);

const movements = {
  transfer_count: count.describe("Transfers that touch the segment, without those of zero and to oneself."),
  unique_senders: count,
  unique_receivers: count,
  transfer_volume: amount,
  transfer_volume_raw: z.string().nullable(),
  transfer_volume_usd: amountField(
    "USD volume, each transfer at its hourly price; null when one of the hours has no price.",
  ),
  inflow_amount: amountField("Amount that entered the segment from outside; for `all`, the amount minted."),
  outflow_amount: amountField("Amount that left the segment; for `all`, the amount burned."),
  inflow_count: count,
  outflow_count: count,
  net_flow_amount: amount,
  net_flow_raw: z.string().nullable(),
  net_flow_usd: amount,
  minted: amountField("Amount minted, of the whole token."),
  burned: amountField("Amount destroyed or sent to a burn address, of the whole token."),
  dex_buy_usd: amountField("USD bought in verified pools by the segment's members."),
  dex_sell_usd: amountField("USD sold in verified pools by the segment's members."),
};

const row = z.strictObject({
  date: z.string().describe("UTC day, or the first second of the hour."),
  price_usd: amountField("USD price of the row's last hour; null without a market that is deep enough."),
  ...movements,
  segment_balance: amountField("Amount held by the segment at the end of the row, burn addresses excluded."),
  segment_balance_raw: z.string().nullable(),
  segment_value_usd: amount,
  holders_count: count.describe("Members of the segment with a balance at the end of the row."),
});

const largest = z.strictObject({
  tx_hash: z.string().nullable().describe("Null for coins issued by a block."),
  timestamp: z.string(),
  from: z.string(),
  to: z.string(),
  from_label: z.string().nullable(),
  to_label: z.string().nullable(),
  amount,
  amount_raw: z.string(),
  usd_value: amount,
});

export const output = z.strictObject({
  type: z.literal("token_flows"),
  data: z.array(row).describe("Rows, newest first, including those without transfers."),
  largest_transfers: z.array(largest).describe("Largest transfers of the whole window, at most 20."),
  summary: z.strictObject({ ...movements, rows: z.int(), price_change_percent: amount }),
  segment: z.strictObject({
    name: z.enum(SEGMENTS),
    definition: z.string(),
    member_count: count.describe("Number of members; null for `all`, and when the segment has no known member."),
  }),
  unavailable,
  pagination,
  metadata: metadata({
    token_address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    interval: z.enum(["1h", "1d"]),
  }),
});

export type TokenFlowsInput = ToolInput<typeof input>;
export type TokenFlowsArguments = z.output<typeof input>;
export type FlowsOutput = z.output<typeof output>;
