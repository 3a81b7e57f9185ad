import * as z from "zod";
import {
  address,
  asOfBlock,
  chainText,
  date,
  evidence,
  includeSpam,
  metadata,
  networks,
  page,
  pagination,
  peer,
  recordsPerPage,
  token,
  unavailable,
  unpairedVolumes,
} from "../fields.ts";
import type { ToolInput } from "../tool.ts";

const SORTS = ["volume", "count", "recent"] as const;

export const input = z.strictObject({
  address: address("Wallet address."),
  network: networks(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before `to_date`."),
  to_date: date("Last day (UTC, inclusive). Default: today."),
  direction: z.enum(["all", "in", "out"]).default("all").describe("Count only incoming or only outgoing transfers."),
  token_address: token("Count only this token. Requires a single network.").optional(),
  min_usd: z.number().min(0).default(0).describe("Only counterparties with at least this known volume in USD."),
  include_spam: includeSpam(),
  sort_by: z
    .enum(SORTS)
    .default("volume")
    .describe("Sort order: largest known USD volume, most transfers, or latest transfer first."),
  page: page(),
  records_per_page: recordsPerPage(),
  as_of_block: asOfBlock(),
});

const unknownUsd = (description: string) => z.number().nullable().describe(description);

const tokenMovement = z.strictObject({
  symbol: chainText("Token symbol.").nullable(),
  address: z.string().describe("Token address, or `native` for the network's native coin."),
  chain: z.string(),
  amount_in: z.number().nullable().describe("Amount in whole tokens; null when its decimals are unknown."),
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
    is_contract: z.boolean().nullable().describe("Null when no node answered."),
  }),
  interaction_count: z.int().describe("Transfers in both directions."),
  transfers_in: z.int().describe("Transfers to the wallet."),
  transfers_out: z.int().describe("Transfers from the wallet."),
  tx_count: z.int(),
  volume_in_usd: unknownUsd("USD that the wallet received, over transfers with a price; null when none had one."),
  volume_out_usd: unknownUsd("USD that the wallet paid, over transfers with a price; null when none had one."),
  total_volume_usd: unknownUsd("Received plus paid."),
  net_usd: unknownUsd("Received minus paid."),
  unpriced_transfers: z.int(),
  unpriced_transfers_in: z.int().describe("Transfers to the wallet without a price."),
  first_interaction: z.string(),
  last_interaction: z.string(),
  tokens: z.array(tokenMovement).describe("Tokens that moved, at most five, largest value first."),
  chains: z.array(z.string()),
  via: z.array(z.string()).describe("Pools and other contracts behind the exchange contract called; at most 20."),
  risk_tags: z.array(z.string()).nullable().describe("Risk categories of the address's labels; null without a label."),
  is_spam: z.boolean().describe("True when some of its counted transfers are flagged; shown with include_spam."),
  spam_reasons: z.array(z.string()),
  evidence: z.array(evidence).describe("Latest flagged transaction behind each flag."),
});

export const output = z.strictObject({
  type: z.literal("counterparties"),
  data: z.array(counterparty),
  summary: z.strictObject({
    counterparty_count: z.int().describe("Counterparties over all pages."),
    labeled_count: z.int(),
    total_in_usd: unknownUsd("USD over all counterparties, for transfers with a price; null when none had one."),
    total_out_usd: unknownUsd("USD over all counterparties, for transfers with a price; null when none had one."),
    unpriced_transfers: z.int(),
    left_out: unpairedVolumes,
    hidden_spam: z.int().describe("Flagged transfers that are not counted."),
  }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
  pagination,
});

export type CounterpartiesInput = ToolInput<typeof input>;
export type Counterparty = z.output<typeof counterparty>;
export type CounterpartiesOutput = z.output<typeof output>;
