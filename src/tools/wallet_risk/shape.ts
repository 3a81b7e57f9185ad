import * as z from "zod";
import { BEHAVIOURS, CATEGORIES } from "../../domain/compliance/risk/model.ts";
import {
  address,
  asOfBlock,
  chainText,
  evidence,
  category as labelCategory,
  labelSource,
  metadata,
  networks,
  party,
  unavailable,
} from "../fields.ts";
import type { Asked } from "../tool.ts";

/** What the risk tools take and answer alike. */

export const input = z.strictObject({
  address: address("Wallet to judge."),
  network: networks().default("all"),
  as_of_block: asOfBlock(),
});

const [firstCategory, ...otherCategories] = CATEGORIES.map(({ category }) => category);
const [firstBehaviour, ...otherBehaviours] = Object.keys(BEHAVIOURS);
if (firstCategory === undefined || firstBehaviour === undefined) throw new RangeError("the model has categories");
export const riskCategory = z.enum([firstCategory, ...otherCategories]);
const behaviourCode = z.enum([firstBehaviour, ...otherBehaviours]);

export const level = z.enum(["low", "moderate", "high", "severe", "unknown"]);

/** null: too little of the wallet's history is known. */
export const score = z.int().min(0).max(100).nullable().meta({ description: "0..100, higher is worse." });

const usd = (description: string) => z.number().meta({ description });
const points = () => z.number().meta({ description: "0..100: what this alone would make of the score." });

const step = z.strictObject({
  ...party,
  tx_hash: z.string().meta({
    description: "Money in: by which this address paid the next one. Money out: by which this address was paid.",
  }),
});

const source = z.strictObject({
  ...party,
  network: z.string(),
  direction: z.enum(["in", "out"]),
  usd: usd("Pro rata, each unit once."),
  hops: z.int(),
  first_seen: z.string(),
  last_seen: z.string(),
  path: z.array(step).meta({
    description: "Addresses along the way of the money without the wallet, of the largest sum that took it.",
  }),
});

export const category = z.strictObject({
  category: riskCategory,
  score: points(),
  direct: z.boolean().meta({ description: "The wallet itself carries the category." }),
  exposure_in_usd: usd("What came in and traces to it, at most three steps away."),
  exposure_out_usd: usd("What went out and ended there."),
  share_in_percent: usd("Of all that came in."),
  share_out_percent: usd("Of all that went out."),
  min_hops: z.int().nullable().meta({ description: "1: dealt with the wallet itself; null: only the wallet itself." }),
  sources: z.array(source),
  sources_count: z.int(),
  evidence: z.array(evidence),
});

export const behaviour = z.strictObject({
  code: behaviourCode,
  score: points(),
  description: z.string(),
  evidence: z.array(evidence),
});

const sanctionsMatch = z.strictObject({
  list: z.string(),
  version: z.string(),
  entity: chainText("As the list writes it.").nullable(),
  program: z.string().nullable(),
  listed_on: z.string().nullable(),
  delisted_on: z.string().nullable(),
  evidence: z.array(evidence),
});

export const sanctions = z.strictObject({
  listed: z.boolean(),
  matches: z.array(sanctionsMatch),
  formerly_listed: z.array(sanctionsMatch),
  lists_checked: z.array(z.strictObject({ id: z.string(), version: z.string(), age_hours: z.number() })),
});

const freeze = z.strictObject({
  network: z.string(),
  symbol: z.string(),
  contract: z.string(),
  is_frozen: z.boolean().nullable(),
  status: z.enum(["ok", "failed"]),
  evidence: z.array(evidence),
});

export const freezes = z.strictObject({
  frozen_now: z.boolean(),
  ever_frozen: z.boolean(),
  coins_checked: z.int(),
  coins: z.array(freeze).meta({ description: "Coins whose issuer ever froze the wallet, or whose check failed." }),
});

export const approval = z.strictObject({
  network: z.string(),
  token: z.string(),
  symbol: chainText("As the token calls itself.").nullable(),
  spender: z.string(),
  spender_label: z.string().nullable(),
  allowance: z.number().nullable().meta({ description: "Null: unlimited, all collectibles, or unknown decimals." }),
  allowance_raw: z.string().nullable(),
  is_unlimited: z.boolean(),
  value_at_risk_usd: z
    .number()
    .nullable()
    .meta({ description: "What the wallet holds of it, up to the allowance; null without a price." }),
  reason: z.enum(["risky_spender", "unverified_spender", "unknown_spender", "account_spender"]).meta({
    description:
      "risky: a label, list or issuer speaks against it. unverified: a contract that no label names, without a verified source. unknown: whether it has one is not known. account: no contract.",
  }),
  evidence: z.array(evidence),
});

export const relatedWallet = z.strictObject({
  address: z.string(),
  label: z.string().nullable(),
  label_category: labelCategory,
  label_source: labelSource,
  network: z.string(),
  category: riskCategory,
  relation: z
    .enum(["counterparty", "intermediary"])
    .meta({ description: "Carries the category itself, or stands between the wallet and who does." }),
  usd: z.number(),
  evidence: z.array(evidence),
});

export const positiveFactor = z.strictObject({
  code: z.enum(["known_service", "established_wallet", "funded_by_exchanges", "not_sanctioned", "not_frozen"]),
  description: z.string(),
  evidence: z.array(evidence),
});

export const tracing = z.strictObject({
  method: z.string(),
  wallets_followed: z.int().meta({ description: "Addresses behind the wallet that money was followed through." }),
  hubs_not_followed: z.int().meta({ description: "With more than 5,000 counterparties: tracing stops there." }),
  wallets_left_out: z.int().meta({ description: "Beyond what one call reads: exposure through them is missing." }),
  transfers_read: z.int(),
  is_complete: z
    .boolean()
    .meta({ description: "Nothing was left out. False: a low score does not say that there is no more exposure." }),
});

export const riskMetadata = metadata({ address: z.string() });
export const riskUnavailable = unavailable;

export type Input = Asked<typeof input>;
export type CategoryFinding = z.output<typeof category>;
export type SourceFinding = z.output<typeof source>;
export type BehaviourFinding = z.output<typeof behaviour>;
export type SanctionsFinding = z.output<typeof sanctions>;
export type FreezesFinding = z.output<typeof freezes>;
export type ApprovalFinding = z.output<typeof approval>;
export type RelatedWallet = z.output<typeof relatedWallet>;
export type Tracing = z.output<typeof tracing>;
export type PositiveFactor = z.output<typeof positiveFactor>;
