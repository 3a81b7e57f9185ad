import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { METADATA_URL, SITE_ORIGIN, sitePage } from "../../../src/demo/evm/site.ts";
import { type SharedWorldService, sharedWorld, type ToolReply } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const charged = ({ headers }: ToolReply): number => Number(headers.get("x-credits-charged"));
const analyzeWebsite = (token: string, website_url?: string) =>
  stage.ask("analyze_token_website", {
    token_address: truth.addressOf(token),
    network: "demo",
    ...(website_url === undefined ? {} : { website_url }),
  });

test("finds the site of Lantern's contract, which names it and links nowhere else", async () => {
  const answer = await analyzeWebsite("lantern");
  const uri = await truth.read("lantern", "contractURI() view returns (string)", {});
  expect(uri).toBe(METADATA_URL);
  expect([answer.status, charged(answer)]).toEqual([200, 8]);
  expect(answer.body).toMatchObject({
    type: "token_website",
    ...{ website_url: `${SITE_ORIGIN}/`, url_source: "contract_uri", final_url: `${SITE_ORIGIN}/`, redirect_chain: [] },
    ...{ reachable: true, http_status: 200, tls: null },
    domain: {
      ...{ registrable: "lantern.example", tld_risk: "low", punycode: false, lookalike_of: null },
      ...{ age_days: null, registered_at: null, registrar: null, expires_at: null },
    },
    content: {
      ...{ title: "Lantern (LTRN)", language: "en", mentions_token_address: true, mentions_symbol: true },
      other_contract_addresses: [truth.addressOf("weth")],
      links_socials: {
        ...{ x: "https://x.com/lantern_example", telegram: null, discord: null },
        ...{ github: "https://github.com/lantern-example", docs: `${SITE_ORIGIN}/docs/` },
      },
      // The metadata has the same account under the older name of the site.
      ...{ socials_match_metadata: true, has_whitepaper: true, is_parked: false, is_template_clone_of: null },
    },
    security: {
      ...{ wallet_connect_scripts: false, drainer_signatures: [], obfuscated_js: false, requests_seed_phrase: false },
      ...{ external_form_targets: [], phishing_list_hits: [], scripts_read: 1, scripts_unread: 0 },
    },
    // 100, less 10 because the page does not come over https.
    ...{ score: 90, risk_level: "low" },
    findings: [{ code: "no_tls", points: 10, evidence: [{ kind: "source_code", ref: `${SITE_ORIGIN}/` }] }],
  });
  expect(answer.body.metadata).toMatchObject({ chain: "demo", methodology: "token-website/static@1", warnings: [] });
});

test("prefers an address in the call; a missing page is no page", async () => {
  const { body } = await analyzeWebsite("lantern", `${SITE_ORIGIN}/nothing`);
  expect(body).toMatchObject({
    ...{ website_url: `${SITE_ORIGIN}/nothing`, url_source: "argument", reachable: true, http_status: 404 },
    ...{ content: null, security: null, score: null, risk_level: null, findings: [] },
    metadata: { warnings: [{ code: "NO_PAGE" }] },
  });
});

test("uses the operator's registry for tokens without an address, and reports that another token's site does not name them", async () => {
  const { body } = await analyzeWebsite("usdc");
  expect(body).toMatchObject({
    ...{ url_source: "operator_registry", content: { mentions_token_address: false, mentions_symbol: false } },
    content: { other_contract_addresses: [truth.addressOf("lantern"), truth.addressOf("weth")] },
    // 100 - 20 for naming other contracts and not this one - 10 for no https.
    ...{ score: 70, risk_level: "medium" },
  });
  expect(body.findings.map(({ code }: { code: string }) => code)).toEqual(["names_other_contracts", "no_tls"]);
});

test("has no data for a token without a site, and charges it", async () => {
  const answer = await analyzeWebsite("harbor");
  expect(answer.body).toMatchObject({ status: "no_data", type: "token_website", metadata: { chain: "demo" } });
  expect(charged(answer)).toBe(8);
});

test("rejects a forbidden address by its text, before any charge", async () => {
  for (const url of [
    "ftp://lantern.example/",
    "http://127.1/",
    "http://a:b@lantern.example/",
    "https://lantern.example:8443/",
    "http://localhost/",
    "x",
  ]) {
    const answer = await analyzeWebsite("lantern", url);
    expect([url, answer.status, charged(answer)]).toEqual([url, 422, 0]);
  }
});

test("refunds sites outside when the operator allows none, a forbidden registry entry, and an address without a token", async () => {
  const cases = [
    [await analyzeWebsite("lantern", "https://site.test/"), "WEB_FETCH_DISABLED"],
    [await analyzeWebsite("copper"), "URL_REFUSED"],
    [await analyzeWebsite("bob"), "NOT_A_TOKEN"],
    [await analyzeWebsite("v2_router"), "NOT_A_TOKEN"],
  ] as const;
  for (const [answer, code] of cases) {
    expect(answer).toMatchObject({ status: 200, body: { status: "error", code } });
    expect(charged(answer)).toBe(0);
  }
});

test("returns the same answer to the same call, except the site's response time", async () => {
  const [first, second] = await Promise.all([analyzeWebsite("lantern"), analyzeWebsite("lantern")]);
  expect({ ...first.body, response_ms: 0 }).toEqual({ ...second.body, response_ms: 0 });
  expect(first.body.content.content_hash).toBe(createHash("sha256").update(sitePage()).digest("hex"));
});
