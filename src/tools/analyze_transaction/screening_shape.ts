import * as z from "zod";
import { SCREENING_DIRECTIONS } from "../../domain/compliance/screening/parties.ts";
import { SCREENING_REASONS } from "../../domain/compliance/screening/verdict.ts";
import { TRACE_METHODS } from "../../lib/trace_method.ts";
import { evidence, party, unavailable } from "../fields.ts";
import * as risk from "../wallet_risk/shape.ts";

const usd = () => z.number().nullable().describe("Null without a price.");

const fired = risk.firedRule.extend({
  address: z.string().nullable().describe("The counterparty whose dealings the rule limits; null for the transfer."),
});

const transfer = z.strictObject({
  index: z.int().describe("Index in `transfers` of the answer."),
  token: z.string(),
  from: z.string(),
  to: z.string(),
  amount: z.number().nullable(),
  amount_raw: z.string(),
  usd_value: usd(),
});

const dealings = risk.category.pick({
  category: true,
  direct_in_usd: true,
  direct_out_usd: true,
  indirect_in_usd: true,
  indirect_out_usd: true,
  share_in_percent: true,
  share_out_percent: true,
});

const counterparty = z.strictObject({
  ...party,
  role: z
    .enum(["principal", "intermediary"])
    .describe("intermediary: it passed the asset on or exchanged it in the transaction; only its labels are judged."),
  risk_score: risk.score,
  risk_level: risk.level,
  service_address: z.boolean(),
  categories: z.array(risk.riskCategory).describe("Categories of the address itself."),
  coverage_percent: z.number().nullable().describe("Percent of its history that is indexed; null for an intermediary."),
  exposure: z.array(dealings).describe("Its own dealings up to the block."),
});

const exposure = z.strictObject({
  category: risk.riskCategory,
  direct_usd: usd().describe("Part of the counterparty itself; null without a price."),
  direct_percent: z.number(),
  indirect_usd: usd().describe("Part through other addresses; null for `out`: nothing has left the receiver."),
  indirect_percent: z.number().nullable(),
  min_hops: z.int().nullable(),
  sources: risk.category.shape.sources,
  sources_count: z.int(),
  evidence: z.array(evidence),
});

export const screening = z.strictObject({
  asset: z.string(),
  direction: z.enum(SCREENING_DIRECTIONS),
  method: z.enum(TRACE_METHODS),
  as_of_block: z.int().nullable().describe("Block of the transaction, up to which history counts; null while pending."),
  verdict: z
    .enum(["clear", "review", "blocked"])
    .nullable()
    .describe("Null when nothing was found but something is unknown; `unavailable` has the reasons."),
  reasons: z.array(
    z.strictObject({
      code: z.enum(SCREENING_REASONS),
      address: z.string().nullable().describe("The counterparty; null for the transfer."),
      evidence: z.array(evidence),
    }),
  ),
  risk_score: risk.score.describe("0..100 of the transfer's own exposure; null when it is not known."),
  risk_level: risk.level,
  usd: usd().describe("USD received (`in`) or sent (`out`); null without a price."),
  transfers: z.array(transfer).describe("Transfers of the asset in the transaction; all are judged together."),
  counterparties: z.array(counterparty),
  exposure: z.array(exposure).describe("Exposure of the transfer, heaviest category first."),
  origin: z
    .strictObject({
      ...{ followed_usd: z.number(), stopped_at_services_usd: z.number() },
      ...{ bridge_unmatched_usd: z.number(), not_followed_usd: z.number() },
    })
    .nullable()
    .describe("How far the money of the transfer was followed; null for `out`."),
  rules_fired: z.array(fired),
  rules_checked: z.int().describe("Rules that the operator set."),
  lists: z.array(z.strictObject({ id: z.string(), version: z.string(), updated_at: z.string().nullable() })),
  tracing: risk.tracing.nullable(),
  model: z.string(),
  coverage_percent: z.number().nullable().describe("Lowest of the judged counterparties."),
  unavailable,
});

export type ScreeningOutput = z.output<typeof screening>;
