import { domainToUnicode } from "node:url";
import { parse } from "tldts";

export interface Domain {
  /** The registered domain: `example.co.uk` of `www.example.co.uk`; null for an address or a bare suffix. */
  readonly registrable: string | null;
  /** The registrable name without its suffix, as a reader sees it: `exämple`. */
  readonly label: string | null;
  readonly is_punycode: boolean;
  readonly tld_risk: "low" | "medium" | "high";
}

/**
 * Cheap or free suffixes that appear in public abuse reports far above their share of names. This is Assay's own
 * assessment; it changes only with the version of the methodology.
 */
const HIGH_RISK = new Set(
  "bond buzz cam cf cfd click country cyou fit ga gq icu lol ml mom monster mov beauty hair makeup quest rest sbs shop support tk top vip win work xin zip".split(
    " ",
  ),
);
const MEDIUM_RISK = new Set(
  "biz cc club digital fun host info life link live market one online pro ru site space store su tech today website world ws xyz".split(
    " ",
  ),
);

const riskOf = (suffix: string): Domain["tld_risk"] => {
  const last = suffix.split(".").at(-1) ?? "";
  if (HIGH_RISK.has(last)) return "high";
  return MEDIUM_RISK.has(last) ? "medium" : "low";
};

/** Derives the registered domain and its risk from a host name alone. */
export const readDomain = (host: string): Domain => {
  const { domain, domainWithoutSuffix, publicSuffix, isIp } = parse(host, { allowPrivateDomains: true });
  const label = domainWithoutSuffix === null || isIp === true ? null : domainToUnicode(domainWithoutSuffix);
  return {
    registrable: domain,
    label: label === "" ? null : label,
    is_punycode: host.split(".").some((part) => part.startsWith("xn--")),
    tld_risk: riskOf(publicSuffix ?? ""),
  };
};
