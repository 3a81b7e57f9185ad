import * as z from "zod";
import { address, asOfBlock, date, evidence, leftOut, metadata, networks, party, unavailable } from "../fields.ts";
import type { Asked } from "../tool.ts";

export const input = z.strictObject({
  address: address("Wallet."),
  network: networks(),
  from_date: date("First day; omitted: 89 days before to_date."),
  to_date: date("Last day; omitted: today."),
  hops: z
    .int()
    .min(1)
    .max(2)
    .default(1)
    .meta({ description: "2 also looks at the counterparties of the largest counterparties (indirect exposure)." }),
  as_of_block: asOfBlock(),
});

const usd = (description: string) => z.number().meta({ description });
const share = z.number().nullable().meta({ description: "Null when nothing priced moved in that direction." });

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
  confidence: z.number().meta({ description: "0..1. 1: a fact of the chain." }),
  evidence: z.array(evidence),
});

const exposure = z.strictObject({
  category: z.string(),
  direct_in_usd: usd("Received from addresses of the category."),
  direct_out_usd: usd("Paid to addresses of the category."),
  indirect_in_usd: z.number().nullable().meta({
    description: "Pro rata part of what plain counterparties paid that stems from the category; null with hops 1.",
  }),
  indirect_out_usd: z.number().nullable(),
  top_sources: z.array(
    z.strictObject({ ...party, hops: z.int(), amount_usd: z.number(), evidence: z.array(evidence) }),
  ),
});

export const output = z.strictObject({
  type: z.literal("counterparties_analysis"),
  by_category: z.array(
    z.strictObject({
      category: z.string().meta({ description: "Of the most trusted label; `unlabelled` without one." }),
      in_usd: usd("Received, as far as it had a price."),
      out_usd: usd("Paid, as far as it had a price."),
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
        in_usd: usd("Received from all its addresses."),
        out_usd: usd("Paid to all its addresses."),
        addresses_count: z.int(),
      }),
    )
    .meta({ description: "At most 50, largest volume first." }),
  concentration: z.strictObject({
    hhi_in: z.number().nullable().meta({ description: "Sum of squared shares of what was received, 0..1." }),
    hhi_out: z.number().nullable(),
    top1_percent: share,
    top5_percent: share,
  }),
  relationships: z.array(relationship).meta({ description: "At most 50 of each kind." }),
  recurrence: z.strictObject({
    new_peers: z.int().nullable().meta({ description: "No transfer before the window; null when that is not known." }),
    recurring_peers: z.int().meta({ description: "Met in two transactions or more." }),
    one_off_percent: z.number().meta({ description: "Peers met in one transaction only." }),
  }),
  risk_exposure: z.array(exposure),
  exchange_use: z.strictObject({
    deposits_usd: usd("Paid to exchanges and their deposit addresses."),
    withdrawals_usd: usd("Received from exchanges."),
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
    count: z.int().meta({ description: "Transfers with an address that looks like a real counterparty's." }),
    lookalikes: z.array(z.strictObject({ ...party, imitates: z.string().nullable(), evidence: z.array(evidence) })),
  }),
  summary: z.strictObject({
    counterparty_count: z.int(),
    labeled_count: z.int(),
    total_in_usd: usd("Known volume from all counterparties."),
    total_out_usd: usd("Known volume to all counterparties."),
    unpriced_transfers: z.int().meta({ description: "In no sum of USD." }),
    left_out: leftOut,
    hidden_spam: z.int(),
  }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
    hops: z.int(),
  }),
});

export type Input = Asked<typeof input>;
export type AnalysisOutput = z.output<typeof output>;
export type Relationship = z.output<typeof relationship>;
