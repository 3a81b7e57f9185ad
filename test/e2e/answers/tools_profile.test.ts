import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const TOOL = "get_wallet_address_profile";
const profile = async (who: string, more: object = {}) =>
  (await stage.told(TOOL, { address: truth.addressOf(who), network: "demo", ...more })).body;
const MIXED_AT = on(81, 5);

test("shows that ted funded uma, and the bank funded ted", async () => {
  const { funding, activity, wealth, risk, performance, related_wallets } = await profile("uma");
  const usd = 8 * ((await truth.etherUsd(T0 + MIXED_AT)) ?? Number.NaN);
  expect(funding).toMatchObject({
    first_funder: { address: truth.addressOf("ted"), label: null },
    tx_hash: truth.hashAt(MIXED_AT + 36),
    amount: 8,
    usd: expect.closeTo(usd, 5),
  });
  expect(funding.chain.slice(0, 2)).toMatchObject([
    { address: truth.addressOf("ted"), funded: truth.addressOf("uma"), amount: 8 },
    { address: truth.addressOf("bank"), funded: truth.addressOf("ted"), amount: 12, tx_hash: truth.hashAt(MIXED_AT) },
  ]);
  // Two receipts, 8 and 12 ether, on the 81st day; the story ends eight days later.
  expect(activity).toMatchObject({ tx_count: 2, age_days: 8, active_networks: ["demo"] });
  expect(activity.first_seen).toBe(new Date((T0 + MIXED_AT + 36) * 1000).toISOString().replace(".000Z", "Z"));
  const now = (await truth.etherUsd(stage.world.head.time)) ?? Number.NaN;
  expect(wealth.total_value_usd).toBeCloseTo(20 * now, 4);
  expect(wealth).toMatchObject({ stablecoin_percent: 0, top_holdings: [{ token_address: "native", symbol: "ETH" }] });
  expect(performance).toBeNull();
  expect(risk).toMatchObject({ score: 24, level: "low", top_reasons: [{ code: "mixer" }] });
  expect(related_wallets).toMatchObject([
    { address: truth.addressOf("ted"), relation: "first_funder" },
    { address: truth.addressOf("ted"), relation: "risky_intermediary" },
  ]);
});

test("shows alice's verified name and trades, and her plain account", async () => {
  const { identity, behaviour, performance, deployed_contracts_count } = await profile("alice");
  expect(identity).toMatchObject({
    account_type: "eoa",
    is_contract: false,
    owners: null,
    names: { ens: "alice.eth" },
  });
  expect(behaviour.persona).toContain("trader");
  expect(performance.realized_usd_90d).toEqual(expect.any(Number));
  expect(deployed_contracts_count).toBe(0);
});

test("shows the Safe's owners, the exchange's label, and the contract of the mixer's owner", async () => {
  const safe = (await profile("judys_safe")).identity;
  expect(safe).toMatchObject({ account_type: "safe", is_contract: true, owners: { threshold: 2 } });
  expect(safe.owners.signers).toHaveLength(3);
  const exchange = await profile("exchange");
  expect(exchange.identity).toMatchObject({ primary_label: "Harbour Exchange hot wallet", entity: "Harbour Exchange" });
  expect(exchange.behaviour.persona).toContain("exchange");
  const olga = await profile("olga");
  expect(olga).toMatchObject({ deployed_contracts_count: 1, risk: { score: 60 } });
  expect(olga.behaviour.persona).toContain("deployer");
});

test("has the risk of the risk tool, and the same answer at the same block", async () => {
  const as_of_block = stage.world.head.number;
  const { risk } = await profile("mallory", { as_of_block });
  const args = { address: truth.addressOf("mallory"), network: "demo", as_of_block };
  const score = (await stage.ask("get_wallet_risk_score", args)).body;
  expect([risk.score, risk.level]).toEqual([score.risk_score, score.risk_level]);
  expect((await stage.ask(TOOL, args)).text).toBe((await stage.told(TOOL, args)).text);
});

test("has the 90-day performance of get_wallet_pnl, with proceeds without a known cost in addition", async () => {
  const as_of_block = stage.world.head.number;
  const { performance } = await profile("alice", { as_of_block });
  const args = { address: truth.addressOf("alice"), network: "demo", as_of_block };
  const { summary } = (await stage.ask("get_wallet_pnl", args)).body;
  expect(performance.realized_usd_90d).toBeCloseTo(summary.all_tokens.total_realized_pnl_usd, 6);
  expect(performance.proceeds_without_cost_usd_90d).toBeCloseTo(summary.all_tokens.proceeds_without_cost_usd, 6);
  expect(performance.proceeds_without_cost_usd_90d).toBeGreaterThan(0);
});

test("reads all networks like the only one, has no data for an unknown address, and has data for a merely listed one", async () => {
  expect(await profile("uma", { network: "all" })).toMatchObject({ metadata: { chain: "all" }, risk: { score: 24 } });
  const nobody = { address: "0x00000000000000000000000000000000deadc0d1", network: "demo" };
  expect((await stage.ask(TOOL, nobody)).body.status).toBe("no_data");
  expect(await profile("olaf")).toMatchObject({ risk: { score: 100, level: "severe" } });
  expect((await stage.ask(TOOL, { address: "0x1", network: "demo" })).status).toBe(422);
});
