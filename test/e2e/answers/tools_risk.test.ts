import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { DUSTED } from "../../../src/demo/evm/characters.ts";
import { sized } from "../../long.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const NEVER_SEEN = "0x00000000000000000000000000000000Deadc0d1";

const callTool = (tool: string, who: string, more: object = {}) =>
  stage.ask(tool, { address: truth.addressOf(who), network: "demo", ...more });
const overview = async (who: string) =>
  (await stage.told("get_wallet_risk_overview", { address: truth.addressOf(who), network: "demo" })).body;
/** Of the only category that an answer has. */
const onlyCategory = async (who: string) => {
  const { categories, risk_score, risk_level } = await overview(who);
  expect(categories).toHaveLength(1);
  return { category: categories[0], risk_score, risk_level };
};

/** The hour of the mixer's second morning, with one price. */
const MIXED_AT = on(81, 5);
const etherUsd = async (): Promise<number> => (await truth.etherUsd(T0 + MIXED_AT)) ?? Number.NaN;
/** The n-th transaction of that morning; each is a block, twelve seconds apart. */
const hash = (n: number): string => truth.hashAt(MIXED_AT + 12 * n);

test("scores uma 24: two steps from the mixer, with a tenth of her money", async () => {
  // ted held 12 clean ether and 4 from the mixer; of the 8 he gave uma 2 are from the mixer. She got 12 clean ones: 2 of 20.
  // 0.75 * sqrt(0.1 / 0.25) * 0.5 = 0.2372
  const { category, ...found } = await onlyCategory("uma");
  expect(found).toEqual({ risk_score: 24, risk_level: "low" });
  const usd = 2 * (await etherUsd());
  expect(category).toMatchObject({
    category: "mixer",
    direct: false,
    min_hops: 2,
    exposure_out_usd: 0,
    sources_count: 1,
  });
  expect(category.score).toBeCloseTo(23.717, 3);
  expect(category.exposure_in_usd).toBeCloseTo(usd, 5);
  expect(category.share_in_percent).toBeCloseTo(10, 9);
  // Both of ted's withdrawals are alike: the first is shown. Then he pays uma.
  expect(category.sources[0]).toMatchObject({
    address: truth.addressOf("mixer"),
    ...{ label: "Demo Mixer", category: "mixer", label_source: "demo-labels" },
    direction: "in",
    hops: 2,
    path: [
      {
        ...{ address: truth.addressOf("mixer"), tx_hash: hash(1) },
        ...{ label: "Demo Mixer", category: "mixer", label_source: "demo-labels" },
      },
      { address: truth.addressOf("ted"), label: null, category: null, label_source: null, tx_hash: hash(3) },
    ],
  });
  const kinds = category.evidence.map(({ kind, ref }: { kind: string; ref: string }) => [kind, ref]);
  expect(kinds).toEqual([
    ["label", "demo-labels: Demo Mixer"],
    ["tx", hash(1)],
    ["tx", hash(3)],
  ]);
  expect((await overview("uma")).related_risky_wallets).toMatchObject([
    { address: truth.addressOf("ted"), category: "mixer", relation: "intermediary" },
  ]);
});

test("scores ted 75: a quarter of his money came from the mixer itself", async () => {
  // 4 of 16 ether: 0.75 * sqrt(0.25 / 0.25) * 1
  const { category, ...found } = await onlyCategory("ted");
  expect(found).toEqual({ risk_score: 75, risk_level: "high" });
  expect(category.share_in_percent).toBeCloseTo(25, 9);
  expect(category).toMatchObject({ min_hops: 1, exposure_out_usd: 0 });
});

