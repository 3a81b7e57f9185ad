import * as z from "zod";
import {
  address,
  asOfBlock,
  date,
  evidence,
  metadata,
  networks,
  party,
  unavailable,
  unpairedVolumes,
} from "../fields.ts";
import type { ToolInput } from "../tool.ts";

export const input = z.strictObject({
  address: address("Wallet address."),
  network: networks(),
  from_date: date("First day (UTC, inclusive). Default: 89 days before `to_date`."),
  to_date: date("Last day (UTC, inclusive). Default: today."),
  hops: z
    .int()
    .min(1)
    .max(2)
    .default(1)
    .describe("2 also traces the counterparties of the largest counterparties (indirect exposure)."),
  as_of_block: asOfBlock(),
});

const usd = (description: string) => z.number().describe(description);
const unknownUsd = (description: string) => z.number().nullable().describe(description);
const share = z
  .number()
  .nullable()
  .describe("Percent of the volume in that direction; null when nothing priced moved in it.");

const RELATIONS = [
  "first_funder",
  "funded_by_wallet",
  "deposit_address",
  "mutual",
  "same_owner_likely",
  "contract_deployed",
  "shared_safe_signer",
] as const;

const relationship = z.strictObject({
  ...party,
  network: z.string(),
  relation: z.enum(RELATIONS),
  confidence: z.number().describe("0..1; 1 for a fact of the chain."),
  evidence: z.array(evidence),
});

const exposure = z.strictObject({
  category: z.string(),
  direct_in_usd: usd("USD received from addresses of the category."),
  direct_out_usd: usd("USD paid to addresses of the category."),
  indirect_in_usd: z
    .number()
    .nullable()
    .describe(
      "Pro rata share of payments from unlabelled counterparties that traces to the category; null with hops 1.",
    ),
  indirect_out_usd: z.number().nullable(),
  top_sources: z.array(
    z.strictObject({ ...party, hops: z.int(), amount_usd: z.number(), evidence: z.array(evidence) }),
  ),
});

export const output = z.strictObject({
  type: z.literal("counterparties_analysis"),
  by_category: z.array(
    z.strictObject({
      category: z.string().describe("Category of the most trusted label; `unlabelled` without a label."),
      in_usd: usd("USD received, over transfers with a price."),
      out_usd: usd("USD paid, over transfers with a price."),
      share_in_percent: share,
      share_out_percent: share,
      peer_count: z.int(),
      transfer_count: z.int(),
    }),
  ),
  by_entity: z
    .array(
      z.strictObject({
        entity: z.string(),
        category: z.string().nullable(),
        in_usd: usd("USD received from all addresses of the entity."),
        out_usd: usd("USD paid to all addresses of the entity."),
        addresses_count: z.int(),
      }),
    )
    .describe("At most 50, largest volume first."),
  concentration: z.strictObject({
    hhi_in: z.number().nullable().describe("Herfindahl index of received volume by counterparty, 0..1."),
    hhi_out: z.number().nullable(),
    top1_percent: share,
    top5_percent: share,
  }),
  relationships: z.array(relationship).describe("At most 50 of each kind."),
  recurrence: z.strictObject({
    new_peers: z
      .int()
      .nullable()
      .describe("Counterparties without a transfer before the window; null when the history is incomplete."),
    recurring_peers: z.int().describe("Counterparties of two or more transactions."),
    one_off_percent: z.number().describe("Percent of counterparties with a single transaction."),
  }),
  risk_exposure: z.array(exposure),
  exchange_use: z.strictObject({
    deposits_usd: usd("USD paid to exchanges and their deposit addresses."),
    withdrawals_usd: usd("USD received from exchanges."),
    exchanges: z.array(
      z.strictObject({
        entity: z.string(),
        deposits_usd: z.number(),
        withdrawals_usd: z.number(),
        addresses_count: z.int(),
      }),
    ),
  }),
  poisoning_attempts: z.strictObject({
    count: z.int().describe("Transfers with an address that imitates a real counterparty's."),
    lookalikes: z.array(
      z.strictObject({
        ...party,
        imitates: z.string().nullable(),
        confidence: z.number().nullable(),
        evidence: z.array(evidence),
      }),
    ),
  }),
  summary: z.strictObject({
    counterparty_count: z.int(),
    labeled_count: z.int(),
    total_in_usd: unknownUsd(
      "USD received from all counterparties, over transfers with a price; null when none had one.",
    ),
    total_out_usd: unknownUsd("USD paid to all counterparties, over transfers with a price; null when none had one."),
    unpriced_transfers: z.int().describe("Transfers without a price, in none of the USD sums."),
    left_out: unpairedVolumes,
    hidden_spam: z.int(),
  }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    hops: z.int(),
  }),
});

export type AnalysisInput = ToolInput<typeof input>;
export type AnalysisOutput = z.output<typeof output>;
export type Relationship = z.output<typeof relationship>;
