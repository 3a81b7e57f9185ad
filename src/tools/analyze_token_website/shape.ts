import * as z from "zod";
import { chainText, evidence, metadata, network, token } from "../fields.ts";

export const input = z.strictObject({
  token_address: token("Token contract."),
  network: network(),
  website_url: z
    .string()
    .max(2_048)
    .meta({ description: "Site to look at, http or https; what the token itself says when left out." })
    .optional(),
});

const text = (description: string) => chainText(description);
const isoTime = (description: string) => z.string().nullable().meta({ description });

const domain = z.strictObject({
  registrable: text("The name that somebody registered; null for an address.").nullable(),
  age_days: z.int().nullable().meta({ description: "At the as-of block; null without a registry (RDAP) to ask." }),
  registered_at: isoTime("From the registry."),
  registrar: text("From the registry.").nullable(),
  expires_at: isoTime("From the registry."),
  tld_risk: z.enum(["low", "medium", "high"]),
  punycode: z.boolean(),
  lookalike_of: z.string().nullable().meta({ description: "Well-known domain that this one imitates." }),
});

const tls = z.strictObject({
  valid: z.boolean(),
  issuer: text("Who issued the certificate.").nullable(),
  valid_from: isoTime("From the certificate."),
  valid_to: isoTime("From the certificate."),
  san_count: z.int().nullable().meta({ description: "Names that the certificate is for." }),
});

const social = text("First link of its kind on the page.").nullable();

const content = z.strictObject({
  title: text("Title of the page.").nullable(),
  language: text("As the page declares it.").nullable(),
  mentions_token_address: z.boolean(),
  mentions_symbol: z.boolean().nullable().meta({ description: "Null when the token has no symbol." }),
  other_contract_addresses: z.array(z.string()).meta({ description: "Other contracts of this network on the page." }),
  links_socials: z.strictObject({ x: social, telegram: social, discord: social, github: social, docs: social }),
  socials_match_metadata: z
    .boolean()
    .nullable()
    .meta({ description: "The page links the accounts that the token's metadata names; null when it names none." }),
  has_whitepaper: z.boolean(),
  is_parked: z.boolean(),
  is_template_clone_of: z.string().nullable().meta({ description: "Null: no registry of page templates is loaded." }),
  text_bytes: z.int(),
  content_hash: z.string().meta({ description: "SHA-256 of the page's source." }),
});

const security = z.strictObject({
  wallet_connect_scripts: z.boolean().meta({ description: "Scripts ask for the visitor's wallet." }),
  drainer_signatures: z.array(z.string()),
  obfuscated_js: z.boolean(),
  requests_seed_phrase: z.boolean(),
  external_form_targets: z.array(text("Other domain that a form posts to.")),
  phishing_list_hits: z.array(z.strictObject({ list: z.string(), version: z.string() })),
  scripts_read: z.int().meta({ description: "Inline scripts and files of the same domain that were looked at." }),
  scripts_unread: z.int().meta({ description: "Scripts of other domains, and those that did not answer." }),
});

const finding = z.strictObject({
  code: z.string(),
  severity: z.enum(["info", "low", "medium", "high", "critical"]),
  message: z.string(),
  points: z.int().meta({ description: "What it takes from the score." }),
  evidence: z.array(evidence),
});

export const output = z.strictObject({
  type: z.literal("token_website"),
  website_url: text("The address that was looked at."),
  url_source: z.enum(["argument", "contract_uri", "operator_registry"]),
  reachable: z.boolean(),
  http_status: z.int().nullable(),
  final_url: text("After redirects.").nullable(),
  redirect_chain: z.array(text("Address that redirected.")),
  response_ms: z.int().nullable(),
  domain,
  tls: tls.nullable().meta({ description: "Null over http and when nobody answered." }),
  content: content.nullable().meta({ description: "Null unless a page came (status 200 to 299)." }),
  security: security.nullable().meta({ description: "Null unless a page came." }),
  score: z.int().nullable().meta({ description: "0 to 100, 100 is good; null unless a page came." }),
  risk_level: z.enum(["low", "medium", "high", "critical"]).nullable(),
  findings: z.array(finding),
  metadata: metadata({ token_address: z.string() }),
});

export type Website = z.output<typeof output>;

/** Everything that the site decides may differ between two calls. */
export const LIVE_FIELDS = [
  ...["reachable", "http_status", "final_url", "redirect_chain", "response_ms", "domain", "tls", "content", "security"],
  ...["score", "risk_level", "findings", "metadata.warnings"],
];
