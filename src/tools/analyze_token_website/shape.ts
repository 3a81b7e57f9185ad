import * as z from "zod";
import { chainText, evidence, metadata, network, token } from "../fields.ts";

export const input = z.strictObject({
  token_address: token("Token contract."),
  network: network(),
  website_url: z
    .string()
    .max(2_048)
    .describe("Site to check, http or https. Default: the site named by the token's metadata.")
    .optional(),
});

const text = (description: string) => chainText(description);
const isoTime = (description: string) => z.string().nullable().describe(description);

const domain = z.strictObject({
  registrable: text("Registered domain; null for an IP address.").nullable(),
  age_days: z.int().nullable().describe("Days from registration to the as-of block; null without a registry (RDAP)."),
  registered_at: isoTime("As reported by the registry."),
  registrar: text("As reported by the registry.").nullable(),
  expires_at: isoTime("As reported by the registry."),
  tld_risk: z.enum(["low", "medium", "high"]),
  punycode: z.boolean(),
  lookalike_of: z.string().nullable().describe("Well-known domain that this one imitates; null when it imitates none."),
});

const tls = z.strictObject({
  valid: z.boolean(),
  issuer: text("Issuer of the certificate.").nullable(),
  valid_from: isoTime("As stated by the certificate."),
  valid_to: isoTime("As stated by the certificate."),
  san_count: z.int().nullable().describe("Number of names in the certificate."),
});

const social = text("First link of its kind on the page.").nullable();

const content = z.strictObject({
  title: text("Title of the page.").nullable(),
  language: text("Language declared by the page.").nullable(),
  mentions_token_address: z.boolean(),
  mentions_symbol: z.boolean().nullable().describe("True when the page mentions the symbol; null without a symbol."),
  other_contract_addresses: z.array(z.string()).describe("Addresses of other contracts of this network on the page."),
  links_socials: z.strictObject({ x: social, telegram: social, discord: social, github: social, docs: social }),
  socials_match_metadata: z
    .boolean()
    .nullable()
    .describe("True when the page links the accounts in the token's metadata; null when the metadata names none."),
  has_whitepaper: z.boolean(),
  is_parked: z.boolean(),
  is_template_clone_of: z.string().nullable().describe("Always null: no registry of page templates is loaded."),
  text_bytes: z.int(),
  content_hash: z.string().describe("SHA-256 of the page source."),
});

const security = z.strictObject({
  wallet_connect_scripts: z.boolean().describe("True when a script requests the visitor's wallet."),
  drainer_signatures: z.array(z.string()),
  obfuscated_js: z.boolean(),
  requests_seed_phrase: z.boolean(),
  external_form_targets: z.array(text("Another domain to which a form posts.")),
  phishing_list_hits: z.array(z.strictObject({ list: z.string(), version: z.string() })),
  scripts_read: z.int().describe("Inline scripts and scripts of the same domain that were analyzed."),
  scripts_unread: z.int().describe("Scripts that were not analyzed: of other domains, or unreachable."),
});

const finding = z.strictObject({
  code: z.string(),
  severity: z.enum(["info", "low", "medium", "high", "critical"]),
  message: z.string(),
  points: z.int().describe("Points deducted from the score."),
  evidence: z.array(evidence),
});

export const output = z.strictObject({
  type: z.literal("token_website"),
  website_url: text("URL that was checked."),
  url_source: z.enum(["argument", "contract_uri", "operator_registry"]),
  reachable: z.boolean(),
  http_status: z.int().nullable(),
  final_url: text("After redirects.").nullable(),
  redirect_chain: z.array(text("URL that redirected.")),
  response_ms: z.int().nullable(),
  domain,
  tls: tls.nullable().describe("TLS certificate; null over http and when the site did not answer."),
  content: content.nullable().describe("Null unless the site returned a page (status 200 to 299)."),
  security: security.nullable().describe("Null unless the site returned a page."),
  score: z.int().nullable().describe("0..100, higher is better; null unless the site returned a page."),
  risk_level: z.enum(["low", "medium", "high", "critical"]).nullable(),
  findings: z.array(finding),
  metadata: metadata({ token_address: z.string() }),
});

export type Website = z.output<typeof output>;

export const LIVE_FIELDS = [
  ...["reachable", "http_status", "final_url", "redirect_chain", "response_ms", "domain", "tls", "content", "security"],
  ...["score", "risk_level", "findings", "metadata.warnings"],
];
