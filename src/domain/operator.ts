import { NO_SOURCES, type Sources } from "../sources/index.ts";
import type { PhishingList } from "../web/phishing.ts";
import type { Web } from "../web/web.ts";

export const RULE_EXPOSURES = ["direct", "indirect", "any"] as const;
export const RULE_DIRECTIONS = ["in", "out", "any"] as const;

/** A limit that the operator sets for the exposure of wallets to a category. */
export interface RiskRule {
  readonly id: string;
  /** A category of the risk model. */
  readonly category: string;
  readonly exposure: (typeof RULE_EXPOSURES)[number];
  readonly direction: (typeof RULE_DIRECTIONS)[number];
  /** Null: no limit of this kind. At least one of both is set. */
  readonly usd: number | null;
  /** Percent of all USD that the wallet received, paid, or both, by direction. */
  readonly percent: number | null;
}

/** Capabilities and data that the operator of this instance gives its tools. */
export interface Operator {
  /** Guarded access to the web; null when the operator does not allow it. */
  readonly web: Web | null;
  /** Facts about sites that need no request to them. */
  readonly sites: {
    /** Project sites that the operator vetted: `network:token` (hex) -> address. */
    readonly of_tokens: ReadonlyMap<string, string>;
    readonly phishing_lists: readonly PhishingList[];
    /** URL of the RDAP server up to the domain name; null = registries are not queried. */
    readonly rdap_server: string | null;
  };
  /** Verified sources of contracts. */
  readonly sources: Sources;
  /** Maximum age of a sanctions list, in hours since its last import, and the clock (unix ms) that measures it. */
  readonly sanctions: { readonly max_age_hours: number; readonly now_ms: () => number };
  /** Limits for the exposure of wallets. */
  readonly risk_rules: readonly RiskRule[];
}

/** An operator without any capability or data. */
export const SILENT_OPERATOR: Operator = {
  web: null,
  sites: { of_tokens: new Map(), phishing_lists: [], rdap_server: null },
  sources: NO_SOURCES,
  sanctions: { max_age_hours: 168, now_ms: Date.now },
  risk_rules: [],
};
