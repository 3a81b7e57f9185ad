import * as z from "zod";
import { ROLES } from "../../accounts/roles.ts";
import { USAGE_FIELDS } from "../../accounts/usage.ts";

const time = z.string().meta({ format: "date-time" });
const count = z.int().min(0);

export const account = z.strictObject({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  created_at: time,
});

/** An account with what it may do and what is left of this month. */
export const accountDetails = account.extend({
  period: z.string().meta({ description: "UTC calendar month, YYYY-MM." }),
  credits_quota: count,
  credits_used: count,
  credits_used_api: count,
  credits_used_mcp: count,
  credits_remaining: count,
  resets_at: time,
  keys: count.meta({ description: "Keys that are not revoked." }),
  keys_max: count,
  calls_per_minute: count,
});

const newKey = {
  id: z.string(),
  account_id: z.string(),
  prefix: z.string().meta({ description: "First characters; the rest is never shown again." }),
  scopes: z.array(z.string()),
  limit: z.int().nullable().meta({ description: "The key's own calls per minute; null = the plan's." }),
  created_at: time,
};

/** A key with its secret, which is shown this once. */
export const keyWithSecret = z.strictObject({ ...newKey, secret: z.string() });

export const key = z.strictObject({
  ...newKey,
  revoked_at: time.nullable(),
  last_used_at: time.nullable().meta({ description: "Written at most once a minute." }),
  grace_until: time.nullable().meta({ description: "Until when the secret before the last rotation works too." }),
  created_by: z.string().nullable().meta({
    description:
      "Who received the secret when the key was made: user:ID, key:ID or an operator; null = before this was kept.",
  }),
  rotated_by: z
    .string()
    .nullable()
    .meta({ description: "Who received the present secret; null = it is the first one." }),
  rotated_at: time.nullable(),
  pepper: z.enum(["current", "previous", "unknown", "none"]),
});

/** Roles inside an account, each with what it may do (docs/operating/sign_in.md). */
export const role = z.enum(ROLES);

/** A person who signs in. */
export const user = z.strictObject({
  id: z.string(),
  name: z.string(),
  account_id: z.string().nullable().meta({ description: "Whose credits their calls cost; null = they call no tools." }),
  is_operator: z.boolean(),
  role: role.nullable().meta({ description: "What they may do inside their account; null = they have none." }),
  state: z.enum(["invited", "active", "removed"]).meta({ description: "invited: no password yet." }),
  link_until: time.nullable().meta({ description: "Until when a set-up link that was not used yet opens." }),
  created_at: time,
});

/** A row of the ledger. */
export const ledgerRow = z.strictObject({
  period: z.string().meta({ description: "UTC calendar month of the pool, YYYY-MM." }),
  seq: z.int().min(1).meta({ description: "From 1 in each month, without a gap." }),
  at: time,
  kind: z.enum(["adjustment", "grant", "charge", "refund"]).meta({ description: "adjustment: the plan's allowance." }),
  credits: z.int().meta({ description: "What it did to the credits that are left." }),
  balance_after: z.int(),
  call: z
    .strictObject({
      request_id: z.string().nullable().meta({
        description: "X-Request-Id of the call's answer; null = of a call before this was kept.",
      }),
      tool: z.string(),
      surface: z.string(),
      key_id: z.string().meta({ description: "The key, or the user who was signed in." }),
      outcome: z.string().meta({ description: "done, refunded or running." }),
      reason: z.string().nullable().meta({ description: "Why it was given back." }),
    })
    .nullable()
    .meta({ description: "Of a charge or a refund." }),
});

export const plan = z.strictObject({
  id: z.string(),
  monthly_credits: count.nullable().meta({ description: "Null = each account brings its own number." }),
  keys_max: count.nullable(),
  calls_per_minute: count.nullable(),
});

export const price = z.strictObject({
  tool: z.string(),
  credits: z.int().nullable().meta({ description: "Null = temporarily unavailable." }),
  source: z.enum(["card", "operator"]),
});

export const listedTool = z.strictObject({ tool: z.string(), is_public: z.boolean() });

export const auditEntry = z.strictObject({
  seq: z.int().min(1),
  at: time,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.json(),
  after: z.json(),
});

export const violation = z.strictObject({
  invariant: z.string(),
  sentence: z.string(),
  rows: z.array(z.record(z.string(), z.json())),
});

/** Other processes that have the store open, by the names under which they own running charges. */
export const witnesses = z.strictObject({
  same: z
    .array(z.string())
    .meta({ description: "They read what was written here, and what they wrote was read here." }),
  silent: z.array(z.string()).meta({ description: "They live and did not answer: stopped, or on another store." }),
});

/** Numbers of a plan that leaves them to the account. */
export const planNumbers = {
  monthly_credits: count.optional().meta({ description: "Only for a plan without that number." }),
  keys_max: count.optional().meta({ description: "Only for a plan without that number." }),
  calls_per_minute: count.optional().meta({ description: "Only for a plan without that number." }),
};

const format = z.enum(["json", "csv"]).default("json").meta({ description: "csv: the rows as text/csv." });
const day = z.string().max(10).meta({ description: "UTC day, YYYY-MM-DD." });

/** Which usage is asked for. */
export const usageQuery = {
  from: day,
  to: day.meta({ description: "UTC day, YYYY-MM-DD, inside; at most 366 days from `from` on." }),
  by: z
    .string()
    .min(1)
    .max(100)
    .default("day,tool,outcome")
    .meta({ description: `What rows are told apart by: some of ${USAGE_FIELDS.join(", ")}, separated by commas.` }),
  format,
};

const sums = {
  calls: count.meta({
    description: "Calls that were let in and charged; refused ones cost nothing and are not counted.",
  }),
  credits: count.meta({ description: "Paid and not given back." }),
  credits_refunded: count,
};

export const usage = z.strictObject({
  from: z.string(),
  to: z.string(),
  by: z.array(z.enum(USAGE_FIELDS)),
  rows: z.array(
    z.strictObject({
      day: z.string().optional(),
      account_id: z.string().optional(),
      key_id: z.string().optional(),
      surface: z.string().optional(),
      tool: z.string().optional(),
      outcome: z
        .string()
        .optional()
        .meta({ description: "done: answered and paid. refunded: given back. running: not settled yet." }),
      ...sums,
    }),
  ),
});

export const monthQuery = {
  month: z.string().max(7).meta({ description: "UTC calendar month, YYYY-MM." }),
  format,
};

/** The lines add up to `credits_used` and `credits_refunded`. */
export const monthReport = z.strictObject({
  account_id: z.string(),
  name: z.string(),
  plan: z.string().meta({ description: "The plan that the account has now." }),
  month: z.string(),
  is_final: z.boolean().meta({ description: "False while the month lasts or a call of it is running." }),
  allowance: count.meta({ description: "Credits of the month by the plan." }),
  granted: count.meta({ description: "Credits granted beside it." }),
  credits_used: count,
  credits_refunded: count,
  credits_remaining: count,
  lines: z.array(
    z.strictObject({
      tool: z.string(),
      price: count.meta({ description: "Credits of one call." }),
      calls_paid: count.meta({ description: "Calls that were paid and not given back." }),
      ...sums,
    }),
  ),
  as_of: time,
});
