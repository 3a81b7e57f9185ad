import * as z from "zod";

/** An origin of the operator's own: `URL.origin` of itself. */
const origin = z.string().refine((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  return parsed !== null && ["http:", "https:"].includes(parsed.protocol) && parsed.origin === text;
}, "expected an origin such as http://127.0.0.1:9000");

/** Watch rules of accounts: off until the operator says so. */
export const watchSettings = z
  .strictObject({
    enabled: z.boolean().default(false).meta({
      description:
        "Allows accounts to watch addresses and tokens and to receive events as a stream and as webhooks. Runs in the processes that answer callers.",
    }),
    webhooks: z.boolean().default(true).meta({
      description:
        "Sends events to the https addresses of accounts, through the guarded fetcher. False: only the stream.",
    }),
    credits: z.int().min(0).max(40).default(1).meta({
      description:
        "Price of one event, charged once when it is first shown; 0 = free. `assay prices set watch_event N` overrides it.",
    }),
    rules_per_account: z
      .int()
      .min(1)
      .max(100_000)
      .default(100)
      .meta({ description: "Maximum number of rules of an account." }),
    events_per_block: z.int().min(1).max(10_000).default(200).meta({
      description:
        "Maximum number of events of one account for one block, over all its rules. One further event counts the omitted ones.",
    }),
    events_per_account: z.int().min(100).max(10_000_000).default(20_000).meta({
      description:
        "Maximum number of stored events of an account. Assay deletes the oldest that no receiver waits for; if all wait for receivers, it pauses the rules.",
    }),
    megabytes_per_account: z.int().min(1).max(100_000).default(32).meta({
      description: "The same limit in megabytes of event bodies.",
    }),
    deliveries_per_minute: z.int().min(1).max(100_000).default(600).meta({
      description: "Webhook requests of one account in any 60 seconds; more wait.",
    }),
    streams_per_account: z.int().min(1).max(100).default(4).meta({
      description: "Maximum number of open event streams of an account in one process.",
    }),
    retry_hours: z.number().min(0.001).max(720).default(24).meta({
      description: "How long Assay retries an undelivered webhook, hours; then it is a dead letter.",
    }),
    retry_first_seconds: z.number().min(0.01).max(3_600).default(5).meta({
      description:
        "Pause before the second attempt, seconds. It doubles with each attempt, up to an hour, with 50 % jitter.",
    }),
    keep_days: z
      .int()
      .min(1)
      .max(3_650)
      .default(30)
      .meta({ description: "How long events can be listed and replayed, days." }),
    risk_per_minute: z.number().min(0.01).max(600).default(6).meta({
      description:
        "Watched addresses and tokens of an account that get a new risk score per minute, after they moved or were frozen. Accounts take turns.",
    }),
    local_origins: z.array(origin).default([]).meta({
      description:
        "Exact origins that webhooks may reach although they are local or plain http, e.g. `http://127.0.0.1:9000`. All others must be https to public addresses.",
    }),
  })
  .prefault({})
  .meta({ description: "Watch rules, their stream and webhooks." });
