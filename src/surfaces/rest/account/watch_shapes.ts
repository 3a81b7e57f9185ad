import * as z from "zod";
import { DIRECTIONS, SUBJECT_KINDS, WATCH_EVENTS } from "../../../accounts/watch/rules.ts";
import { TRACE_METHODS } from "../../../lib/trace_method.ts";

const time = z.string().meta({ format: "date-time" });
const id = z.string().min(1).max(100);

export const rule_id = id.meta({ description: "The rule's id." });
export const event_id = id.meta({ description: "The event's id, as sent." });

const address = z.string().min(1).max(100);

export const newRule = z.strictObject({
  network: z.string().min(1).max(32).meta({ description: "Network id." }),
  address: address.optional().meta({ description: "Address to watch. Set either `address`, `token` or `transfer`." }),
  token: address.optional().meta({ description: "Token to watch. Set either `address`, `token` or `transfer`." }),
  transfer: z
    .strictObject({
      tx_hash: z.string().min(1).max(100),
      asset: address.meta({ description: "Token address, or `native`." }),
      direction: z.enum(["in", "out"]).meta({ description: "`in`: you received it. `out`: you sent it." }),
      method: z.enum(TRACE_METHODS).default("haircut").meta({
        description: "How money mixes: pro rata, first in first out, or tainted in full.",
      }),
    })
    .optional()
    .meta({
      description:
        "Transfer to screen again when lists or rules change, and daily. Its rule has the event `risk` alone: its verdict has changed.",
    }),
  events: z.array(z.enum(WATCH_EVENTS)).min(1).max(WATCH_EVENTS.length).default(["movement"]).meta({
    description:
      "`movement` of coins and tokens, fees apart; `freeze`: what an issuer does to accounts; `approval` of a spender; `risk`: its level has changed.",
  }),
  direction: z.enum(DIRECTIONS).default("both").meta({
    description: "Transfers into or out of the address. For a token: `in` for mints, `out` for burns.",
  }),
  min_usd: z.number().min(0).max(1e9).nullable().default(null).meta({
    description: "Least USD value of a transfer at its hourly price; null for any value.",
  }),
  include_unpriced: z.boolean().default(false).meta({
    description: "With `min_usd`, also send transfers without a price (their `usd` is null).",
  }),
  categories: z.array(z.string().min(1).max(64)).max(40).default([]).meta({
    description:
      "Only transfers with a counterparty of these label categories, such as `exchange` or `mixer`; empty for any counterparty.",
  }),
  url: z.string().max(2_048).nullable().default(null).meta({
    description: "https URL to which events are sent; null to only list and stream them.",
  }),
  note: z.string().max(200).nullable().default(null).meta({ description: "Note for people." }),
});

export const rule = z.strictObject({
  id: z.string(),
  account_id: z.string(),
  key_id: z.string().meta({ description: "Key that created the rule." }),
  network: z.string(),
  subject_kind: z.enum(SUBJECT_KINDS),
  subject: z.string().meta({
    description:
      "The address or token; for a screening hash, asset and direction. In hex when its network is not served here.",
  }),
  events: z.array(z.enum(WATCH_EVENTS)),
  direction: z.enum(DIRECTIONS),
  min_usd: z.number().nullable(),
  include_unpriced: z.boolean(),
  categories: z.array(z.string()),
  url: z.string().nullable(),
  note: z.string().nullable(),
  state: z.enum(["active", "paused", "ended", "removed"]).meta({
    description: "`ended`: the receiver answered 410. A new secret makes the rule active again.",
  }),
  ended_because: z.string().nullable(),
  created_at: time,
  changed_at: time,
});

export const quota = z.strictObject({
  held_events: z.int().min(0).meta({ description: "Stored events: listed, or waiting for their receivers." }),
  held_bytes: z.int().min(0),
  most_events: z.int().meta({ description: "Most events that the account may store." }),
  most_bytes: z.int(),
  paused_because: z.enum(["credits", "price", "storage"]).nullable().meta({
    description:
      "Why the account's rules are suspended: its credits cover no further event, events have no price, or too many events wait for their receivers. They resume automatically. Null while they are active.",
  }),
  paused_at: time.nullable(),
});

export const ruleWithSecret = rule.extend({
  secret: z.string().nullable().meta({ description: "`whsec_…`, shown this once; null without a url." }),
});

const delivery = z.strictObject({
  state: z.enum(["waiting", "delivered", "dead"]),
  attempts: z.int().min(0),
  last_status: z
    .int()
    .nullable()
    .meta({ description: "Last HTTP status of the receiver; null when it has not answered." }),
  last_fault: z.string().nullable(),
  next_at: time.nullable(),
  settled_at: time.nullable(),
});

export const event = z.strictObject({
  seq: z.int().nullable().meta({ description: "Number in the account's stream; null while the event is unpaid." }),
  id: z.string(),
  rule_id: z.string(),
  state: z
    .enum(["shown", "unpaid"])
    .meta({ description: "`unpaid`: the plan's credits did not cover the event; a replay pays for it." }),
  is_retracted: z.boolean().meta({ description: "True when a reorg dropped the event's block." }),
  event: z.json().meta({ description: "The event as sent. Names and labels in it are written by strangers." }),
  delivery: delivery.nullable().meta({ description: "Delivery to the receiver; null for a rule without a url." }),
});

export const eventsQuery = {
  rule_id: rule_id.optional(),
  before: event_id.optional().meta({ description: "Return only events before this one." }),
  limit: z.int().min(1).max(200).default(50),
};

export const events = z.strictObject({ events: z.array(event) });
