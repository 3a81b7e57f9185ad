import * as z from "zod";
import { DEFAULT_PLANS } from "../accounts/plans.ts";
import { keySettings } from "./keys.ts";

const plan = z.strictObject({
  monthly_credits: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: "Credits per calendar month; null: each account sets its own." }),
  keys_max: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: "Most keys of an account; null: each account sets its own." }),
  calls_per_minute: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: "Calls per minute and key; null: each account sets its own." }),
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
          .meta({ description: "Most connections of one process, plus one that listens." }),
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
        .meta({ description: "Redis in which several instances share their limits; null: each instance has its own." }),
      instances: z.int().min(1).max(1_000).default(2).meta({
        description:
          "Number of instances that share the limits. While Redis is unavailable, each admits its part of a limit.",
      }),
    })
    .prefault({})
    .meta({ description: "Limits of calls per minute, shared by several instances." }),
  keys: keySettings,
  plans: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), plan)
    .default({ ...DEFAULT_PLANS })
    .meta({ description: "Plans and their allowances." }),
};
