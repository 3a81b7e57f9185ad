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
        "Let accounts watch addresses and tokens, and hear of what happens to them as a stream and as webhooks. Processes that answer callers do it.",
    }),
    webhooks: z.boolean().default(true).meta({
      description:
        "Send events to the https addresses that accounts name, through the guarded fetcher. False: only the stream.",
    }),
    credits: z.int().min(0).max(40).default(1).meta({
      description:
        "Credits of one event, charged once when it is shown; 0 = free. `assay prices set watch_event N` stands above it.",
    }),
    rules_per_account: z
      .int()
      .min(1)
      .max(100_000)
      .default(100)
      .meta({ description: "Rules that an account may have." }),
    events_per_block: z.int().min(1).max(10_000).default(200).meta({
      description:
        "Most events that one account receives for one block, over all its rules. One further event says how many were left out.",
    }),
    events_per_account: z.int().min(100).max(10_000_000).default(20_000).meta({
      description:
        "Events that an account may hold. The oldest that nothing waits for give way; when all wait for receivers, its rules are paused.",
    }),
    megabytes_per_account: z.int().min(1).max(100_000).default(32).meta({
      description: "The same in megabytes of what is sent.",
    }),
    deliveries_per_minute: z.int().min(1).max(100_000).default(600).meta({
      description: "Webhooks that are sent for one account in any 60 seconds; more wait.",
    }),
    streams_per_account: z.int().min(1).max(100).default(4).meta({
      description: "Streams of events that an account may have open in one process.",
    }),
    retry_hours: z.number().min(0.001).max(720).default(24).meta({
      description: "How long a webhook that is not taken is sent again, hours; then it is a dead letter.",
    }),
    retry_first_seconds: z.number().min(0.01).max(3_600).default(5).meta({
      description:
        "Pause before the second attempt, seconds; each further one is twice as long, an hour at most, give or take a half.",
    }),
    keep_days: z
      .int()
      .min(1)
      .max(3_650)
      .default(30)
      .meta({ description: "How long events can be listed and sent again, days." }),
    risk_per_minute: z.number().min(0.01).max(600).default(6).meta({
      description:
        "How many addresses and tokens that an account watches are judged again per minute, after they moved or were frozen. Accounts take turns.",
    }),
    local_origins: z.array(origin).default([]).meta({
      description:
        "Exact origins that webhooks may reach though they are local, or plain http, e.g. `http://127.0.0.1:9000`. Everything else is https to public addresses.",
    }),
  })
  .prefault({})
  .meta({ description: "Watch rules, their stream and webhooks." });
