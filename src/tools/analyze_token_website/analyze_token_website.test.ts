import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import type { TokenTraits } from "../../chains/token_accounts.ts";
import { selectorOf, tailOf, wordOf } from "../../domain/abi.ts";
import { type Operator, SILENT_OPERATOR } from "../../domain/operator.ts";
import { readWords } from "../../domain/token/website/find_site.ts";
import { lookalikeOf } from "../../domain/token/website/lookalike.ts";
import { concatHex, hex } from "../../lib/bytes.ts";
import type { PhishingList } from "../../web/phishing.ts";
import type { Web, WebAnswer, WebFailure } from "../../web/web.ts";
import { analyzeTokenWebsite } from "./index.ts";

const TOKEN = hex("aa".repeat(20));
const OTHER = hex("bb".repeat(20));
const WALLET = hex("cc".repeat(20));
const SITE = "https://moon.test/";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  // Block 5 is of 1,700,000,060, which is 2023-11-14T22:14:20Z.
  await store.seed({ network: "demo", from: 0, to: 5 }, {});
});
afterAll(() => store.close());

type SiteReply = Partial<WebAnswer> & { readonly html?: string };
const TLS = { is_valid: true, issuer: "CA", valid_from: null, valid_to: null, san_count: 1 };

/** The whole web of a test; what is not in it is unreachable. */
const webOf = (sites: Readonly<Record<string, SiteReply | WebFailure["kind"]>>): Web => ({
  fetch: async ({ url }) => {
    const site = sites[url] ?? "unreachable";
    if (typeof site === "string") return { kind: site, reason: "The site did not answer.", redirects: [] };
    const { html = "", ...facts } = site;
    const body = new Uint8Array(Buffer.from(html));
    const still = { status: 200, final_url: url, redirects: [], headers: {}, is_cut: false, tls: TLS, elapsed_ms: 5 };
    return { kind: "answer", body, ...still, ...facts };
  },
});

interface SiteFixture extends Partial<FixedState> {
  readonly web?: Web | null;
  readonly sites?: Partial<Operator["sites"]>;
  /** Answer of `contractURI()`. */
  readonly uri?: string;
  /** Metadata of a token that is not a contract. */
  readonly described_uri?: string;
}

const run = async (args: { website_url?: string; token_address?: string }, world: SiteFixture = {}) => {
  const { web = null, sites = {}, uri, described_uri, ...state } = world;
  const fixed = fixedChain({
    accounts: { [TOKEN]: { code: Uint8Array.of(1) }, [OTHER]: { code: Uint8Array.of(1) } },
    tokens: { [TOKEN]: { standard: "erc20", symbol: "MOON" } },
    answer: ({ data }) =>
      data === selectorOf("contractURI()") && uri !== undefined
        ? { ok: true, data: concatHex(wordOf(32n), tailOf(new TextEncoder().encode(uri))) }
        : null,
    ...state,
  });
  const description = { uri: described_uri ?? null, is_mutable: null, update_authority: null };
  // Only the description of the traits is read here.
  const traits = { description } as TokenTraits;
  const chain = described_uri === undefined ? fixed : { ...fixed, tokenTraits: async () => traits };
  const outcome = await runTool(
    analyzeTokenWebsite,
    { token_address: `0x${TOKEN}`, network: "demo", ...args },
    {
      facts: store.facts,
      chain: () => chain,
      networks: ["demo"],
      operator: { ...SILENT_OPERATOR, web, sites: { ...SILENT_OPERATOR.sites, ...sites } },
      signal: AbortSignal.timeout(20_000),
    },
  );
  if (outcome.kind === "data") analyzeTokenWebsite.output.parse(outcome.data);
  return outcome;
};

const look = async (html: string, more: { sites?: SiteFixture["sites"]; reply?: SiteReply; url?: string } = {}) => {
  const { url = SITE, reply = {}, sites = {} } = more;
  const outcome = await run({ website_url: url }, { web: webOf({ [url]: { html, ...reply } }), sites });
  if (outcome.kind !== "data") throw new Error(`${outcome.kind}`);
  return outcome.data;
};
const points = (answer: { findings: readonly { code: string; points: number }[] }) =>
  Object.fromEntries(answer.findings.map(({ code, points }) => [code, points]));

const GOOD = `<p>MOON 0x${TOKEN}</p><a href="https://t.me/moon">T</a>`;
const LIST: PhishingList = {
  id: "mine",
  version: "7",
  updated_at: "2026-01-01T00:00:00Z",
  blocked: new Set(["moon.test"]),
  allowed: new Set(),
};

