import * as z from "zod";
import { chainText, evidence, metadata, unavailable } from "../fields.ts";

const record = z.strictObject({
  kind: z.enum([
    "label",
    "entity",
    "name",
    "social",
    "website",
    "email_hash",
    "report",
    "sanction",
    "freeze",
    "donation",
    "project",
  ]),
  value: chainText("Value published by the source. An `email_hash` is the SHA-256 of the lower-case email address."),
  network: z.string().nullable().describe("Network of the record; null for all networks of the family."),
  category: z.string().nullable(),
  source: z.string().describe("List, or part of the index, that the record comes from."),
  source_type: z
    .enum(["onchain", "derived", "list", "operator", "community"])
    .describe("`derived`: a rule of the index produced the record; `evidence` names what it is based on."),
  licence: z.string().nullable().describe("Licence of the list, as recorded by the operator; null when unknown."),
  confidence: z.number().describe("0..1."),
  url: z.string().nullable(),
  first_seen: z.string().nullable(),
  last_verified: z.string().nullable(),
  ended_on: z.string().nullable().describe("Day on which the sanctions list removed the entry; null while listed."),
  evidence: z.array(evidence),
});

const text = (key: string) => chainText(`ENS text record \`${key}\` as the owner published it.`).nullable();

export const output = z.strictObject({
  type: z.literal("osint_record"),
  wallet_address: z.string(),
  records: z.array(record),
  names: z.strictObject({
    ens: chainText("Primary ENS name that resolves back to the address; null without one.").nullable(),
    basename: z.string().nullable(),
    sns: chainText("Favourite .sol name that resolves back to the address; null without one.").nullable(),
  }),
  text_records: z.strictObject({
    com_twitter: text("com.twitter"),
    com_github: text("com.github"),
    url: text("url"),
    email: text("email"),
    description: text("description"),
  }),
  reports_summary: z.strictObject({
    count: z.int(),
    categories: z.array(z.strictObject({ category: z.string(), count: z.int() })),
  }),
  entity: z.string().nullable().describe("Entity of the most trusted label; null without one."),
  unavailable,
  metadata: metadata({ wallet_address: z.string() }),
});

export type Osint = z.output<typeof output>;
