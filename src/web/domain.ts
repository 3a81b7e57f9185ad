import { domainToUnicode } from "node:url";
import { parse } from "tldts";

export interface Domain {
  /** What somebody registered: `example.co.uk` of `www.example.co.uk`; null for an address or a bare suffix. */
  readonly registrable: string | null;
  /** The registrable name without its suffix, as a reader sees it: `exämple`. */
  readonly label: string | null;
  readonly is_punycode: boolean;
  readonly tld_risk: "low" | "medium" | "high";
}

/**
 * Suffixes that cost little or nothing and stand in public abuse reports far above their share of names. Our own
 * judgement; it changes with the methodology's version.
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

/** What the name of a host tells by itself. */
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
