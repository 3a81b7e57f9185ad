import type { Evidence } from "../../context.ts";

/** Public statements about an address. */

/** One statement of one source. */
export interface PublicRecord {
  kind:
    | "label"
    | "entity"
    | "name"
    | "social"
    | "website"
    | "email_hash"
    | "report"
    | "sanction"
    | "freeze"
    | "donation"
    | "project";
  value: string;
  /** Null when it applies to every network of the address's family. */
  network: string | null;
  category: string | null;
  source: string;
  /** `derived`: by a rule of the index. */
  source_type: "onchain" | "derived" | "list" | "operator" | "community";
  licence: string | null;
  /** 0..1. */
  confidence: number;
  url: string | null;
  first_seen: string | null;
  last_verified: string | null;
  /** Day on which a sanctions list removed the entry. */
  ended_on: string | null;
  evidence: Evidence[];
}

/** Records that the owner of a name published with it. */
export interface TextRecords {
  com_twitter: string | null;
  com_github: string | null;
  url: string | null;
  email: string | null;
  description: string | null;
}

export const NO_TEXTS: TextRecords = {
  com_twitter: null,
  com_github: null,
  url: null,
  email: null,
  description: null,
};
