import * as z from "zod";
import { RULE_DIRECTIONS, RULE_EXPOSURES } from "../lib/risk_rule.ts";

/** A risk rule, in the configuration and in requests. */
export const riskRule = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,63}$/)
      .meta({ description: "Name of the rule, shown in answers." }),
    category: z.string().max(64).meta({ description: "Risk category, as in `get_wallet_risk_overview`." }),
    exposure: z.enum(RULE_EXPOSURES).default("any").meta({
      description: "`direct`: with addresses of the category; `indirect`: through others; `any`: both together.",
    }),
    direction: z
      .enum(RULE_DIRECTIONS)
      .default("any")
      .meta({ description: "`in`: received; `out`: paid; `any`: both together." }),
    usd: z.number().min(0).nullable().default(null).meta({ description: "Limit in USD." }),
    percent: z.number().min(0).max(100).nullable().default(null).meta({
      description: "Limit in percent of all USD of the direction.",
    }),
  })
  .refine(({ usd, percent }) => usd !== null || percent !== null, "a rule needs `usd` or `percent`");
