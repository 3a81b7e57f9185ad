import * as z from "zod";
import { DIRECTIONS, SUBJECT_KINDS, WATCH_EVENTS } from "../../../accounts/watch/rules.ts";

const time = z.string().meta({ format: "date-time" });
const id = z.string().min(1).max(100);

export const rule_id = id.meta({ description: "The rule's id." });
export const event_id = id.meta({ description: "The event's id, as it is sent." });

const address = z.string().min(1).max(100);

export const newRule = z.strictObject({
  network: z.string().min(1).max(32).meta({ description: "Network id." }),
  address: address.optional().meta({ description: "Watch this address; or `token`." }),
  token: address.optional().meta({ description: "Watch this token; or `address`." }),
  events: z.array(z.enum(WATCH_EVENTS)).min(1).max(WATCH_EVENTS.length).default(["movement"]).meta({
    description:
      "`movement` of coins and tokens, fees apart; `freeze`: what an issuer does to accounts; `approval` of a spender; `risk`: its level has changed.",
  }),
  direction: z.enum(DIRECTIONS).default("both").meta({
    description: "Movements into or out of the address. Of a token: `in` = minted, `out` = burnt.",
  }),
  min_usd: z.number().min(0).max(1e9).nullable().default(null).meta({
    description: "Least value of a movement at its hour's price; null = any.",
  }),
  include_unpriced: z.boolean().default(false).meta({
    description: "With `min_usd`: send what has no price too (`usd` is null then).",
  }),
  categories: z.array(z.string().min(1).max(64)).max(40).default([]).meta({
    description: "Only with a counterparty labelled so, such as `exchange` or `mixer`; empty = any counterparty.",
  }),
  url: z.string().max(2_048).nullable().default(null).meta({
    description: "https address that events are sent to; null = they are listed and streamed alone.",
  }),
  note: z.string().max(200).nullable().default(null).meta({ description: "For people." }),
});

export const rule = z.strictObject({
  id: z.string(),
  account_id: z.string(),
  key_id: z.string().meta({ description: "The key that made it." }),
  network: z.string(),
  subject_kind: z.enum(SUBJECT_KINDS),
  subject: z
    .string()
    .meta({ description: "The address or token; as its bytes in hex where its network is not served here." }),
  events: z.array(z.enum(WATCH_EVENTS)),
  direction: z.enum(DIRECTIONS),
  min_usd: z.number().nullable(),
  include_unpriced: z.boolean(),
  categories: z.array(z.string()),
  url: z.string().nullable(),
  note: z.string().nullable(),
  state: z.enum(["active", "paused", "ended", "removed"]).meta({
    description: "`ended`: its receiver answered 410. A new secret makes it active again.",
  }),
  ended_because: z.string().nullable(),
  created_at: time,
  changed_at: time,
});

export const standing = z.strictObject({
  held_events: z.int().min(0).meta({ description: "Events that are listed or wait for their receivers." }),
  held_bytes: z.int().min(0),
  most_events: z.int().meta({ description: "So many the account may hold." }),
  most_bytes: z.int(),
  paused_because: z.enum(["credits", "price", "storage"]).nullable().meta({
    description:
      "The account's rules are compared with no block, because its credits cover no further event, events have no price now, or too many wait for their receivers. They go on by themselves when that has changed. Null: they are compared.",
  }),
  paused_at: time.nullable(),
});

export const ruleWithSecret = rule.extend({
  secret: z.string().nullable().meta({ description: "`whsec_…`, shown this once; null without a url." }),
});

const delivery = z.strictObject({
  state: z.enum(["waiting", "delivered", "dead"]),
  attempts: z.int().min(0),
  last_status: z.int().nullable().meta({ description: "Status of the last answer of the receiver; null = it did not answer." }),
  last_fault: z.string().nullable(),
  next_at: time.nullable(),
  settled_at: time.nullable(),
});

export const event = z.strictObject({
  seq: z.int().nullable().meta({ description: "Its number in the account's stream; null while it is not paid." }),
  id: z.string(),
  rule_id: z.string(),
  state: z
    .enum(["shown", "unpaid"])
    .meta({ description: "`unpaid`: the plan's credits did not cover it; replay pays it." }),
  is_retracted: z.boolean().meta({ description: "Its block was dropped." }),
  event: z.json().meta({ description: "As it is sent. Names and labels in it are written by strangers." }),
  delivery: delivery.nullable().meta({ description: "Null without a url." }),
});

export const eventsQuery = {
  rule_id: rule_id.optional(),
  before: event_id.optional().meta({ description: "Only events before this one." }),
  limit: z.int().min(1).max(200).default(50),
};

export const events = z.strictObject({ events: z.array(event) });
