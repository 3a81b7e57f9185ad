import type { SnapshotContext, Source, Warning } from "../../domain/context.ts";
import { stateBlock } from "../../domain/holdings/balances.ts";
import type { Operator } from "../../domain/operator.ts";
import { parseToken } from "../../domain/tokens/metadata.ts";
import { tokenOf } from "../../domain/tokens/subject.ts";
import { type FoundWords, findWords } from "../../domain/website/find_site.ts";
import { lookalikeOf } from "../../domain/website/lookalike.ts";
import { decodeBody, readContent, type Subject } from "../../domain/website/read_content.ts";
import { readScripts, readSecurity } from "../../domain/website/read_security.ts";
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
import { DAY_S, iso } from "../../lib/time.ts";
import { readDomain } from "../../web/domain.ts";
import { readPage } from "../../web/page.ts";
import { listsThatName } from "../../web/phishing.ts";
import { askRdap } from "../../web/rdap.ts";
import { refusalOfUrl } from "../../web/url.ts";
import type { Web, WebAnswer } from "../../web/web.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { type Case, findingsOf, levelOf, scoreOf } from "./judge.ts";
import { input, LIVE_FIELDS, output, type Website } from "./shape.ts";

const METHODOLOGY = "token-website/static@1";

/** What is looked at, and with what. */
interface Look {
  readonly subject: Subject;
  readonly web: Web;
  readonly sites: Operator["sites"];
  readonly url: string;
  readonly url_source: Website["url_source"];
}

const sourcesOf = ({ phishing_lists }: Operator["sites"]): readonly Source[] =>
  phishing_lists.map(({ id, version, updated_at }) => ({ id, version, updated_at }));

