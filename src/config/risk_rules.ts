import * as z from "zod";
import { riskRule } from "../accounts/risk_rule.ts";
import { RULES_MAX } from "../lib/risk_rule.ts";

/** Limits that the operator sets for the exposure of wallets. */
export const riskRulesSettings = z
  .array(riskRule)
  .max(RULES_MAX)
  .default([])
  .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, "two rules have one id")
  .meta({
    description:
      "Limits for the exposure of a wallet to a category. `get_wallet_risk_overview` lists the rules of which an exposure reaches every limit. Rules that operators set in the portal apply beside them.",
  });
