import { NO_SOURCES, type Sources } from "../sources/index.ts";
import type { PhishingList } from "../web/phishing.ts";
import type { Web } from "../web/web.ts";

/** What the operator of this instance allows its tools and has given them. */
export interface Operator {
  /** The guarded way out; null while it is not allowed. */
  readonly web: Web | null;
  /** What is known about sites without asking them. */
  readonly sites: {
    /** Project sites that the operator vouches for: `network:token` (hex) -> address. */
    readonly of_tokens: ReadonlyMap<string, string>;
    readonly phishing_lists: readonly PhishingList[];
    /** RDAP server, its address up to where the domain begins; null = registries are not asked. */
    readonly rdap_server: string | null;
  };
  /** Verified sources of contracts. */
  readonly sources: Sources;
  /** How old a sanctions list may be, hours since its last import, and the clock (unix ms) that says so. */
  readonly sanctions: { readonly max_age_hours: number; readonly now_ms: () => number };
}

/** An operator who has allowed and given nothing. */
export const SILENT_OPERATOR: Operator = {
  web: null,
  sites: { of_tokens: new Map(), phishing_lists: [], rdap_server: null },
  sources: NO_SOURCES,
  sanctions: { max_age_hours: 168, now_ms: Date.now },
};
