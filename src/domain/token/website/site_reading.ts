import { DAY_S, iso } from "../../../lib/time.ts";
import { readDomain } from "../../../web/domain.ts";
import { readPage } from "../../../web/page.ts";
import { fetchRegistration } from "../../../web/rdap.ts";
import type { Web, WebAnswer } from "../../../web/web.ts";
import type { Warning } from "../../context.ts";
import type { Operator } from "../../operator.ts";
import { findingsOf, levelOf, type SiteFacts, scoreOf } from "./judge.ts";
import { listsNaming } from "./listed_domains.ts";
import { lookalikeOf } from "./lookalike.ts";
import { decodeBody, readContent, type SiteToken } from "./read_content.ts";
import { readScripts, readSecurity } from "./read_security.ts";
import type { SiteContent, SiteDomain, SiteFinding, SiteRiskLevel, SiteSecurity, Tls } from "./report.ts";

/** The input of a site check. */
export interface SiteQuery {
  readonly subject: SiteToken;
  readonly web: Web;
  readonly sites: Operator["sites"];
  readonly url: string;
}

/** The result of a site check. */
export interface SiteReport {
  readonly kind: "seen";
  readonly reachable: boolean;
  readonly http_status: number | null;
  readonly final_url: string | null;
  readonly redirect_chain: string[];
  readonly response_ms: number | null;
  readonly domain: SiteDomain;
  readonly tls: Tls | null;
  readonly content: SiteContent | null;
  readonly security: SiteSecurity | null;
  readonly score: number | null;
  readonly risk_level: SiteRiskLevel | null;
  readonly findings: SiteFinding[];
  readonly warnings: readonly Warning[];
}

/** The site was not checked. */
export interface SiteRefusal {
  readonly kind: "disabled" | "refused";
  readonly reason: string;
}

const domainOf = async ({ subject, web, sites }: SiteQuery, url: string): Promise<SiteDomain> => {
  const host = new URL(url).hostname;
  const domain = readDomain(host);
  const { scope } = subject;
  const registered =
    sites.rdap_server === null || domain.registrable === null
      ? null
      : await fetchRegistration(web, { server: sites.rdap_server, domain: domain.registrable }, scope.signal);
  const since = Date.parse(registered?.registered_at ?? "") / 1000;
  return {
    registrable: domain.registrable,
    age_days: Number.isNaN(since) ? null : Math.max(0, Math.floor((scope.snapshot.block.time - since) / DAY_S)),
    registered_at: registered?.registered_at ?? null,
    registrar: registered?.registrar ?? null,
    expires_at: registered?.expires_at ?? null,
    tld_risk: domain.tld_risk,
    punycode: domain.is_punycode,
    lookalike_of: lookalikeOf(domain),
  };
};

const isPage = ({ status, headers }: WebAnswer): boolean =>
  status >= 200 &&
  status < 300 &&
  !/^(?:image|audio|video|font)\/|^application\/(?!xhtml)/i.test(headers["content-type"] ?? "");

/** The parsed page of an answer; null without one. */
const readSite = async (answer: WebAnswer, { subject, web }: SiteQuery) => {
  if (!isPage(answer)) return null;
  const page = readPage(decodeBody(answer), answer.final_url);
  const [content, scripts] = await Promise.all([
    readContent(page, answer, subject),
    readScripts(page, answer.final_url, { web, signal: subject.scope.signal }),
  ]);
  return { page, content, scripts, security: readSecurity(page, answer.final_url, scripts) };
};

type SiteReading = NonNullable<Awaited<ReturnType<typeof readSite>>>;

const securityOf = ({ security, scripts }: SiteReading, lists: SiteFacts["lists"]): SiteSecurity => ({
  wallet_connect_scripts: security.wallet_scripts.length > 0,
  drainer_signatures: [...new Set(security.drainer_signatures.map(({ id }) => id))].sort(),
  obfuscated_js: security.obfuscated.length > 0,
  requests_seed_phrase: security.requests_seed_phrase,
  external_form_targets: [...security.external_form_targets],
  phishing_list_hits: lists.map(({ id, version }) => ({ list: id, version })),
  scripts_read: scripts.scripts.length,
  scripts_unread: scripts.unread,
});

const warningsOf = (answer: WebAnswer, site: SiteReading | null): readonly Warning[] => [
  ...(site === null
    ? [{ code: "NO_PAGE", message: `The site answered with status ${answer.status} and no page: nothing was read.` }]
    : []),
  ...(answer.is_cut || site?.page.is_whole === false
    ? [{ code: "PAGE_CUT", message: "The page exceeds the limits of the parser: only its beginning was read." }]
    : []),
];

const tlsOf = ({ tls }: WebAnswer): Tls | null => {
  if (tls === null) return null;
  const { is_valid: valid, ...facts } = tls;
  return { valid, ...facts };
};

/** Fetches a site once and judges the answer, without running any of it. */
export const readSiteReport = async (look: SiteQuery): Promise<SiteReport | SiteRefusal> => {
  const { subject, web, url, sites } = look;
  const { signal, snapshot } = subject.scope;
  const answer = await web.fetch({ url, headers: { accept: "text/html" }, takes_any_certificate: true, signal });
  if (answer.kind === "disabled" || answer.kind === "refused") return { kind: answer.kind, reason: answer.reason };
  const came = answer.kind === "answer" ? answer : null;
  const last = came?.final_url ?? url;
  const hosts = [url, ...answer.redirects, last].map((each) => new URL(each).hostname);
  const [lists, domain, site] = await Promise.all([
    listsNaming(subject.scope, hosts, sites),
    domainOf(look, last),
    came === null ? null : readSite(came, look),
  ]);
  const findings = findingsOf({
    domain,
    is_secure: came === null ? null : came.tls?.is_valid === true,
    page: site,
    lists,
    url: last,
    observed_at: iso(snapshot.block.time),
  });
  const score = scoreOf(findings, site);
  const unreachable = answer.kind === "answer" ? [] : [{ code: "SITE_UNREACHABLE", message: answer.reason }];
  return {
    kind: "seen",
    reachable: came !== null,
    http_status: came?.status ?? null,
    final_url: came?.final_url ?? null,
    redirect_chain: [...answer.redirects],
    response_ms: came?.elapsed_ms ?? null,
    domain,
    tls: came === null ? null : tlsOf(came),
    content: site?.content ?? null,
    security: site === null ? null : securityOf(site, lists),
    score,
    risk_level: levelOf(findings, score),
    findings: [...findings],
    warnings: came === null ? unreachable : warningsOf(came, site),
  };
};
