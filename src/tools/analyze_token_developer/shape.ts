import * as z from "zod";
import {
  asOfBlock,
  chainText,
  evidence,
  lockUntil,
  metadata,
  network,
  party,
  peer,
  token,
  tokenOutcome,
  unavailable,
} from "../fields.ts";

export const input = z.strictObject({
  token_address: token("Token whose developer to analyze."),
  network: network(),
  as_of_block: asOfBlock(),
});

const launchedToken = z.strictObject({
  address: z.string(),
  symbol: chainText("As the token names itself.").nullable(),
  network: z.string(),
  created_at: z.string(),
  outcome: tokenOutcome(),
  cause: z.enum(["liquidity_removal", "creator_sale", "hidden_mint", "honeypot"]).nullable(),
  peak_liquidity_usd: z.number().nullable(),
  lifetime_days: z.number().describe("Days from launch to the token's end, or to now."),
  evidence: z.array(evidence),
});

const flag = z.strictObject({
  code: z.string(),
  severity: z.enum(["info", "low", "medium", "high", "critical"]),
  description: z.string(),
  evidence: z.array(evidence),
});

export const output = z.strictObject({
  type: z.literal("token_developer"),
  token: z.strictObject({
    address: z.string(),
    symbol: chainText("As the token names itself.").nullable(),
    network: z.string(),
    created_at: z.string(),
    creation_tx: z.string(),
  }),
  developer: z.strictObject({
    ...peer.shape,
    is_contract_factory: z.boolean().describe("True when a contract created the token on the developer's behalf."),
    launchpad: z.string().nullable(),
    age_days: z.number().nullable(),
    first_funder: z
      .strictObject({
        ...party,
        tx_hash: z.string(),
        amount_usd: z.number().nullable(),
      })
      .nullable(),
    balance_usd: z.number().nullable().describe("USD value of the developer's native coins; null without a price."),
  }),
  holdings: z.strictObject({
    developer_balance: z.number().nullable(),
    developer_balance_raw: z
      .string()
      .nullable()
      .describe("Balance in base units; null when the token's events do not show it."),
    developer_percent: z.number().nullable(),
    linked_percent: z
      .number()
      .nullable()
      .describe("Percent of the supply held by the developer and linked wallets together."),
    linked_wallets: z.array(
      z.strictObject({
        address: z.string(),
        relation: z.enum(["owner", "first_funder", "funded_before_launch", "received_before_trade"]),
        percent: z.number().nullable(),
      }),
    ),
  }),
  developer_actions: z
    .strictObject({
      sold_amount: z.number().nullable(),
      sold_amount_raw: z.string(),
      sold_usd: z.number().nullable(),
      first_sell_at: z.string().nullable(),
      transferred_to_exchange_usd: z.number().nullable(),
      liquidity_added_usd: z.number().nullable(),
      liquidity_removed_usd: z.number().nullable(),
      lp_status: z.enum(["locked", "burned", "held", "unknown"]),
      lock_until: lockUntil(),
      mint_after_launch_raw: z.string().nullable(),
      ownership: z.enum(["renounced", "eoa", "multisig", "timelock", "unknown"]),
    })
    .describe("Actions of the developer and linked wallets."),
  history: z.strictObject({
    tokens_launched: z.int(),
    rugged: z.int(),
    dead: z.int(),
    alive: z.int(),
    too_new: z.int(),
    drained: z.int(),
    counterfeit: z.int(),
    rug_rate_percent: z.number().nullable(),
    median_lifetime_days: z.number().nullable().describe("Median days from launch to end, over tokens that ended."),
    best_peak_mcap_usd: z
      .number()
      .nullable()
      .describe("Highest market cap of any token: its highest stored price times today's supply, in USD."),
    tokens: z.array(launchedToken).describe("All tokens of the developer, this one included, newest first."),
  }),
  networks_searched: z.array(z.string()),
  risk_level: z
    .enum(["low", "medium", "high", "critical", "unknown"])
    .describe(
      "Risk of the developer, at least as high as the outcome of this token makes it. `unknown`: the developer's history is not whole.",
    ),
  flags: z.array(flag),
  unavailable,
  metadata: metadata({ token_address: z.string() }),
});

export type DeveloperOutput = z.output<typeof output>;
