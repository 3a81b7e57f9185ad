import * as z from "zod";
import { RISK_MODEL_ID } from "../domain/compliance/risk/model.ts";
import { data } from "../lib/outcome.ts";
import { evidence } from "./fields.ts";
import { DEMO_EXAMPLES, defineTool } from "./tool.ts";
import { assessWallet } from "./wallet_risk/assess.ts";
import * as shape from "./wallet_risk/shape.ts";

const TYPE = "wallet_risk_score";
const REASONS_MAX = 5;

const output = z.strictObject({
  type: z.literal(TYPE),
  risk_score: shape.score,
  score_range: shape.scoreRange,
  risk_level: shape.level,
  top_reasons: z
    .array(
      z.strictObject({
        code: z.string(),
        category: shape.riskCategory.nullable().describe("Risk category; null for a behaviour."),
        weight: z.number().describe("0..100: the score that this finding alone would give."),
        evidence: z.array(evidence),
      }),
    )
    .describe("Reasons of the score, at most five, heaviest first."),
  is_sanctioned: z.boolean(),
  is_frozen: z.boolean(),
  service_address: z.boolean(),
  coverage_percent: z.number(),
  tracing: shape.tracing,
  model: z.string(),
  unavailable: shape.riskUnavailable,
  metadata: shape.riskMetadata,
});

export const getWalletRiskScore = defineTool({
  name: "get_wallet_risk_score",
  title: "Risk score of a wallet",
  description:
    "The risk score of a wallet, 0..100, with its heaviest reasons and whether it is sanctioned or frozen. Fails closed when a list or a freeze check is missing. Use it to screen a wallet quickly; get_wallet_risk_overview gives the details of the same computation.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input: shape.input,
  output,
  subjects: ["address"],
  follows_counterparties: true,
  example: { address: DEMO_EXAMPLES.exposed_wallet, network: "demo" },
  run: async (asked, context) => {
    const assessed = await assessWallet({ asked, context, type: TYPE });
    if (assessed.outcome !== null) return assessed.outcome;
    const { risk, metadata } = assessed;
    return data({
      type: TYPE as typeof TYPE,
      risk_score: risk.score.score,
      score_range: { ...risk.score.range },
      risk_level: risk.score.level,
      top_reasons: risk.reasons.slice(0, REASONS_MAX).map((reason) => ({ ...reason, evidence: [...reason.evidence] })),
      is_sanctioned: risk.sanctions.listed,
      is_frozen: risk.freezes.frozen_now,
      service_address: risk.score.service_address,
      coverage_percent: risk.coverage_percent,
      tracing: risk.tracing,
      model: RISK_MODEL_ID,
      unavailable: risk.unavailable,
      metadata,
    });
  },
  view: {
    members: "risk_score risk_level is_sanctioned is_frozen top_reasons service_address coverage_percent tracing model",
    drawn: { top_reasons: { is: "alerts" } },
  },
});
