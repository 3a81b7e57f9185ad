import { type DomainList, domainsAbove } from "../lib/domain_list.ts";

/** A published list of phishing domains. */
export interface PhishingList extends DomainList {
  readonly id: string;
  readonly version: string;
  /** ISO 8601. */
  readonly updated_at: string | null;
}

/** The nearest listed name decides: the host itself before a domain above it. */
export const isBlocked = (host: string, { blocked, allowed }: DomainList): boolean => {
  const named = domainsAbove(host).find((name) => allowed.has(name) || blocked.has(name));
  return named !== undefined && !allowed.has(named);
};
