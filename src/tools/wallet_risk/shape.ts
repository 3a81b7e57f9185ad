import * as z from "zod";
import { BEHAVIOURS, CATEGORIES } from "../../domain/compliance/risk/model.ts";
import { RULE_DIRECTIONS, RULE_EXPOSURES, RULE_SOURCES } from "../../lib/risk_rule.ts";
import { TRACE_METHODS } from "../../lib/trace_method.ts";
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

export const input = z.strictObject({
  address: address("Wallet to assess."),
  network: networks().default("all"),
  as_of_block: asOfBlock(),
});

export const traceMethod = (description: string) => z.enum(TRACE_METHODS).default("haircut").describe(description);

const [firstCategory, ...otherCategories] = CATEGORIES.map(({ category }) => category);
const [firstBehaviour, ...otherBehaviours] = Object.keys(BEHAVIOURS);
if (firstCategory === undefined || firstBehaviour === undefined) throw new RangeError("the model has categories");
export const riskCategory = z.enum([firstCategory, ...otherCategories]);
const behaviourCode = z.enum([firstBehaviour, ...otherBehaviours]);

export const level = z.enum(["low", "moderate", "high", "severe", "unknown"]);

/** null: too little of the wallet's history is known. */
export const score = z
  .int()
  .min(0)
  .max(100)
  .nullable()
  .describe("0..100, higher is riskier; null when too little of the wallet's history is known.");

export const scoreRange = z
  .strictObject({ min: z.int(), max: z.int() })
  .describe(
    "Bounds of the score: `min` counts what was found, `max` also behaviour that could not be judged and the part of the history that is not indexed.",
  );

const usd = (description: string) => z.number().describe(description);
const points = () => z.number().describe("0..100: the score that this finding alone would give.");

const step = z.strictObject({
  ...party,
  network: z.string(),
  tx_hash: z
    .string()
    .describe(
      "For money received, the transaction in which this address paid the next one; for money sent, the one in which it was paid.",
    ),
  time: z.string(),
  paid: z
    .array(
      z.strictObject({
        token: z.string().nullable().describe("Null: the native coin."),
        symbol: chainText("As the token names itself.").nullable(),
        amount: z.number().nullable(),
        usd: usd("At the time of the payment.").nullable(),
      }),
    )
    .describe("All that was paid between the two addresses in the transaction, by token; more than the traced part."),
});

const source = z.strictObject({
  ...party,
  network: z.string(),
  direction: z.enum(["in", "out"]),
  usd: usd("USD traced pro rata; each unit counts once."),
  hops: z.int().describe("Fewest hops; 1 for a direct counterparty."),
  is_dust: z
    .boolean()
    .describe("True for less than 100 USD in all from a source that the wallet never paid afterwards."),
  confidence: z
    .number()
    .describe("1; less where the money crossed a bridge whose two sides were matched by owner, amount and time."),
  first_seen: z.string(),
  last_seen: z.string(),
  path: z.array(step).describe("Addresses on the path that carried the largest sum, without the wallet."),
});

export const category = z.strictObject({
  category: riskCategory,
  score: points(),
  direct: z.boolean().describe("True when the wallet itself has the category."),
  exposure_in_usd: usd("USD received that traces to the category, at any distance."),
  exposure_out_usd: usd("USD sent that ended there."),
  direct_in_usd: usd("Part received from addresses of the category themselves."),
  direct_out_usd: usd("Part paid to addresses of the category themselves."),
  indirect_in_usd: usd("Part received through other addresses."),
  indirect_out_usd: usd("Part paid through other addresses."),
  dust_in_usd: usd("Part that is dust; a quarter of its risk counts."),
  share_in_percent: usd("Percent of all USD received."),
  share_out_percent: usd("Percent of all USD sent."),
  min_hops: z
    .int()
    .nullable()
    .describe("Fewest hops to the category, 1 for a direct counterparty; null when only the wallet itself has it."),
  sources: z.array(source),
  sources_count: z.int(),
  evidence: z.array(evidence),
});

export const end = z.strictObject({
  ...party,
  network: z.string(),
  direction: z.enum(["in", "out"]),
  reason: z
    .enum(["service", "unmatched_bridge", "hub", "call_limit", "no_known_receipt", "still_held"])
    .describe(
      "service: labelled as one. unmatched_bridge: the other side is unknown. hub: more than 5,000 counterparties. call_limit: beyond what one call reads. no_known_receipt: paid what it is not known to have received. still_held: holds the money.",
    ),
  usd: usd("USD traced there, by the method of the call."),
  share_percent: usd("Percent of all USD of the direction."),
  hops: z.int().describe("Fewest hops; 1 for a direct counterparty."),
  path: z.array(step).describe("Addresses on the path that carried the largest sum, without the wallet."),
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
  entity: chainText("Name as written in the list.").nullable(),
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
  coins: z.array(freeze).describe("Coins whose issuer ever froze the wallet, and coins whose check failed."),
});

export const approval = z.strictObject({
  network: z.string(),
  token: z.string(),
  symbol: chainText("As the token names itself.").nullable(),
  spender: z.string(),
  spender_label: z.string().nullable(),
  allowance: z
    .number()
    .nullable()
    .describe("Approved amount in whole tokens; null when unlimited, for all NFTs, or with unknown decimals."),
  allowance_raw: z.string().nullable(),
  is_unlimited: z.boolean(),
  value_at_risk_usd: z
    .number()
    .nullable()
    .describe("USD value of the wallet's balance, up to the allowance; null without a price."),
  reason: z
    .enum(["risky_spender", "unverified_spender", "unknown_spender", "account_spender"])
    .describe(
      "risky: a label, list or issuer marks the spender as risky. unverified: an unlabelled contract without a verified source. unknown: Assay cannot tell whether its source is verified. account: not a contract.",
    ),
  evidence: z.array(evidence),
});

export const firedRule = z.strictObject({
  id: z.string(),
  source: z.enum(RULE_SOURCES).describe("Where the operator set it: the configuration file or the portal."),
  category: riskCategory,
  exposure: z.enum(RULE_EXPOSURES),
  direction: z.enum(RULE_DIRECTIONS),
  usd: usd("Measured USD."),
  percent: usd("Measured percent of all USD of the direction."),
  limit_usd: z.number().nullable().describe("Null when the rule has no limit in USD."),
  limit_percent: z.number().nullable().describe("Null when the rule has no limit in percent."),
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
    .describe("Whether the address has the category itself, or connects the wallet to one that does."),
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
  wallets_followed: z.int().describe("Addresses through which money was traced."),
  hubs_not_followed: z.int().describe("Addresses with more than 5,000 counterparties, where tracing stops."),
  wallets_left_out: z.int().describe("Addresses beyond the limits of one call; exposure through them is missing."),
  transfers_read: z.int(),
  followed_usd: usd("USD received and sent that was followed to a source, an end or an address that still holds it."),
  stopped_at_services_usd: usd("USD that came from services or reached them: tracing stops there."),
  bridge_unmatched_usd: usd("USD that crossed bridges whose other side is unknown. Its origin or end is unknown."),
  not_followed_usd: usd(
    "USD from or to hubs, addresses beyond the limits of one call and amounts below 1 USD, and USD without a known receipt.",
  ),
  is_complete: z
    .boolean()
    .describe("True when tracing left nothing out. When false, a low score does not rule out further exposure."),
});

export const riskMetadata = metadata({ address: z.string() });
export const riskUnavailable = unavailable;
