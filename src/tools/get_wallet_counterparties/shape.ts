import * as z from "zod";
import {
  address,
  asOfBlock,
  chainText,
  date,
  evidence,
  includeSpam,
  leftOut,
  metadata,
  networks,
  page,
  pagination,
  peer,
  recordsPerPage,
  token,
  unavailable,
} from "../fields.ts";
import type { Asked } from "../tool.ts";

const SORTS = ["volume", "count", "recent"] as const;

export const input = z.strictObject({
  address: address("Wallet."),
  network: networks(),
  from_date: date("First day; omitted: 89 days before to_date."),
  to_date: date("Last day; omitted: today."),
  direction: z
    .enum(["all", "in", "out"])
    .default("all")
    .meta({ description: "Count only what came in, or only what went out." }),
  token_address: token("Count only this token. Needs a single network.").optional(),
  min_usd: z
    .number()
    .min(0)
    .default(0)
    .meta({ description: "Only counterparties whose known volume is at least this." }),
  include_spam: includeSpam(),
  sort_by: z
    .enum(SORTS)
    .default("volume")
    .meta({ description: "Largest known USD volume, most transfers, or latest transfer first." }),
  page: page(),
  records_per_page: recordsPerPage(),
  as_of_block: asOfBlock(),
});

const unknownUsd = (description: string) => z.number().nullable().meta({ description });

const movedToken = z.strictObject({
  symbol: chainText("Token symbol.").nullable(),
  address: z.string().meta({ description: "`native` for the coin of the network." }),
  chain: z.string(),
  amount_in: z.number().nullable().meta({ description: "Null when the contract does not tell its decimals." }),
  amount_in_raw: z.string(),
  amount_out: z.number().nullable(),
  amount_out_raw: z.string(),
  decimals: z.int().nullable(),
  transfer_count: z.int(),
});

const counterparty = z.strictObject({
  peer: z.strictObject({
    ...peer.shape,
    entity: z.string().nullable(),
    is_contract: z.boolean().nullable().meta({ description: "Null when no node could be asked." }),
  }),
  interaction_count: z.int().meta({ description: "Transfers in either direction." }),
  transfers_in: z.int().meta({ description: "Of them, to the wallet." }),
  transfers_out: z.int().meta({ description: "Of them, from the wallet." }),
  tx_count: z.int(),
  volume_in_usd: unknownUsd("What the wallet received, as far as it had a price; null when none of it had."),
  volume_out_usd: unknownUsd("What the wallet paid, as far as it had a price; null when none of it had."),
  total_volume_usd: unknownUsd("Both."),
  net_usd: unknownUsd("Received minus paid."),
  unpriced_transfers: z.int(),
  unpriced_transfers_in: z.int().meta({ description: "Of them, to the wallet." }),
  first_interaction: z.string(),
  last_interaction: z.string(),
  tokens: z.array(movedToken).meta({ description: "At most five, largest value first." }),
  chains: z.array(z.string()),
  via: z.array(z.string()).meta({
    description: "Pools and other contracts behind an exchange contract that the wallet called; at most twenty.",
  }),
  risk_tags: z.array(z.string()).nullable().meta({ description: "Null when nobody labelled the address." }),
  is_spam: z.boolean().meta({ description: "Some of its counted transfers are flagged; shown with include_spam." }),
  spam_reasons: z.array(z.string()),
  evidence: z.array(evidence).meta({ description: "Of the flags: the latest flagged transaction." }),
});

export const output = z.strictObject({
  type: z.literal("counterparties"),
  data: z.array(counterparty),
  summary: z.strictObject({
    counterparty_count: z.int().meta({ description: "All of them, whatever the page." }),
    labeled_count: z.int(),
    total_in_usd: unknownUsd("Over all counterparties, as far as there is a price."),
    total_out_usd: unknownUsd("Over all counterparties, as far as there is a price."),
    unpriced_transfers: z.int(),
    left_out: leftOut,
    hidden_spam: z.int().meta({ description: "Transfers that were left out." }),
  }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
  pagination,
});

export type Input = Asked<typeof input>;
export type Counterparty = z.output<typeof counterparty>;
export type CounterpartiesOutput = z.output<typeof output>;
