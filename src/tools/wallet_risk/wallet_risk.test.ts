import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { freezable } from "../../../test/freeze_scenario.ts";
import * as story from "../../../test/risk_scenario.ts";
import type { Chain } from "../../chains/chain.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import type { Hex } from "../../lib/bytes.ts";
import type { Sources } from "../../sources/index.ts";
import type { SourceAnswer } from "../../sources/source.ts";
import { getWalletAddressProfile } from "../get_wallet_address_profile/index.ts";
import { getWalletRiskOverview } from "../get_wallet_risk_overview.ts";
import { getWalletRiskScore } from "../get_wallet_risk_score.ts";

const { chainOf, IMPORTED_MS } = story;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await story.seedRisk(store);
});
afterAll(() => store.close());

interface RiskFixture {
  readonly network?: string;
  readonly chains?: readonly Chain[];
  readonly as_of_block?: number;
  readonly age_hours?: number;
  /** Answer of the source store for every contract; omitted: no store. */
  readonly sources?: SourceAnswer;
}

const UNVERIFIED: SourceAnswer = { kind: "unverified" };
const VERIFIED: SourceAnswer = {
  kind: "verified",
  source: {
    ...{ provider: "local", match: "match", runtime_match: "match", creation_match: null, verified_at: null },
    ...{ contract_name: "Spender", language: "Solidity", compiler_version: null, evm_version: null },
    ...{ optimization: null, files: [], abi: null, creation: null },
  },
};
const storeThat = (answer: SourceAnswer): Sources => ({ stores: () => ["test"], find: async () => answer });

const contextOf = ({ chains = [chainOf("demo")], age_hours = 1, sources }: RiskFixture) => ({
  facts: store.facts,
  chain: (id: string) => {
    const found = chains.find(({ network }) => network.id === id);
    if (found === undefined) throw new Error(`no network ${id}`);
    return found;
  },
  networks: chains.map(({ network }) => network.id),
  operator: {
    ...SILENT_OPERATOR,
    ...(sources === undefined ? {} : { sources: storeThat(sources) }),
    sanctions: { max_age_hours: 168, now_ms: () => IMPORTED_MS + age_hours * 3_600_000 },
  },
  signal: new AbortController().signal,
});

const askedOf = (who: Hex, { network, as_of_block, chains }: RiskFixture) => ({
  address: `0x${who}`,
  network: network ?? chains?.[0]?.network.id ?? "demo",
  as_of_block,
});
const overview = (who: Hex, world: RiskFixture = {}) =>
  runTool(getWalletRiskOverview, askedOf(who, world), contextOf(world));
const brief = (who: Hex, world: RiskFixture = {}) => runTool(getWalletRiskScore, askedOf(who, world), contextOf(world));
const dataOf = async (who: Hex, world: RiskFixture = {}) => {
  const outcome = await overview(who, world);
  if (outcome.kind !== "data") throw new Error(`${outcome.kind}: ${JSON.stringify(outcome)}`);
  return outcome.data;
};
const gapsIn = ({ unavailable }: { readonly unavailable: readonly { field: string; reason: string }[] }) =>
  unavailable.filter(({ field }) => field !== "categories");
const scoreOf = async (who: Hex, world: RiskFixture = {}) => (await dataOf(who, world)).risk_score;

describe("the score", () => {
  test("a tenth of the income from two steps away is 24, and the brief tool says the same", async () => {
    // 0.75 * sqrt((200 / 2000) / 0.25) * 0.5 = 0.2372
    const whole = await dataOf(story.WALLET);
    expect(whole).toMatchObject({ risk_score: 24, risk_level: "low" });
    expect(whole).not.toHaveProperty("recommendation_code");
    expect(whole.categories).toMatchObject([
      { category: "mixer", exposure_in_usd: 200, share_in_percent: 10, min_hops: 2, direct: false },
    ]);
    const outcome = await brief(story.WALLET);
    if (outcome.kind !== "data") throw new Error(outcome.kind);
    expect(outcome.data).toMatchObject({
      risk_score: 24,
      risk_level: "low",
      model: "risk/wallet@2",
      coverage_percent: 100,
    });
    expect(outcome.data.top_reasons).toMatchObject([{ code: "mixer", category: "mixer" }]);
    expect(outcome.data.metadata).toEqual(whole.metadata);
  });

  test("clean money of another network makes the share smaller", async () => {
    // 200 of 4000: 0.75 * sqrt(0.05 / 0.25) * 0.5 = 0.1677
    const chains = [chainOf("demo"), chainOf("second")];
    const found = await dataOf(story.WALLET, { network: "all", chains });
    expect(found).toMatchObject({ risk_score: 17, metadata: { chain: "all", as_of: null } });
    expect(found.categories[0]).toMatchObject({ share_in_percent: 5, sources: [{ network: "demo" }] });
  });

  test("at an earlier block only what had happened counts", async () => {
    expect(await scoreOf(story.WALLET, { as_of_block: 101 }).catch((error: Error) => error.message)).toContain(
      "no_data",
    );
    expect(await scoreOf(story.WALLET_OF_FUNDS, { as_of_block: 101 })).toBe(75);
  });

  test("a swap does not wash the mixer's money", async () => {
    // All of it is two steps away: 0.75 * 0.5
    expect(await dataOf(story.AFTER_SWAP)).toMatchObject({
      risk_score: 38,
      categories: [{ exposure_in_usd: 1_000, share_in_percent: 100, min_hops: 2 }],
    });
  });

  test("nothing is followed through a hub", async () => {
    expect(await scoreOf(story.HUB)).toBeGreaterThan(0);
    expect(await dataOf(story.BEHIND_HUB)).toMatchObject({ risk_score: 0, categories: [] });
  });
});