describe("the score", () => {
  test("of a page with nothing against it is 100", async () => {
    expect(await look(GOOD)).toMatchObject({ score: 100, risk_level: "low", findings: [], url_source: "argument" });
  });

  test("loses 40 for a seed phrase form or a drainer, once for both, and the level is critical", async () => {
    const form = await look(`${GOOD}<input placeholder="seed phrase">`);
    expect(form).toMatchObject({ score: 60, risk_level: "critical", security: { requests_seed_phrase: true } });
    const both = await look(`${GOOD}<input placeholder="seed phrase"><script>Angel Drainer</script>`);
    expect([both.score, points(both)]).toEqual([60, { drainer_signature: 40, seed_phrase_form: 0 }]);
    expect(both.findings[0]?.evidence).toEqual([
      { kind: "source_code", ref: `${SITE}#script-1 drainer_kit_name`, observed_at: "2023-11-14T22:14:20Z" },
    ]);
  });

  test("loses 30 for a list that names the domain, and the level is critical", async () => {
    const answer = await look(GOOD, { sites: { phishing_lists: [LIST] } });
    expect(answer).toMatchObject({
      ...{ score: 70, risk_level: "critical", security: { phishing_list_hits: [{ list: "mine", version: "7" }] } },
      findings: [{ code: "on_phishing_list", evidence: [{ kind: "list", ref: "mine 7" }] }],
      metadata: { sources: [{ id: "mine", version: "7", updated_at: "2026-01-01T00:00:00Z" }] },
    });
  });

  test("loses 20 when other contracts are named and this one is not; wallets are no contracts", async () => {
    const others = await look(`<p>0x${OTHER}</p><a href="https://t.me/moon">T</a>`);
    expect([others.score, points(others), others.content?.other_contract_addresses.length]).toEqual([
      ...[80, { names_other_contracts: 20 }, 1],
    ]);
    expect((await look(`<p>0x${OTHER}</p>${GOOD}`)).score).toBe(100);
    expect((await look(`<p>0x${WALLET}</p><a href="https://t.me/moon">T</a>`)).score).toBe(100);
  });

  test("loses 15 for a domain younger than thirty days, counted at the block", async () => {
    const registry = (eventDate: string) => ({
      html: JSON.stringify({ objectClassName: "domain", events: [{ eventAction: "registration", eventDate }] }),
    });
    const at = async (eventDate: string) => {
      const web = webOf({ [SITE]: { html: GOOD }, "https://rdap.test/moon.test": registry(eventDate) });
      const outcome = await run({ website_url: SITE }, { web, sites: { rdap_server: "https://rdap.test/" } });
      return outcome.kind === "data" ? [outcome.data.domain.age_days, outcome.data.score] : outcome;
    };
    // The block is of 2023-11-14T22:14:20Z: thirty days before is 2023-10-15T22:14:20Z.
    expect(await at("2023-10-15T22:14:20Z")).toEqual([30, 100]);
    expect(await at("2023-10-15T22:14:21Z")).toEqual([29, 85]);
  });

  test("loses 10 each for a look-alike, no valid TLS and parking, and 5 without accounts", async () => {
    expect(points(await look(GOOD, { url: "https://un1swap.test/" }))).toEqual({ lookalike_domain: 10 });
    expect(points(await look(GOOD, { reply: { tls: null } }))).toEqual({ no_tls: 10 });
    expect(points(await look(GOOD, { reply: { tls: { ...TLS, is_valid: false } } }))).toEqual({ no_tls: 10 });
    expect(points(await look(`${GOOD}<p>This domain is for sale</p>`))).toEqual({ parked: 10 });
    const bare = await look(`<p>0x${TOKEN}</p>`);
    expect([bare.score, points(bare)]).toEqual([95, { no_socials: 5 }]);
  });

  test("never falls below 0 and says high without a critical finding", async () => {
    // 100 - 20 - 10 (TLS) - 10 (parked) - 5 = 55.
    const answer = await look(`<p>0x${OTHER} buy this domain</p>`, { reply: { tls: null } });
    expect([answer.score, answer.risk_level]).toEqual([55, "high"]);
  });
});

