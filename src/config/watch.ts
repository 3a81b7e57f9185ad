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
        "Let accounts watch addresses and tokens and receive events as a stream and as webhooks. Serving processes run the rules.",
    }),
    webhooks: z.boolean().default(true).meta({
      description:
        "Send events to the https addresses of watch rules, through the guarded fetcher; `false`: only the stream.",
    }),
    credits: z.int().min(0).max(40).default(1).meta({
      description:
        "Credits of one event, charged once when it is delivered; 0: free. `assay prices set watch_event N` overrides it.",
    }),
    rules_per_account: z.int().min(1).max(100_000).default(100).meta({ description: "Most rules of an account." }),
    events_per_block: z.int().min(1).max(10_000).default(200).meta({
      description:
        "Most events of one account per block, over all its rules. One further event reports how many were left out.",
    }),
    events_per_account: z.int().min(100).max(10_000_000).default(20_000).meta({
      description:
        "Most stored events of an account. The oldest delivered events are dropped first; when all wait for receivers, the rules are paused.",
    }),
    megabytes_per_account: z.int().min(1).max(100_000).default(32).meta({
      description: "The same limit in megabytes of event data.",
    }),
    deliveries_per_minute: z.int().min(1).max(100_000).default(600).meta({
      description: "Most webhooks of one account per 60 seconds; further ones wait.",
    }),
    streams_per_account: z.int().min(1).max(100).default(4).meta({
      description: "Most open event streams of an account per process.",
    }),
    retry_hours: z.number().min(0.001).max(720).default(24).meta({
      description: "Hours for which a failed webhook is retried before it becomes a dead letter.",
    }),
    retry_first_seconds: z.number().min(0.01).max(3_600).default(5).meta({
      description:
        "Seconds before the second attempt. Each further pause doubles, up to an hour, with a jitter of half.",
    }),
    keep_days: z
      .int()
      .min(1)
      .max(3_650)
      .default(30)
      .meta({ description: "Days for which events can be listed and replayed." }),
    risk_per_minute: z.number().min(0.01).max(600).default(6).meta({
      description:
        "Most watched addresses and tokens whose risk is reassessed per minute after a transfer or freeze. Accounts take turns.",
    }),
    local_origins: z.array(origin).default([]).meta({
      description:
        "Exact origins that webhooks may reach although they are local or plain http, e.g. `http://127.0.0.1:9000`. All others must be https to public addresses.",
    }),
  })
  .prefault({})
  .meta({ description: "Watch rules, their stream and webhooks." });