describe("services", () => {
  test("an exchange that the operator labelled is capped at 30 and called a service", async () => {
    expect(await dataOf(story.SERVICE)).toMatchObject({
      risk_score: 30,
      risk_level: "low",
      service_address: true,
      positive_factors: [{ code: "known_service", evidence: [{ kind: "label", ref: "operator: A exchange" }] }, {}],
    });
  });

  test("a deposit address is its customer's, whatever else it is called", async () => {
    expect(await dataOf(story.DEPOSIT)).toMatchObject({ risk_score: 75, service_address: false });
  });

  test("an unproven label does not lower the score", async () => {
    expect(await dataOf(story.GUESSED)).toMatchObject({ risk_score: 75, service_address: false });
  });
});

describe("behaviour", () => {
  test("five days old and 120,000 dollars: 25, with the first and the largest transaction", async () => {
    const found = await dataOf(story.YOUNG);
    expect(found).toMatchObject({ risk_score: 25, behaviour: [{ code: "young_high_volume", score: 25 }] });
    expect(found.behaviour[0]?.evidence.length).toBeGreaterThan(0);
  });

  test("who deployed a token that is labelled a scam scores 60", async () => {
    expect(await dataOf(story.DEPLOYER)).toMatchObject({
      risk_score: 60,
      behaviour: [
        { code: "deployed_rugged_token", evidence: [{ kind: "tx" }, { kind: "label", ref: "operator: A scam" }] },
      ],
    });
  });

  test("21 approvals to contracts without a source count, even of a wallet that did nothing else", async () => {
    const found = await dataOf(story.APPROVER, { sources: UNVERIFIED });
    expect(found).toMatchObject({
      risk_score: 25,
      behaviour: [{ code: "many_unverified_approvals" }],
    });
    expect(gapsIn(found)).toEqual([]);
    const verified = await dataOf(story.APPROVER, { sources: VERIFIED });
    expect(verified).toMatchObject({ risk_score: 0, behaviour: [], approvals_at_risk: [] });
    expect(gapsIn(verified)).toEqual([]);
  });

  test("does not count spenders whose verification is unknown, and the answer says why", async () => {
    const reason = expect.stringContaining("no store of verified sources is configured");
    const found = await dataOf(story.APPROVER);
    expect(found).toMatchObject({ risk_score: 0, behaviour: [] });
    expect(gapsIn(found)).toEqual([
      { field: "behaviour", reason },
      { field: "approvals_at_risk[].reason", reason },
    ]);
    expect(await brief(story.APPROVER)).toMatchObject({
      data: { unavailable: [{ field: "behaviour", reason }, { field: "categories" }] },
    });
    // One spender alone cannot be more than twenty.
    expect(gapsIn(await dataOf(story.WALLET))).toEqual([{ field: "approvals_at_risk[].reason", reason }]);
  });
});