test("scores olga 60: she paid the mixer nearly all of her money, and got less than a sixth of it from there", async () => {
  // Out: 10 of 10 ether, 0.75 * 1 * 0.8 = 0.6. In: 1.99 of 12.99 ether, 0.75 * sqrt(0.1532 / 0.25) = 0.587.
  const { category, risk_score } = await onlyCategory("olga");
  expect(risk_score).toBe(60);
  expect(category.share_out_percent).toBeCloseTo(100, 9);
  expect(category.exposure_out_usd).toBeGreaterThan(0);
  expect(category.sources.map(({ direction }: { direction: string }) => direction).sort()).toEqual(["in", "out"]);
});

test("shows dust from the mixer, and counts a quarter of its risk", async () => {
  const { body } = await stage.ask("get_wallet_risk_overview", { address: DUSTED, network: "demo" });
  // A hundredth of an ether, and one clean one: 0.75 * sqrt((0.01 / 1.01) / 0.25) * 0.25 = 0.0373.
  const usd = 0.01 * (await etherUsd());
  expect(usd).toBeLessThan(100);
  expect(body).toMatchObject({
    ...{ risk_score: 4, risk_level: "low" },
    categories: [{ category: "mixer", direct_in_usd: expect.closeTo(usd, 6), sources: [{ is_dust: true, hops: 1 }] }],
    related_risky_wallets: [{ address: truth.addressOf("mixer"), relation: "counterparty" }],
  });
});

test("scores a sanctioned address 100 and returns data, even without activity on the chain", async () => {
  expect(truth.sentBy("olaf")).toEqual([]);
  const body = await overview("olaf");
  expect(body).toMatchObject({ risk_score: 100, risk_level: "severe" });
  expect(body.sanctions).toMatchObject({
    listed: true,
    matches: [{ list: "demo-sanctions", entity: "Olaf Trading House" }],
  });
  expect(body.categories[0]).toMatchObject({
    category: "sanctioned",
    direct: true,
    evidence: [{ kind: "list", ref: "demo-sanctions@2026-08-01" }],
  });
  expect((await callTool("get_wallet_risk_score", "olaf")).body).toMatchObject({
    risk_score: 100,
    is_sanctioned: true,
  });
});

test("scores a frozen wallet 91 or more, and its counterparties as exposed", async () => {
  const frozen = await overview("mallory");
  expect(frozen.risk_score).toBeGreaterThanOrEqual(91);
  expect(frozen).toMatchObject({ risk_level: "severe", stablecoin_freezes: { frozen_now: true, ever_frozen: true } });
  expect(frozen.categories[0]).toMatchObject({ category: "issuer_frozen", direct: true });
  // victor was released; walter's coins are destroyed, and he is still frozen.
  expect(await overview("victor")).toMatchObject({ stablecoin_freezes: { frozen_now: false, ever_frozen: true } });
  expect(await overview("walter")).toMatchObject({
    stablecoin_freezes: { frozen_now: true },
    risk_level: "severe",
  });
  // ivan's income with a price is mallory's 2,000 USDC and heidi's 10: 0.95 in full.
  const ivan = (await overview("ivan")).categories[0];
  expect(ivan).toMatchObject({ category: "issuer_frozen", direct: false, exposure_in_usd: 2_000, min_hops: 1 });
});

test("treats the exchange's hot wallet as a service, and not its deposit address", async () => {
  const exchange = await overview("exchange");
  expect(exchange.service_address).toBe(true);
  expect(exchange.risk_score).toBeLessThanOrEqual(30);
  expect(exchange.positive_factors[0]).toMatchObject({
    code: "known_service",
    evidence: [{ kind: "label", ref: "demo-labels: Harbour Exchange hot wallet" }],
  });
  expect(await overview("ted")).toMatchObject({ service_address: false });
});

test("has evidence for every finding", async () => {
  for (const who of ["uma", "mallory", "ivan", "exchange", "heidi"]) {
    const body = await overview(who);
    const findings = [
      ...body.categories,
      ...body.behaviour,
      ...body.approvals_at_risk,
      ...body.related_risky_wallets,
      ...body.positive_factors,
      ...body.sanctions.matches,
      ...body.stablecoin_freezes.coins,
    ];
    expect(findings.length, who).toBeGreaterThan(0);
    for (const { evidence } of findings) expect(evidence.length, who).toBeGreaterThan(0);
  }
});

