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

/** An account with its limits and this month's remaining credits. */
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
  prefix: z.string().meta({ description: "First characters of the key; the rest is never shown again." }),
  scopes: z.array(z.string()),
  limit: z.int().nullable().meta({ description: "Calls per minute of this key; null for the plan's limit." }),
  created_at: time,
};

/** A key with its secret, which is shown only once. */
export const keyWithSecret = z.strictObject({ ...newKey, secret: z.string() });

export const key = z.strictObject({
  ...newKey,
  revoked_at: time.nullable(),
  last_used_at: time.nullable().meta({ description: "Time of last use, updated at most once a minute." }),
  grace_until: time
    .nullable()
    .meta({ description: "Time until which the previous secret also works; null without one." }),
  created_by: z.string().nullable().meta({
    description:
      "Receiver of the first secret: user:ID, key:ID or an operator; null for keys before Assay recorded it.",
  }),
  rotated_by: z
    .string()
    .nullable()
    .meta({ description: "Receiver of the current secret; null when it is the first one." }),
  rotated_at: time.nullable(),
  pepper: z.enum(["current", "previous", "unknown", "none"]),
  client_name: z.string().nullable().meta({
    description: "Name that the assistant with this key gives itself, unverified; null for any other key.",
  }),
  expires_at: time.nullable().meta({
    description: "Time until which the current secret works; null when it has no end. An assistant renews its own.",
  }),
});

/** Roles inside an account, each with what it may do (docs/operating/sign_in.md). */
export const role = z.enum(ROLES);

export const grace_seconds = z
  .int()
  .min(0)
  .default(0)
  .meta({ description: "Grace period of the old secret in seconds, at most 30 days." });

/** A person who signs in. */
export const user = z.strictObject({
  id: z.string(),
  name: z.string(),
  account_id: z
    .string()
    .nullable()
    .meta({ description: "Account that pays for the user's calls; null for a user without tool calls." }),
  is_operator: z.boolean(),
  role: role.nullable().meta({ description: "Role in the account; null for a user without an account." }),
  state: z.enum(["invited", "active", "removed"]).meta({ description: "invited: no password yet." }),
  link_until: time.nullable().meta({ description: "Expiry of an unused set-up link; null without one." }),
  created_at: time,
});

/** A row of the ledger. */
export const ledgerRow = z.strictObject({
  period: z.string().meta({ description: "UTC calendar month of the pool, YYYY-MM." }),
  seq: z.int().min(1).meta({ description: "Sequence number, from 1 in each month without gaps." }),
  at: time,
  kind: z.enum(["adjustment", "grant", "charge", "refund"]).meta({ description: "adjustment: the plan's allowance." }),
  credits: z.int().meta({ description: "Change of the remaining credits." }),
  balance_after: z.int(),
  call: z
    .strictObject({
      request_id: z.string().nullable().meta({
        description: "X-Request-Id of the call's answer; null for calls before Assay recorded it.",
      }),
      tool: z.string(),
      surface: z.string(),
      key_id: z.string().meta({ description: "The key, or the signed-in user." }),
      outcome: z.string().meta({ description: "done, refunded or running." }),
      reason: z.string().nullable().meta({ description: "Why the call was refunded; null when it was not." }),
    })
    .nullable()
    .meta({ description: "The call of a charge or refund; null for other rows." }),
});

export const plan = z.strictObject({
  id: z.string(),
  monthly_credits: count.nullable().meta({ description: "Monthly credits; null when each account sets its own." }),
  keys_max: count.nullable(),
  calls_per_minute: count.nullable(),
});

export const price = z.strictObject({
  tool: z.string(),
  credits: z.int().nullable().meta({ description: "Price in credits; null when temporarily unavailable." }),
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
    .meta({ description: "Processes that read this process's write, and whose write this process read." }),
  silent: z
    .array(z.string())
    .meta({ description: "Live processes that did not answer: suspended, or on another store." }),
});

/** Numbers of a plan that leaves them to the account. */
export const planNumbers = {
  monthly_credits: count.optional().meta({ description: "Only for a plan that does not set this number." }),
  keys_max: count.optional().meta({ description: "Only for a plan that does not set this number." }),
  calls_per_minute: count.optional().meta({ description: "Only for a plan that does not set this number." }),
};

const format = z.enum(["json", "csv"]).default("json").meta({ description: "csv: the rows as text/csv." });
const day = z.string().max(10).meta({ description: "UTC day, YYYY-MM-DD." });

/** The requested usage. */
export const usageQuery = {
  from: day,
  to: day.meta({ description: "UTC day, YYYY-MM-DD, inclusive; at most 366 days from `from`." }),
  by: z
    .string()
    .min(1)
    .max(100)
    .default("day,tool,outcome")
    .meta({ description: `Fields to group by, separated by commas: ${USAGE_FIELDS.join(", ")}.` }),
  format,
};

const sums = {
  calls: count.meta({
    description: "Calls that were charged. Rejected calls cost nothing and are not counted.",
  }),
  credits: count.meta({ description: "Credits paid and not refunded." }),
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
      outcome: z.string().optional().meta({
        description: "done: answered and paid. refunded: the credits were returned. running: not settled yet.",
      }),
      reason: z.string().optional().meta({ description: "Why calls were refunded; '' for others." }),
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
  plan: z.string().meta({ description: "Current plan of the account." }),
  month: z.string(),
  is_final: z.boolean().meta({ description: "False while the month lasts or one of its calls is running." }),
  allowance: count.meta({ description: "Monthly credits of the plan." }),
  granted: count.meta({ description: "Credits granted in addition to the plan." }),
  credits_used: count,
  credits_refunded: count,
  credits_remaining: count,
  lines: z.array(
    z.strictObject({
      tool: z.string(),
      price: count.meta({ description: "Credits of one call." }),
      calls_paid: count.meta({ description: "Calls that were paid and not refunded." }),
      ...sums,
    }),
  ),
  as_of: time,
});
