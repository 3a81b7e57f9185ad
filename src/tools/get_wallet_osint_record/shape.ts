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
  value: chainText("What the source says. An `email_hash` is the SHA-256 of the published address in lower case."),
  network: z.string().nullable().meta({ description: "Null when it holds on every network of the address's family." }),
  category: z.string().nullable(),
  source: z.string().meta({ description: "List, or the part of the index that says so." }),
  source_type: z
    .enum(["onchain", "derived", "list", "operator", "community"])
    .meta({ description: "`derived`: a rule of the index says so, from what it saw; `evidence` names that." }),
  licence: z.string().nullable().meta({ description: "Of the imported list, as the operator noted it." }),
  confidence: z.number().meta({ description: "0..1." }),
  url: z.string().nullable(),
  first_seen: z.string().nullable(),
  last_verified: z.string().nullable(),
  ended_on: z.string().nullable().meta({ description: "Day on which a sanctions list took the entry off; history." }),
  evidence: z.array(evidence),
});

const text = (key: string) => chainText(`ENS text record \`${key}\` as the owner published it.`).nullable();

export const output = z.strictObject({
  type: z.literal("osint_record"),
  wallet_address: z.string(),
  records: z.array(record),
  names: z.strictObject({
    ens: chainText("Primary ENS name; only when it resolves back to the address.").nullable(),
    basename: z.string().nullable(),
    sns: chainText("Favourite .sol name; only when it leads back to the address.").nullable(),
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
  entity: z.string().nullable().meta({ description: "Whom the surest label names." }),
  unavailable,
  metadata: metadata({ wallet_address: z.string() }),
});

export type Osint = z.output<typeof output>;