const domainOf = async ({ subject, web, sites }: Look, url: string): Promise<Website["domain"]> => {
  const host = new URL(url).hostname;
  const domain = readDomain(host);
  const { place } = subject;
  const registered =
    sites.rdap_server === null || domain.registrable === null
      ? null
      : await askRdap(web, { server: sites.rdap_server, domain: domain.registrable }, place.signal);
  const since = Date.parse(registered?.registered_at ?? "") / 1000;
  return {
    registrable: domain.registrable,
    age_days: Number.isNaN(since) ? null : Math.max(0, Math.floor((place.snapshot.block.time - since) / DAY_S)),
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

/** The page that came, read; null when none did. */
const readSite = async (answer: WebAnswer, { subject, web }: Look) => {
  if (!isPage(answer)) return null;
  const page = readPage(decodeBody(answer), answer.final_url);
  const [content, scripts] = await Promise.all([
    readContent(page, answer, subject),
    readScripts(page, answer.final_url, { web, signal: subject.place.signal }),
  ]);
  return { page, content, scripts, security: readSecurity(page, answer.final_url, scripts) };
};

type Site = NonNullable<Awaited<ReturnType<typeof readSite>>>;

const securityOf = ({ security, scripts }: Site, lists: Case["lists"]): Website["security"] => ({
  wallet_connect_scripts: security.wallet_scripts.length > 0,
  drainer_signatures: [...new Set(security.drainer_signatures.map(({ id }) => id))].sort(),
  obfuscated_js: security.obfuscated.length > 0,
  requests_seed_phrase: security.requests_seed_phrase,
  external_form_targets: [...security.external_form_targets],
  phishing_list_hits: lists.map(({ id, version }) => ({ list: id, version })),
  scripts_read: scripts.scripts.length,
  scripts_unread: scripts.unread,
});

const warningsOf = (answer: WebAnswer, site: Site | null): readonly Warning[] => [
  ...(site === null
    ? [{ code: "NO_PAGE", message: `The site answered with status ${answer.status} and no page: nothing was read.` }]
    : []),
  ...(answer.is_cut || site?.page.is_whole === false
    ? [{ code: "PAGE_CUT", message: "The page is longer or odder than what is read: only its beginning was." }]
    : []),
];

const tlsOf = ({ tls }: WebAnswer): Website["tls"] => {
  if (tls === null) return null;
  const { is_valid: valid, ...facts } = tls;
  return { valid, ...facts };
};

type Described = Website["metadata"];

/** The whole answer for a site that may be looked at. */
const lookAt = async (look: Look, described: Described) => {
  const { subject, web, url, url_source, sites } = look;
  const { signal, snapshot } = subject.place;
  const answer = await web.fetch({ url, headers: { accept: "text/html" }, takes_any_certificate: true, signal });
  if (answer.kind === "disabled") return failed("WEB_FETCH_DISABLED", answer.reason, described);
  if (answer.kind === "refused") return failed("URL_REFUSED", answer.reason, described);
  const came = answer.kind === "answer" ? answer : null;
  const last = came?.final_url ?? url;
  const hosts = [url, ...answer.redirects, last].map((each) => new URL(each).hostname);
  const lists = sites.phishing_lists.filter((list) => hosts.some((host) => listsThatName(host, [list]).length > 0));
  const [domain, site] = await Promise.all([domainOf(look, last), came === null ? null : readSite(came, look)]);
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
  return data({
    type: "token_website" as const,
    website_url: url,
    url_source,
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
    metadata: {
      ...described,
      warnings: [...described.warnings, ...(came === null ? unreachable : warningsOf(came, site))],
    },
  });
};

interface Origin {
  readonly url: string;
  readonly url_source: Website["url_source"];
}

/** The address to look at; null when nobody names one. */
const originOf = (argument: string | undefined, words: FoundWords, registered: string | undefined): Origin | null => {
  if (argument !== undefined) return { url: argument, url_source: "argument" };
  if (words.kind === "words" && words.words.website !== null)
    return { url: words.words.website, url_source: "contract_uri" };
  return registered === undefined ? null : { url: registered, url_source: "operator_registry" };
};

interface TokenSymbol {
  readonly symbol: string | null;
}

/** The token's symbol; null when there is no token at the address, and none of it ever moved. */
const symbolOf = async (place: SnapshotContext, token: Hex, at: number): Promise<TokenSymbol | null> => {
  const { facts, chain, snapshot, signal } = place;
  if (token === "") return { symbol: chain.network.native.symbol };
  const [stored] = await facts.ask(snapshot, "tokens_among", { tokens: [token] });
  if (stored !== undefined && stored.standard !== "") return { symbol: stored.symbol };
  const [live] = await chain.tokenMetadata([token], signal, at);
  return tokenOf(place, live, token);
};

const DISABLED = "This instance does not look at the web: its operator has not enabled it.";

export const analyzeTokenWebsite = defineTool({
  name: "analyze_token_website",
  title: "Check a token's website",
  description:
    "The project's site, fetched once and read without running it: does it exist, does it name this token, who registered it, does it ask for secrets or carry scripts that empty wallets.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: "0xC6e6939F27C623C8e76aaD26a341bA097a60cD3d", network: "demo" },
  live_fields: LIVE_FIELDS,
  check: ({ website_url }) => {
    const refusal = website_url === undefined ? null : refusalOfUrl(website_url);
    return refusal === null ? null : `website_url: it may not be asked: ${refusal}.`;
  },
  run: async ({ token_address, network, website_url }, context) => {
    const { facts, signal, operator } = context;
    const chain = context.chain(network);
    const place: SnapshotContext = { facts, chain, snapshot: await facts.snapshot(network, null), signal };
    const token = parseToken(chain, token_address);
    if (token === null) throw new AssayError({ code: "BUG", message: `binding let ${token_address} through` });
    const described = metadataFor(chain, place.snapshot, {
      echo: { token_address },
      methodology: METHODOLOGY,
      sources: sourcesOf(operator.sites),
    });
    const { web, sites } = operator;
    if (web === null) return failed("WEB_FETCH_DISABLED", DISABLED, described);
    const at = await stateBlock(place);
    const face = await symbolOf(place, token, at);
    if (face === null) return failed("NOT_A_TOKEN", "There is no token contract at this address.", described);
    const words = await findWords(place, { token, at }, web);
    const origin = originOf(website_url, words, sites.of_tokens.get(`${network}:${token}`));
    if (origin === null) {
      return words.kind === "unread"
        ? failed(words.code, `The token's metadata could not be read. ${words.reason}`, described)
        : noData("token_website", described);
    }
    const refusal = refusalOfUrl(origin.url);
    if (refusal !== null) return failed("URL_REFUSED", `The token's site may not be asked: ${refusal}.`, described);
    const unread =
      words.kind === "unread"
        ? [{ code: "METADATA_UNREAD", message: `The token's metadata could not be read. ${words.reason}` }]
        : [];
    const socials = words.kind === "words" ? words.words.socials : [];
    return lookAt(
      { subject: { place, token, symbol: face.symbol, socials }, web, sites, ...origin },
      { ...described, warnings: unread },
    );
  },
});
