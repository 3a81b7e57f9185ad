import type { SourcedRule } from "../lib/risk_rule.ts";
import { NO_SOURCES, type Sources } from "../sources/index.ts";
import type { PhishingList } from "../web/phishing.ts";
import type { Web } from "../web/web.ts";

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
  /** The limits for the exposure of wallets that are in force now. An answer reads them once. */
  readonly readRiskRules: () => Promise<readonly SourcedRule[]>;
}

/** An operator without any capability or data. */
export const SILENT_OPERATOR: Operator = {
  web: null,
  sites: { of_tokens: new Map(), phishing_lists: [], rdap_server: null },
  sources: NO_SOURCES,
  sanctions: { max_age_hours: 168, now_ms: Date.now },
  readRiskRules: async () => [],
};
