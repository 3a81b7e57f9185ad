import * as z from "zod";
import { address, asOfBlock, evidence, metadata, networks } from "../fields.ts";
import type { ToolInput } from "../tool.ts";

export const TYPE = "stablecoin_compliance";
export const METHODOLOGY = "stablecoin-compliance/events+view@1";

export const input = z.strictObject({
  address: address("Wallet address."),
  network: networks().default("all"),
  stablecoins: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(50)
    .meta({
      description: "Symbols or contract addresses. Default: every registered stablecoin.",
      examples: [["USDC", "USDT"]],
    })
    .optional(),
  lookback_days: z
    .int()
    .min(1)
    .max(1825)
    .default(365)
    .describe("Days before the as-of block whose transfers count as exposure."),
  as_of_block: asOfBlock(),
});

export type ComplianceInput = ToolInput<typeof input>;

const REASONS = [
  "frozen_now",
  "sanctioned",
  "ever_frozen",
  "funds_destroyed",
  "funds_seized",
  "frozen_counterparty_exposure",
  "sanctioned_counterparty_exposure",
  "unvalued_exposure",
  "oracle_flag",
] as const;

const reason = z.strictObject({ code: z.enum(REASONS), evidence: z.array(evidence) });
export type ReasonOutput = z.output<typeof reason>;

const effect = z.enum(["freeze", "unfreeze", "destroy", "seize"]);

const holding = z.strictObject({
  symbol: z.string(),
  network: z.string(),
  contract: z.string(),
  balance: z.number().nullable(),
  balance_raw: z.string().nullable(),
  decimals: z.int().nullable(),
  value_usd: z.number().nullable(),
  can_issuer_freeze: z.boolean().nullable(),
  is_frozen: z.boolean().nullable().describe("Null when the coin cannot freeze single accounts, or the check failed."),
  frozen_since: z.string().nullable(),
  check_method: z.string(),
  checked_block: z.int(),
});
export type HoldingOutput = z.output<typeof holding>;

const happened = z.strictObject({
  symbol: z.string(),
  network: z.string(),
  event: effect,
  amount: z.number().nullable(),
  amount_raw: z.string().nullable(),
  tx_hash: z.string(),
  block_number: z.int(),
  timestamp: z.string(),
});
export type PastEvent = z.output<typeof happened>;

const dealing = z.strictObject({
  address: z.string(),
  symbol: z.string(),
  network: z.string(),
  amount_usd: z.number().nullable().describe("USD received plus USD sent; null without a price."),
  frozen_at: z.string(),
  before_or_after_freeze: z.enum(["before", "after", "both"]),
  evidence: z.array(evidence),
});
export type TopDealing = z.output<typeof dealing>;

const exposure = z.strictObject({
  frozen_counterparties_count: z.int(),
  received_from_frozen_usd: z.number(),
  sent_to_frozen_usd: z.number(),
  share_percent: z
    .number()
    .describe("Percent of everything received in these coins that came from frozen or sanctioned counterparties."),
  top: z.array(dealing),
  inflow_usd: z.number(),
  sanctioned_counterparties_count: z.int(),
  received_from_sanctioned_usd: z.number(),
  unvalued_dealings: z.int().describe("Transfers with these counterparties in coins without a price."),
});
export type ExposureOutput = z.output<typeof exposure>;

const match = z.strictObject({
  list: z.string(),
  entity: z.string().nullable(),
  program: z.string().nullable(),
  listed_on: z.string().nullable(),
});

const oracleCheck = z.strictObject({
  oracle: z.string(),
  network: z.string(),
  contract: z.string(),
  is_sanctioned: z.boolean().nullable().describe("Null when the oracle did not answer."),
  block_number: z.int(),
});
export type OracleCheck = z.output<typeof oracleCheck>;

const powers = z.strictObject({
  symbol: z.string(),
  network: z.string(),
  contract: z.string(),
  freeze: z.boolean().nullable(),
  seize_or_destroy: z.boolean().nullable(),
  pause: z.boolean().nullable(),
  upgradeable: z.boolean().nullable(),
  admin: z.string().nullable().describe("Owner of the contract, or the account that may freeze; null when unknown."),
});
export type Powers = z.output<typeof powers>;

const check = z.strictObject({
  symbol: z.string(),
  network: z.string(),
  contract: z.string(),
  status: z.enum(["ok", "failed", "not_supported"]),
  method: z.string(),
  block_number: z.int(),
  reason: z.string().nullable(),
});
export type CheckOutput = z.output<typeof check>;

export const output = z.strictObject({
  type: z.literal(TYPE),
  verdict: z.enum(["clear", "review", "blocked"]),
  verdict_reasons: z.array(reason),
  is_frozen_any: z.boolean(),
  frozen_value_usd: z.number().nullable().describe("USD value of frozen balances; null when one of them has no price."),
  holdings: z.array(holding).describe("Coins that the wallet holds or that are frozen for it."),
  freeze_history: z.array(happened),
  counterparty_exposure: exposure,
  sanctions: z.strictObject({
    listed: z.boolean(),
    matches: z.array(match),
    oracle_checks: z.array(oracleCheck),
  }),
  token_powers: z.array(powers),
  checks: z.array(check).describe("One row per checked coin and network."),
  metadata: metadata({ address: z.string() }),
});
export type ComplianceOutput = z.output<typeof output>;