describe("where the site is named", () => {
  const page = { [SITE]: { html: GOOD } };
  const json = JSON.stringify({ external_link: SITE, socials: { twitter: "https://twitter.com/Moon/" } });

  test("in the contract's metadata, on the web or in the contract itself", async () => {
    const web = webOf({ ...page, "https://meta.test/m.json": { html: json } });
    const base64 = `data:application/json;base64,${Buffer.from(json).toString("base64")}`;
    for (const uri of ["https://meta.test/m.json", base64, `data:application/json;utf8,${json}`]) {
      expect(await run({}, { web, uri })).toMatchObject({
        data: { website_url: SITE, url_source: "contract_uri", content: { socials_match_metadata: false } },
      });
    }
  });

  test("then in the operator's registry; nowhere is no data", async () => {
    const web = webOf(page);
    const of_tokens = new Map([[`demo:${TOKEN}`, SITE]]);
    expect(await run({}, { web, sites: { of_tokens } })).toMatchObject({ data: { url_source: "operator_registry" } });
    expect(await run({}, { web, uri: 'data:application/json,{"name":"x"}' })).toMatchObject({ kind: "no_data" });
    expect(await run({}, { web })).toMatchObject({ kind: "no_data", type: "token_website" });
    expect(await run({ token_address: "native" }, { web })).toMatchObject({ kind: "no_data" });
  });

  test("is what a token that is no contract names for its metadata", async () => {
    const described_uri = "https://meta.test/moon.json";
    const web = webOf({
      [described_uri]: { html: JSON.stringify({ name: "Moon", extensions: { website: SITE } }) },
      [SITE]: { html: GOOD },
    });
    const can = { contract_calls: false, contract_logs: false, token_accounts: true };
    expect(await run({}, { web, described_uri, can })).toMatchObject({
      kind: "data",
      data: { website_url: SITE, url_source: "contract_uri" },
    });
    expect(await run({}, { web, described_uri: "", can })).toMatchObject({ kind: "no_data" });
  });

  test("metadata that could not be read proves no absence", async () => {
    const codes = [
      ["https://gone.test/m.json", "UPSTREAM_UNAVAILABLE"],
      ["ipfs://bafy", "UPSTREAM_UNAVAILABLE"],
      ["data:application/json,nothing", "UPSTREAM_UNAVAILABLE"],
      ["https://near.test/", "URL_REFUSED"],
      ["https://off.test/", "WEB_FETCH_DISABLED"],
    ];
    const web = webOf({ ...page, "https://near.test/": "refused", "https://off.test/": "disabled" });
    for (const [uri = "", code] of codes)
      expect([uri, await run({}, { web, uri })]).toMatchObject([uri, { kind: "error", code }]);
    // With an address in the question it only takes a remark.
    expect(await run({ website_url: SITE }, { web, uri: "ipfs://bafy" })).toMatchObject({
      data: { metadata: { warnings: [{ code: "METADATA_UNREAD" }] } },
    });
  });

  test("metadata is read for what it is, not trusted", () => {
    expect(readWords('{"links":{"website":"https://a.test"},"x":7}')).toEqual({
      website: "https://a.test",
      socials: [],
    });
    for (const text of ["", "[", "7", "null"]) expect(readWords(text)).toBeNull();
  });
});

describe("no answer", () => {
  test("reports an unreachable site as data without invented fields", async () => {
    const outcome = await run({ website_url: SITE }, { web: webOf({}), sites: { phishing_lists: [LIST] } });
    expect(outcome).toMatchObject({
      data: {
        ...{ reachable: false, http_status: null, final_url: null, response_ms: null, tls: null },
        ...{ content: null, security: null, score: null, risk_level: "critical", domain: { registrable: "moon.test" } },
        metadata: { warnings: [{ code: "SITE_UNREACHABLE" }] },
      },
    });
  });

  test("each way in which it fails has its code, and a silent node is thrown", async () => {
    const web = webOf({ "https://near.test/": "refused", "https://off.test/": "disabled" });
    expect(await run({ website_url: "https://near.test/" }, { web })).toMatchObject({ code: "URL_REFUSED" });
    expect(await run({ website_url: "https://off.test/" }, { web })).toMatchObject({ code: "WEB_FETCH_DISABLED" });
    expect(await run({ website_url: SITE })).toMatchObject({ kind: "error", code: "WEB_FETCH_DISABLED" });
    expect(await run({ website_url: SITE, token_address: `0x${WALLET}` }, { web })).toMatchObject({
      code: "NOT_A_TOKEN",
    });
    await expect(run({ website_url: SITE }, { web, down: true })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  test("an address is judged by its text before the charge", () => {
    const facts = { networks: ["demo"], today: "2026-01-01" };
    const said = (website_url: string) =>
      analyzeTokenWebsite.check?.(
        analyzeTokenWebsite.input.parse({ token_address: "x", network: "demo", website_url }),
        facts,
      );
    expect(said("https://moon.test/")).toBeNull();
    expect(said("http://169.254.169.254/latest")).toContain("website_url");
  });
});

test("flags look-alikes, but not the known sites themselves or plain words", () => {
  const of = (registrable: string) =>
    lookalikeOf({ registrable, label: registrable.slice(0, registrable.indexOf(".")) });
  for (const copy of [
    "uniswap.net",
    "un1swap.org",
    "uniswap-airdrop.com",
    "unіswap.org",
    "uniswapp.org",
    "uni-swap.io",
  ]) {
    expect([copy, of(copy)]).toEqual([copy, "uniswap.org"]);
  }
  for (const own of ["uniswap.org", "moon.test", "swap.org", "unicorn.org"]) expect(of(own)).toBeNull();
});
