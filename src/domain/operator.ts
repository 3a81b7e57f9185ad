import { NO_SOURCES, type Sources } from "../sources/index.ts";
import type { PhishingList } from "../web/phishing.ts";
import type { Web } from "../web/web.ts";

/** Permissions and data that the operator of this instance gives its tools. */
export interface Operator {
  /** The guarded outbound access; null while not allowed. */
  readonly web: Web | null;
  /** Facts about sites that need no request. */
  readonly sites: {
    /** Project sites that the operator confirms: `network:token` (hex) -> address. */
    readonly of_tokens: ReadonlyMap<string, string>;
    readonly phishing_lists: readonly PhishingList[];
    /** RDAP server: its address up to the domain; null = registries are not queried. */
    readonly rdap_server: string | null;
  };
  /** Verified sources of contracts. */
  readonly sources: Sources;
  /** Maximum age of a sanctions list, in hours since its last import, and the clock (unix ms). */
  readonly sanctions: { readonly max_age_hours: number; readonly now_ms: () => number };
}

/** An operator without permissions and data. */
export const SILENT_OPERATOR: Operator = {
  web: null,
  sites: { of_tokens: new Map(), phishing_lists: [], rdap_server: null },
  sources: NO_SOURCES,
  sanctions: { max_age_hours: 168, now_ms: Date.now },
};