test("reports heidi's approval at risk with her balance of the token", async () => {
  const { approvals_at_risk } = await overview("heidi");
  const held = await truth.balance("honeypot", "heidi");
  expect(approvals_at_risk).toMatchObject([
    {
      token: truth.addressOf("honeypot"),
      spender: truth.addressOf("v2_router"),
      is_unlimited: true,
      reason: "unverified_spender",
    },
  ]);
  expect(held).toBeGreaterThan(0n);
  expect(approvals_at_risk[0].value_at_risk_usd).toBeGreaterThan(0);
});

test("reports a launched token with an emptied pool against its creator, with the transaction", async () => {
  // rupert's Glint; the developer tool shows the removal of 9 of its 9 ether.
  const developer = await stage.told("analyze_token_developer", {
    token_address: truth.addressOf("keel"),
    network: "demo",
  });
  const rug = developer.body.history.tokens.find(({ outcome }: { outcome: string }) => outcome === "rugged");
  const { behaviour, risk_score } = await overview("rupert");
  const found = behaviour.find(({ code }: { code: string }) => code === "deployed_rugged_token");
  expect(found).toMatchObject({ score: 60, evidence: rug.evidence });
  expect(risk_score).toBeGreaterThanOrEqual(60);
  // Keel has the same creator: its traits state that, and it costs 30.
  const keel = await stage.told("get_token_risk_traits", { token_address: truth.addressOf("keel"), network: "demo" });
  expect(keel.body.security_flags.creator_honeypot_history).toBe(true);
});

test("agrees between score and overview at the same block, and on a second call", async () => {
  const as_of_block = stage.world.head.number;
  for (const who of sized({ slice: ["mallory", "exchange"], long: ["uma", "ted", "mallory", "exchange", "alice"] })) {
    const [whole, brief] = await Promise.all([overview(who), callTool("get_wallet_risk_score", who, { as_of_block })]);
    const { risk_score, risk_level, service_address, coverage_percent, metadata } = brief.body;
    expect(whole).toMatchObject({ risk_score, risk_level, service_address, coverage_percent, metadata });
    expect((await callTool("get_wallet_risk_score", who, { as_of_block })).text).toBe(brief.text);
  }
});

test("finds ted clean before the mixer was used", async () => {
  const before = truth.blockAt(T0 + MIXED_AT);
  const { body } = await callTool("get_wallet_risk_score", "ted", { as_of_block: before });
  // Only the bank's 12 ether had come.
  expect(body).toMatchObject({ risk_score: 0, risk_level: "low", top_reasons: [] });
});

test("reads all networks together like the only one", async () => {
  const { body } = await callTool("get_wallet_risk_score", "uma", { network: "all" });
  expect(body).toMatchObject({ risk_score: 24, metadata: { chain: "all", networks: [{ network: "demo" }] } });
});

test("has no data for an unknown and unlisted wallet", async () => {
  for (const tool of ["get_wallet_risk_overview", "get_wallet_risk_score"]) {
    const { status, body } = await stage.ask(tool, { address: NEVER_SEEN.toLowerCase(), network: "demo" });
    expect([status, body.status]).toEqual([200, "no_data"]);
  }
});

test("rejects bad arguments", async () => {
  for (const args of [
    { network: "demo" },
    { address: "0x12", network: "demo" },
    { address: truth.addressOf("uma"), network: "nowhere" },
    { address: truth.addressOf("uma"), network: "all", as_of_block: 1 },
    { address: truth.addressOf("uma"), network: "demo", wallet: "x" },
  ]) {
    expect((await stage.ask("get_wallet_risk_overview", args)).status).toBe(422);
  }
});
