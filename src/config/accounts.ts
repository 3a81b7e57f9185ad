import * as z from "zod";
import { DEFAULT_PLANS } from "../accounts/plans.ts";
import { keySettings } from "./keys.ts";

const plan = z.strictObject({
  monthly_credits: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: "Credits per calendar month; null = set per account." }),
  keys_max: z.int().min(0).nullable().meta({ description: "Keys that an account may hold; null = set per account." }),
  calls_per_minute: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: "Calls in any 60 seconds and key; null = set per account." }),
});

/** Settings of accounts, keys and plans. */
export const accountsSettings = {
  accounts: z
    .discriminatedUnion("engine", [
      z.strictObject({ engine: z.literal("embedded") }),
      z.strictObject({
        engine: z.literal("postgres"),
        url: z
          .url({ protocol: /^postgres(ql)?$/ })
          .meta({ description: "PostgreSQL address, e.g. `postgres://assay@db.internal/assay`." }),
        connections: z
          .int()
          .min(1)
          .max(1_000)
          .default(10)
          .meta({ description: "Most connections of one process; one more listens." }),
      }),
    ])
    .default({ engine: "embedded" })
    .meta({ description: "Accounts store: `embedded` (a file in data_dir), or a PostgreSQL server." }),
  rate_limit: z
    .strictObject({
      redis_url: z
        .url({ protocol: /^rediss?$/ })
        .nullable()
        .default(null)
        .meta({ description: "Redis in which several instances keep their limits together; null = each its own." }),
      instances: z.int().min(1).max(1_000).default(2).meta({
        description: "How many instances share them: while Redis is away each admits this part of a limit.",
      }),
    })
    .prefault({})
    .meta({ description: "Calls per minute of several instances." }),
  keys: keySettings,
  plans: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), plan)
    .default({ ...DEFAULT_PLANS })
    .meta({ description: "Plans and their allowances." }),
};
