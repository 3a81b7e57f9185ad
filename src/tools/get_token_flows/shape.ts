import * as z from "zod";
import { SEGMENTS } from "../../domain/wallet/flows/segment.ts";
import { asOfBlock, date, metadata, network, page, pagination, recordsPerPage, token, unavailable } from "../fields.ts";
import type { Asked } from "../tool.ts";

export const INTERVALS = { "1h": 3_600, "1d": 86_400 } as const;

export const input = z.strictObject({
  token_address: token("Token, or `native` for the coin of the network."),
  network: network(),
  from_date: date("First day (UTC, included). Default: 29 days before `to_date`; at most 365 days in all."),
  to_date: date("Last day (UTC, included). Default: the day of the newest block."),
  interval: z.enum(["1h", "1d"]).default("1d").meta({ description: "Length of one row; `1h` for at most 14 days." }),
  segment: z.enum(SEGMENTS).default("all").meta({
    description:
      "Whose movements: all holders, labelled exchanges, whales at the start of the window, or a cohort (`smart_trader` is refused while its list is not built).",
  }),
  page: page(),
  records_per_page: recordsPerPage(),
  as_of_block: asOfBlock(),
});

const count = z.int().nullable();
const amount = z.number().nullable();
const told = (description: string) => amount.meta({ description });

const movements = {
  transfer_count: count.meta({ description: "Transfers that touch the segment; of nothing and to oneself left out." }),
  unique_senders: count,
  unique_receivers: count,
  transfer_volume: amount,
  transfer_volume_raw: z.string().nullable(),
  transfer_volume_usd: told("Each transfer at its hour's price; null when one of these hours has none."),
  inflow_amount: told("What came into the segment from outside: for `all`, what was created."),
  outflow_amount: told("What left the segment: for `all`, what was destroyed or sent to a burn address."),
  inflow_count: count,
  outflow_count: count,
  net_flow_amount: amount,
  net_flow_raw: z.string().nullable(),
  net_flow_usd: amount,
  minted: told("Created, of the whole token."),
  burned: told("Destroyed or sent to a burn address, of the whole token."),
  dex_buy_usd: told("Bought in verified pools by the segment's members."),
  dex_sell_usd: told("Sold in verified pools by the segment's members."),
};

const row = z.strictObject({
  date: z.string().meta({ description: "Day, or first second of the hour." }),
  price_usd: told("Price of the row's last hour."),
  ...movements,
  segment_balance: told("Held by the segment at the end of the row, burn addresses left out."),
  segment_balance_raw: z.string().nullable(),
  segment_value_usd: amount,
  holders_count: count.meta({ description: "Members of the segment with a balance at the end of the row." }),
});

const largest = z.strictObject({
  tx_hash: z.string().nullable().meta({ description: "Null for what a block itself pays." }),
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
  data: z.array(row).meta({ description: "Newest first, quiet rows included." }),
  largest_transfers: z.array(largest).meta({ description: "Of the whole window, at most 20." }),
  summary: z.strictObject({ ...movements, rows: z.int(), price_change_percent: amount }),
  segment: z.strictObject({
    name: z.enum(SEGMENTS),
    definition: z.string(),
    member_count: count.meta({ description: "Null for `all`, and when nobody is known." }),
  }),
  unavailable,
  pagination,
  metadata: metadata({
    token_address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    interval: z.enum(["1h", "1d"]),
  }),
});

export type Input = Asked<typeof input>;
export type Written = z.output<typeof input>;
export type FlowsOutput = z.output<typeof output>;
