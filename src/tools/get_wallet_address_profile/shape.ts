import * as z from "zod";
import { accountTypes } from "../../domain/address/identity/account_kind.ts";
import { PERSONAS } from "../../domain/wallet/history/personas.ts";
import { chainText, evidence, metadata, party, unavailable } from "../fields.ts";
import { worth } from "../position_rows.ts";
import { level, score } from "../wallet_risk/shape.ts";

const funder = z.strictObject({
  ...party,
  network: z.string(),
  funded: z.string().describe("Address that this one funded."),
  tx_hash: z.string(),
  amount: z.number(),
  usd: z.number().nullable(),
  timestamp: z.string(),
});

const identity = z.strictObject({
  primary_label: z.string().nullable(),
  entity: z.string().nullable(),
  category: z.string().nullable(),
  labels: z.array(
    z.strictObject({
      label: z.string(),
      category: z.string(),
      source: z.string(),
      confidence: z.number(),
      network: z.string(),
    }),
  ),
  names: z.strictObject({
    ens: chainText("Primary ENS name that resolves back to the address; null without one.").nullable(),
    basename: z.string().nullable(),
    sns: z.string().nullable(),
    others: z.array(z.string()),
  }),
  is_contract: z.boolean().nullable(),
  account_type: z.enum(accountTypes).nullable(),
  owners: z.strictObject({ threshold: z.int(), signers: z.array(z.string()) }).nullable(),
});

const holding = z.strictObject({
  network: z.string(),
  token_address: z.string(),
  symbol: chainText("As the token names itself.").nullable(),
  usd_value: z.number().nullable(),
});

const counterparty = z.strictObject({
  ...party,
  network: z.string(),
  volume_usd: z.number().nullable(),
  tx_count: z.int(),
});

export const output = z.strictObject({
  type: z.literal("address_profile"),
  identity,
  activity: z.strictObject({
    first_seen: z.string().nullable(),
    last_seen: z.string().nullable(),
    age_days: z.int().nullable(),
    tx_count: z.int(),
    active_networks: z.array(z.string()),
  }),
  funding: z.strictObject({
    first_funder: z.strictObject(party).nullable(),
    tx_hash: z.string().nullable(),
    amount: z.number().nullable(),
    usd: z.number().nullable(),
    timestamp: z.string().nullable(),
    chain: z.array(funder).describe("The first funder, its own first funder, and so on; at most three."),
  }),
  wealth: z.strictObject({
    ...worth,
    top_holdings: z.array(holding),
    stablecoin_percent: z
      .number()
      .nullable()
      .describe("Percent of all holdings, positions and staked coins with a value, debts not subtracted."),
  }),
  behaviour: z.strictObject({
    persona: z.array(z.enum(PERSONAS)),
    top_protocols: z.array(counterparty),
    top_counterparties: z.array(counterparty),
  }),
  performance: z
    .strictObject({
      realized_usd_90d: z.number(),
      proceeds_without_cost_usd_90d: z
        .number()
        .describe("USD proceeds of sales without a known cost; not in the realized profit."),
      win_rate_percent: z.number().nullable(),
    })
    .nullable()
    .describe("Trading performance; null when the wallet traded nothing."),
  risk: z.strictObject({
    score,
    level,
    top_reasons: z.array(z.strictObject({ code: z.string(), weight: z.number(), evidence: z.array(evidence) })),
  }),
  deployed_contracts_count: z.int(),
  related_wallets: z.array(
    z.strictObject({
      ...party,
      network: z.string(),
      relation: z.enum(["first_funder", "risky_counterparty", "risky_intermediary"]),
      evidence: z.array(evidence),
    }),
  ),
  definitions: z.array(z.strictObject({ persona: z.enum(PERSONAS), rule: z.string() })),
  unavailable,
  metadata: metadata({ address: z.string() }),
});

export type Profile = z.output<typeof output>;