describe("approvals", () => {
  const short = async (world: RiskFixture = {}) =>
    (await dataOf(story.WALLET, world)).approvals_at_risk.map(({ spender, reason, allowance, value_at_risk_usd }) => [
      spender.toLowerCase(),
      reason,
      allowance,
      value_at_risk_usd,
    ]);

  test("what is left of an allowance and held is at risk; known services and withdrawn ones are not named", async () => {
    const others = [
      [`0x${story.MIXER}`, "risky_spender", 90, 90],
      [`0x${story.PERSON}`, "account_spender", 70, 70],
    ];
    const sources = UNVERIFIED;
    expect(await short({ sources })).toEqual([[`0x${story.SPENDER}`, "unverified_spender", 300, 300], ...others]);
    expect(await short({ sources: VERIFIED })).toEqual(others);
    expect(await short()).toEqual([[`0x${story.SPENDER}`, "unknown_spender", 300, 300], ...others]);
  });

  test("uses the last approvals without a node, and the answer says so", async () => {
    const world = { chains: [chainOf("demo", { down: true })], sources: UNVERIFIED };
    expect((await short(world))[0]).toEqual([`0x${story.SPENDER}`, "unknown_spender", 500, 500]);
    const { metadata, ...found } = await dataOf(story.WALLET, world);
    expect(gapsIn(found).map(({ reason }) => reason)).toEqual([expect.stringContaining("no node returns the code")]);
    expect(metadata.warnings.map(({ code }) => code)).toContain("ALLOWANCES_FROM_EVENTS");
  });
});

describe("what is not known", () => {
  const late = (nonce: number) => ({ chains: [chainOf("late", { accounts: { [story.WALLET]: { nonce } } })] });

  test("less than half of a wallet's own transactions gives no score, with the reason", async () => {
    // 1 of 10.
    expect(await dataOf(story.WALLET, late(10))).toMatchObject({
      risk_score: null,
      risk_level: "unknown",
      coverage_percent: 10,
      unavailable: [{ field: "risk_score", reason: expect.stringContaining("only 10 %") }, { field: "categories" }],
    });
    expect(await dataOf(story.WALLET, late(2))).toMatchObject({ risk_score: 0, coverage_percent: 50 });
  });

  test("an unknown address is no data on complete coverage, else an error", async () => {
    const no_list = expect.stringMatching("no list");
    expect(await overview(story.STRANGER)).toMatchObject({ kind: "no_data", message: no_list });
    expect(await brief(story.STRANGER)).toMatchObject({ kind: "no_data", type: "wallet_risk_score" });
    expect(await overview(story.STRANGER, late(0))).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
  });

  test("listed and never seen is data, even where little is indexed", async () => {
    for (const world of [{}, late(0)]) {
      expect(await dataOf(story.LISTED, world)).toMatchObject({
        risk_score: 100,
        sanctions: { listed: true, matches: [{ list: "authority", version: "v7", listed_on: "2024-01-02" }] },
      });
    }
  });

  test("an old list is no answer, and what it holds is shown", async () => {
    const outcome = await overview(story.LISTED, { age_hours: 169 });
    expect(outcome).toMatchObject({
      kind: "error",
      code: "CHECK_INCOMPLETE",
      message: expect.stringContaining("older than 168 hours"),
      partial: {
        sanctions: { listed: true, matches: [{ list: "authority" }] },
        stablecoin_freezes: { frozen_now: false },
      },
    });
    expect(await brief(story.WALLET, { age_hours: 169 })).toMatchObject({ kind: "error", code: "CHECK_INCOMPLETE" });
  });

  test("a coin whose issuer the index does not listen to leaves the check incomplete", async () => {
    const chains = [chainOf("demo", { freezes: [freezable("USDX", testAddress(0xc9), ["circle"])] })];
    expect(await overview(story.WALLET, { chains })).toMatchObject({
      kind: "error",
      code: "CHECK_INCOMPLETE",
      message: expect.stringContaining("USDX on demo"),
    });
  });

  test("a network that cannot be read leaves the checks of `all` incomplete", async () => {
    const chains = [chainOf("demo"), chainOf("unindexed")];
    const message = expect.stringContaining("unindexed could not be read");
    const incomplete = { kind: "error", code: "CHECK_INCOMPLETE", message };
    expect(await overview(story.WALLET, { network: "all", chains })).toMatchObject(incomplete);
  });
});

describe("the profile", () => {
  const profile = (who: Hex, on: RiskFixture = {}) => runTool(getWalletAddressProfile, askedOf(who, on), contextOf(on));

  test("without complete checks there is no score, and a listing is not hidden", async () => {
    expect(await profile(story.LISTED, { age_hours: 169 })).toMatchObject({
      kind: "data",
      data: {
        risk: { score: null, level: "severe" },
        unavailable: expect.arrayContaining([expect.objectContaining({ field: "risk.score" })]),
      },
    });
    const risk = { score: null, level: "unknown" };
    expect(await profile(story.WALLET, { age_hours: 169 })).toMatchObject({ data: { risk } });
  });

  test("an unknown address is no data on complete coverage, else an error", async () => {
    expect(await profile(story.STRANGER)).toMatchObject({ kind: "no_data", type: "address_profile" });
    const late = { chains: [chainOf("late")] };
    expect(await profile(story.STRANGER, late)).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
  });
});
