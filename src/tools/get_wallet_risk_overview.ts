import * as z from "zod";
import { firedRules } from "../domain/compliance/risk/rules.ts";
import { unknownSpenders } from "../domain/compliance/risk/wallet_risk.ts";
import { data } from "../lib/outcome.ts";
import { DEMO_EXAMPLES, defineTool } from "./tool.ts";
import { assessWallet } from "./wallet_risk/assess.ts";
import * as shape from "./wallet_risk/shape.ts";

const TYPE = "wallet_risk_overview";

const output = z.strictObject({
  type: z.literal(TYPE),
  risk_score: shape.score,
  score_range: shape.scoreRange,
  risk_level: shape.level,
  rules_fired: z.array(shape.firedRule).describe("Rules of the operator of which an exposure reaches every limit."),
  rules_checked: z.int().describe("Rules that the operator set."),
  categories: z.array(shape.category).describe("Risk categories found, heaviest first."),
  behaviour: z.array(shape.behaviour),
  sanctions: shape.sanctions,
  stablecoin_freezes: shape.freezes,
  approvals_at_risk: z.array(shape.approval).describe("Approvals, most valuable first."),
  related_risky_wallets: z.array(shape.relatedWallet),
  ends: z
    .array(shape.end)
    .describe(
      "Where the money came from and went to without a risk category, by counterparty: at most 20 of each direction and network, the most USD first, from 1 USD.",
    ),
  service_address: z.boolean().describe("True for a known service; its score is capped at 30."),
  positive_factors: z.array(shape.positiveFactor),
  coverage_percent: z.number().describe("Percent of the wallet's history that is indexed."),
  tracing: shape.tracing,
  unavailable: shape.riskUnavailable,
  metadata: shape.riskMetadata,
});

export const getWalletRiskOverview = defineTool({
  name: "get_wallet_risk_overview",
  title: "Risk of a wallet, with evidence and paths",
  description:
    "Risk score of a wallet, 0..100, with its reasons: sanctions, freezes, the share of its money that traces to mixers, thefts, scams and other labelled sources, each with its path of transactions; behaviour, risky approvals, risky neighbours and positive factors. Fails closed when a list or a freeze check is missing. Use it to explain why a wallet is risky, with the path of stolen or mixed funds; get_wallet_risk_score gives the number alone, for less.",
  credits: 15,
  families: ["evm", "solana", "tron"],
  input: shape.input.extend({
    method: shape.traceMethod("How money mixes: pro rata, first in first out, or tainted in full."),
  }),
  output,
  subjects: ["address"],
  follows_counterparties: true,
  example: { address: DEMO_EXAMPLES.exposed_wallet, network: "demo" },
  live_fields: ["sanctions.lists_checked[].age_hours"],
  run: async (asked, context) => {
    const assessed = await assessWallet({ asked, context, type: TYPE, is_named: true });
    if (assessed.outcome !== null) return assessed.outcome;
    const { risk, networks, metadata } = assessed;
    const rules = await context.operator.readRiskRules();
    return data({
      type: TYPE as typeof TYPE,
      risk_score: risk.score.score,
      score_range: { ...risk.score.range },
      risk_level: risk.score.level,
      rules_fired: firedRules(rules, risk),
      rules_checked: rules.length,
      categories: risk.categories,
      behaviour: risk.behaviour,
      sanctions: risk.sanctions,
      stablecoin_freezes: risk.freezes,
      approvals_at_risk: risk.approvals,
      related_risky_wallets: risk.related,
      ends: risk.ends,
      service_address: risk.score.service_address,
      positive_factors: risk.positives,
      coverage_percent: risk.coverage_percent,
      tracing: risk.tracing,
      unavailable: [...risk.unavailable, ...unknownSpenders(networks)],
      metadata,
    });
  },
  view: {
    members:
      "risk_score risk_level service_address coverage_percent sanctions stablecoin_freezes rules_fired categories behaviour approvals_at_risk related_risky_wallets positive_factors tracing ends",
    drawn: {
      "sanctions.lists_checked": "id version",
      "sanctions.matches": { is: "alerts" },
      "sanctions.formerly_listed": { is: "alerts" },
      "stablecoin_freezes.coins": { is: "alerts" },
      categories: {
        is: "alerts",
        columns:
          "category score direct min_hops direct_in_usd indirect_in_usd direct_out_usd indirect_out_usd share_in_percent share_out_percent sources[label,category,address,usd,hops] sources_count",
      },
      behaviour: { is: "alerts" },
      rules_fired: { is: "alerts" },
      ends: { columns: "direction reason usd share_percent label category address hops", rows_max: 5 },
      approvals_at_risk: {
        columns: "network symbol spender spender_label reason is_unlimited value_at_risk_usd token allowance",
      },
    },
  },
});
