import type { Source } from "../../context.ts";
import type { ReadSecurity } from "./read_security.ts";
import type { SiteContent, SiteDomain, SiteFinding, SiteRiskLevel } from "./report.ts";

/** The input of a judgement. `content` and `security` are null without a page. */
export interface SiteFacts {
  readonly domain: SiteDomain;
  /** The page came over https with a valid certificate; null without an answer. */
  readonly is_secure: boolean | null;
  readonly page: { readonly content: SiteContent; readonly security: ReadSecurity } | null;
  /** Lists of phishing sites that name the domain. */
  readonly lists: readonly Pick<Source, "id" | "version">[];
  /** The URL of the evidence. */
  readonly url: string;
  readonly observed_at: string;
}

/** Younger domains cause a warning. */
const YOUNG_DAYS = 30;

interface FindingDraft {
  readonly code: string;
  readonly severity: SiteFinding["severity"];
  readonly message: string;
  readonly points: number;
  readonly refs: readonly string[];
}

const domainDrafts = ({ domain, url }: SiteFacts): readonly (FindingDraft | false)[] => [
  domain.age_days !== null &&
    domain.age_days < YOUNG_DAYS && {
      ...{ code: "young_domain", severity: "medium", points: 15, refs: [url] },
      message: `The domain is ${domain.age_days} days old.`,
    },
  domain.lookalike_of !== null && {
    ...{ code: "lookalike_domain", severity: "high", points: 10, refs: [url] },
    message: `The domain looks like ${domain.lookalike_of}.`,
  },
];

const pageDrafts = ({ page, is_secure, url }: SiteFacts): readonly (FindingDraft | false)[] => {
  if (page === null) return [];
  const { content, security } = page;
  const { x, telegram, discord, github } = content.links_socials;
  const at = `${url} sha256:${content.content_hash}`;
  const has_drainer = security.drainer_signatures.length > 0;
  const only_others = !content.mentions_token_address && content.other_contract_addresses.length > 0;
  return [
    (has_drainer || security.requests_seed_phrase) && {
      ...{ code: has_drainer ? "drainer_signature" : "seed_phrase_form", severity: "critical", points: 40 },
      message: has_drainer
        ? "A script behaves like a wallet drainer."
        : "The page asks for the seed phrase or the private key of a wallet.",
      refs: has_drainer ? security.drainer_signatures.map(({ id, ref }) => `${ref} ${id}`) : [at],
    },
    has_drainer &&
      security.requests_seed_phrase && {
        ...{ code: "seed_phrase_form", severity: "critical", points: 0, refs: [at] },
        message: "The page asks for the seed phrase or the private key of a wallet.",
      },
    only_others && {
      ...{ code: "names_other_contracts", severity: "high", points: 20, refs: [at] },
      message: "The page names other contracts of this network but not this token.",
    },
    is_secure === false && {
      ...{ code: "no_tls", severity: "medium", points: 10, refs: [url] },
      message: "The page did not come over https with a valid certificate.",
    },
    content.is_parked && {
      ...{ code: "parked", severity: "medium", points: 10, refs: [at] },
      message: "The page is a placeholder for a domain that is for sale.",
    },
    [x, telegram, discord, github].every((link) => link === null) && {
      ...{ code: "no_socials", severity: "low", points: 5, refs: [at] },
      message: "The page links no account of the project.",
    },
    security.obfuscated.length > 0 && {
      ...{ code: "obfuscated_script", severity: "medium", points: 0, refs: security.obfuscated },
      message: "A script obfuscates its code.",
    },
    security.external_form_targets.length > 0 && {
      ...{ code: "external_form", severity: "low", points: 0, refs: [at] },
      message: "A form sends its input to another domain.",
    },
  ];
};

/** The findings, heaviest first. Findings of 0 points only inform. */
export const findingsOf = (judged: SiteFacts): readonly SiteFinding[] => {
  const drafts = [...domainDrafts(judged), ...pageDrafts(judged)].filter((draft) => draft !== false);
  const findings = drafts.map(
    ({ refs, ...draft }): SiteFinding => ({
      ...draft,
      evidence: refs.map((ref) => ({ kind: "source_code", ref, observed_at: judged.observed_at })),
    }),
  );
  const listed: SiteFinding[] = judged.lists.length === 0 ? [] : [onLists(judged)];
  return [...findings, ...listed].sort((a, b) => b.points - a.points || (a.code < b.code ? -1 : 1));
};

const onLists = ({ lists, observed_at }: SiteFacts): SiteFinding => ({
  code: "on_phishing_list",
  severity: "critical",
  points: 30,
  message: "The domain is on a list of scam sites.",
  evidence: lists.map(({ id, version }) => ({ kind: "list", ref: `${id} ${version}`, observed_at })),
});

/** 0 to 100; null without a page, because most checks then have no input. */
export const scoreOf = (findings: readonly SiteFinding[], page: SiteFacts["page"]): number | null =>
  page === null ? null : Math.max(0, 100 - findings.reduce((sum, { points }) => sum + points, 0));

/** A critical finding decides alone; otherwise the score does, and without a score the level is null. */
export const levelOf = (findings: readonly SiteFinding[], score: number | null): SiteRiskLevel | null => {
  if (findings.some(({ severity }) => severity === "critical")) return "critical";
  if (score === null) return null;
  if (score < 60) return "high";
  return score < 80 ? "medium" : "low";
};
