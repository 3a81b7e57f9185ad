import * as z from "zod";

const rule = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,63}$/)
      .meta({ description: "Name of the rule, shown in answers." }),
    category: z.string().meta({ description: "Risk category, as in `get_wallet_risk_overview`." }),
    exposure: z.enum(["direct", "indirect", "any"]).default("any").meta({
      description: "`direct`: with addresses of the category; `indirect`: through others; `any`: both together.",
    }),
    direction: z
      .enum(["in", "out", "any"])
      .default("any")
      .meta({ description: "`in`: received; `out`: paid; `any`: both together." }),
    usd: z.number().min(0).nullable().default(null).meta({ description: "Limit in USD." }),
    percent: z.number().min(0).max(100).nullable().default(null).meta({
      description: "Limit in percent of all USD of the direction.",
    }),
  })
  .refine(({ usd, percent }) => usd !== null || percent !== null, "a rule needs `usd` or `percent`");

/** Limits that the operator sets for the exposure of wallets. */
export const riskRulesSettings = z
  .array(rule)
  .max(100)
  .default([])
  .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, "two rules have one id")
  .meta({
    description:
      "Limits for the exposure of a wallet to a category. `get_wallet_risk_overview` lists the rules of which an exposure reaches every limit.",
  });
