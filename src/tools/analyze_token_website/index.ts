import { NO_SITE } from "../../domain/absences.ts";
import type { SnapshotContext } from "../../domain/context.ts";
import { stateBlock } from "../../domain/token/holders/balances.ts";
import { standardIn, storedFaces } from "../../domain/token/metadata/metadata.ts";
import { tokenOf } from "../../domain/token/metadata/subject.ts";
import { readTokenWords, type TokenWordsResult } from "../../domain/token/website/find_site.ts";
import { phishingSources } from "../../domain/token/website/listed_domains.ts";
import { readSiteReport } from "../../domain/token/website/site_reading.ts";
import type { Hex } from "../../lib/bytes.ts";
import { data, failed, noData } from "../../lib/outcome.ts";
import { refusalOfUrl } from "../../web/url.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { input, LIVE_FIELDS, output, type Website } from "./shape.ts";

const METHODOLOGY = "token-website/static@1";

interface UrlOrigin {
  readonly url: string;
  readonly url_source: Website["url_source"];
}

const originOf = (
  argument: string | undefined,
  words: TokenWordsResult,
  registered: string | undefined,
): UrlOrigin | null => {
  if (argument !== undefined) return { url: argument, url_source: "argument" };
  if (words.kind === "words" && words.words.website !== null)
    return { url: words.words.website, url_source: "contract_uri" };
  return registered === undefined ? null : { url: registered, url_source: "operator_registry" };
};

interface TokenSymbol {
  readonly symbol: string | null;
}

const symbolOf = async (scope: SnapshotContext, token: Hex, at: number): Promise<TokenSymbol | null> => {
  const { chain, signal } = scope;
  if (token === "") return { symbol: chain.network.native.symbol };
  const [stored] = await storedFaces(scope, [token]);
  if (stored !== undefined && standardIn(stored.standard) !== null) return { symbol: stored.symbol };
  const [live] = await chain.tokenMetadata([token], signal, at);
  return tokenOf(scope, live, token);
};

const DISABLED = "Web requests are disabled on this instance. The operator can enable them.";

export const analyzeTokenWebsite = defineTool({
  name: "analyze_token_website",
  title: "Check a token's website",
  description:
    "Checks the project's site, which is fetched once and not executed: whether it exists and names this token, its domain registration, and whether it requests secrets or contains wallet drainer scripts. Use it to check whether the website of a token is a phishing or scam page.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: "0xC6e6939F27C623C8e76aaD26a341bA097a60cD3d", network: "demo" },
  subjects: [],
  live_fields: LIVE_FIELDS,
  check: ({ website_url }) => {
    const refusal = website_url === undefined ? null : refusalOfUrl(website_url);
    return refusal === null ? null : `website_url: Assay may not fetch it: ${refusal}.`;
  },
  view: {
    members:
      "risk_level score findings website_url url_source reachable http_status final_url redirect_chain domain tls security content",
    drawn: { findings: { is: "alerts" }, "content.content_hash": false, "content.text_bytes": false },
  },
  run: async ({ token_address, network, website_url }, context) => {
    const { facts, signal, operator } = context;
    const chain = context.chain(network);
    const scope: SnapshotContext = { facts, chain, snapshot: await facts.snapshot(network, null), signal };
    const token = token_address.hex;
    const described = metadataFor(chain, scope.snapshot, {
      echo: { token_address: token_address.text },
      methodology: METHODOLOGY,
      sources: await phishingSources(scope, operator.sites),
    });
    const { web, sites } = operator;
    if (web === null) return failed("WEB_FETCH_DISABLED", DISABLED, described);
    const at = await stateBlock(scope);
    const face = await symbolOf(scope, token, at);
    if (face === null) return failed("NOT_A_TOKEN", "No token contract exists at this address.", described);
    const words = await readTokenWords(scope, { token, at }, web);
    const origin = originOf(website_url, words, sites.of_tokens.get(`${network}:${token}`));
    if (origin === null) {
      return words.kind === "unread"
        ? failed(words.code, `The token's metadata could not be read. ${words.reason}`, described)
        : noData({ type: "token_website", metadata: described, message: NO_SITE });
    }
    const refusal = refusalOfUrl(origin.url);
    if (refusal !== null) return failed("URL_REFUSED", `Assay may not fetch the token's site: ${refusal}.`, described);
    const unread =
      words.kind === "unread"
        ? [{ code: "METADATA_UNREAD", message: `The token's metadata could not be read. ${words.reason}` }]
        : [];
    const socials = words.kind === "words" ? words.words.socials : [];
    const { url, url_source } = origin;
    const seen = await readSiteReport({ subject: { scope, token, symbol: face.symbol, socials }, web, sites, url });
    if (seen.kind !== "seen") {
      const code = seen.kind === "disabled" ? "WEB_FETCH_DISABLED" : "URL_REFUSED";
      return failed(code, seen.reason, { ...described, warnings: unread });
    }
    const { kind: _, warnings, ...site } = seen;
    return data({
      type: "token_website" as const,
      website_url: url,
      url_source,
      ...site,
      metadata: { ...described, warnings: [...unread, ...warnings] },
    });
  },
});
