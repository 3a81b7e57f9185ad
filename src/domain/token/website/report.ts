import type { Evidence } from "../../context.ts";

/** Results of a check of a token's site. */

/** The domain name of the site. */
export interface SiteDomain {
  registrable: string | null;
  age_days: number | null;
  registered_at: string | null;
  registrar: string | null;
  expires_at: string | null;
  tld_risk: "low" | "medium" | "high";
  punycode: boolean;
  lookalike_of: string | null;
}

export interface Tls {
  valid: boolean;
  issuer: string | null;
  valid_from: string | null;
  valid_to: string | null;
  san_count: number | null;
}

/** Purposes of the page's scripts and forms. */
export interface SiteSecurity {
  wallet_connect_scripts: boolean;
  drainer_signatures: string[];
  obfuscated_js: boolean;
  requests_seed_phrase: boolean;
  external_form_targets: string[];
  phishing_list_hits: { list: string; version: string }[];
  scripts_read: number;
  scripts_unread: number;
}

export type SiteRiskLevel = "low" | "medium" | "high" | "critical";

export interface SiteFinding {
  code: string;
  severity: "info" | SiteRiskLevel;
  message: string;
  /** Points that it subtracts from the score. */
  points: number;
  evidence: Evidence[];
}

/** Contents of the page. */
export interface SiteContent {
  title: string | null;
  language: string | null;
  mentions_token_address: boolean;
  mentions_symbol: boolean | null;
  other_contract_addresses: string[];
  links_socials: {
    x: string | null;
    telegram: string | null;
    discord: string | null;
    github: string | null;
    docs: string | null;
  };
  socials_match_metadata: boolean | null;
  has_whitepaper: boolean;
  is_parked: boolean;
  is_template_clone_of: string | null;
  text_bytes: number;
  content_hash: string;
}
