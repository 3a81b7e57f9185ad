// @long: alone
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Network } from "../../src/chains/chain.ts";
import { solana } from "../../src/chains/networks/known.gen.ts";
import { parseAddress } from "../../src/chains/solana/address.ts";
import { settings } from "../../src/config/settings.ts";
import { importList, importScope } from "../../src/wiring/import_list.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { makeRiskWorld, type RiskName, type RiskWorld } from "../solana/risk_world.ts";
import { caughtUp, openTestService, type TestService } from "./served_world.ts";

/** Beyond the last transaction, so that all transactions are final. */
const QUIET_SLOTS = 40;

let world: RiskWorld;
let stage: TestService;
let data_dir: string;

const networkOf = ({ facade, dollar, strict }: RiskWorld): Network => {
  const coin = (symbol: string, mint: string) => ({ symbol, address: parseAddress(mint) ?? "" });
  const frozen = { families: ["token_authority"], decimals: 6, start_block: null };
  return {
    ...solana,
    caip2: `solana:${facade.genesis.slice(0, 32)}`,
    stablecoins: [{ ...coin("USDF", dollar), peg: "USD" }],
    freezes: [
      { ...coin("USDF", dollar), ...frozen },
      { ...coin("STRICT", strict), ...frozen },
    ],
  };
};

const person = (name: RiskName): string => world.people[name].address;

/** Spy is on a list of phishers; a stranger is sanctioned. */
const importLists = async (network: Network): Promise<void> => {
  const facts = await openFactsOnly(settings.parse({}), data_dir);
  const scope = importScope([network], [network.id]);
  const list = async (name: string, format: "labels-json" | "sanctions-json", content: object): Promise<void> => {
    const path = join(data_dir, `${name}.json`);
    await writeFile(path, JSON.stringify(content));
    const file = { path, format, list: name, licence: "CC0-1.0", origin: "test" };
    await importList(facts, file, { scope, now_ms: Date.now() });
  };
  const thief = { address: person("spy"), network: network.id, label: "Drainer", category: "phishing", confidence: 1 };
  await list("drainers", "labels-json", { name: "drainers", version: "1", labels: [thief] });
  const hal = { address: person("hal"), asset_code: "SOL", entity: "Hal & Sons" };
  const listed = { ...hal, program: "TEST", listed_on: "2026-01-02" };
  await list("test-sanctions", "sanctions-json", { name: "test-sanctions", version: "1", entries: [listed] });
  await facts.close();
};

beforeAll(async () => {
  world = await makeRiskWorld();
  world.facade.seal(QUIET_SLOTS);
  await world.facade.start();
  data_dir = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  const network = networkOf(world);
  await importLists(network);
  const rpc = [world.facade.url];
  const enabled = { network, rpc, from_block: 0, to_block: null, poll_ms: 200, venues: [], openings: "skip" } as const;
  stage = await openTestService({ networks: [enabled], data_dir });
  await caughtUp(stage.service);
}, 200_000);

afterAll(async () => {
  await stage?.close();
  await world?.facade.close();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const callTool = async (tool: string, args: Readonly<Record<string, unknown>>) => {
  const { status, body } = await stage.ask(tool, { network: "solana", ...args });
  expect(status).toBe(200);
  return body;
};
const check = (name: RiskName, stablecoin = "USDF") =>
  callTool("is_address_blacklisted_by_stablecoin", { address: person(name), stablecoin });
const comply = (name: RiskName) =>
  callTool("get_wallet_stablecoin_compliance", { address: person(name), stablecoins: ["USDF", "STRICT"] });

// biome-ignore lint/suspicious/noExplicitAny: rows of an answer that was validated against the OpenAPI.
type RiskRow = any;
const slots = (body: RiskRow): number[] => body.freeze_history.map(({ block_number }: RiskRow) => block_number);
const codes = (body: RiskRow): string[] => body.verdict_reasons.map(({ code }: RiskRow) => code);
const on = (...acts: readonly string[]): (number | undefined)[] => acts.map((act) => world.slots.get(act));

describe("freezes", () => {
  test("count a wallet as frozen with one frozen account of two, whatever happened to the other", async () => {
    const body = await check("frank");
    expect([body.is_blacklisted, body.previously_blacklisted]).toEqual([true, true]);
    // 700 minted less the 50 that he paid, and 40 on his other account.
    expect(body.results).toMatchObject([
      { stablecoin: "USDF", status: "ok", method: "token_accounts(address)", balance_raw: "690000000", reason: null },
    ]);
    const compliance = await comply("frank");
    expect([compliance.verdict, codes(compliance)]).toEqual(["blocked", ["frozen_now", "ever_frozen"]]);
    expect(slots(compliance)).toEqual(on("freeze frank", "freeze frank2", "thaw frank2"));
    expect([compliance.frozen_value_usd, compliance.holdings.length]).toEqual([690, 1]);
  });

  test("end when frozen and thawed in two transactions of one block", async () => {
    const body = await check("thea");
    expect([body.is_blacklisted, body.previously_blacklisted]).toEqual([false, true]);
    const compliance = await comply("thea");
    expect([compliance.verdict, codes(compliance)]).toEqual(["review", ["ever_frozen"]]);
    expect(slots(compliance)).toEqual(on("thaw thea", "thaw thea"));
  });

  test("leave a never frozen wallet clear, and report what it received from frozen ones", async () => {
    const compliance = await comply("clea");
    expect([compliance.verdict, compliance.freeze_history]).toEqual(["clear", []]);
    // 50 of the 150 that she got came from Frank, before he was frozen.
    expect(compliance.counterparty_exposure).toMatchObject({
      frozen_counterparties_count: 1,
      received_from_frozen_usd: 50,
      inflow_usd: 150,
      top: [{ address: person("frank"), before_or_after_freeze: "before" }],
    });
    expect(compliance.token_powers).toMatchObject([
      { symbol: "STRICT", freeze: true, seize_or_destroy: true, pause: false, admin: person("issuer") },
      { symbol: "USDF", freeze: true, seize_or_destroy: false, pause: false, admin: person("issuer") },
    ]);
  });

  test("end with an account that was closed while frozen, and stay in its history", async () => {
    const body = await check("zed");
    expect([body.is_blacklisted, body.previously_blacklisted]).toEqual([false, true]);
    const compliance = await comply("zed");
    expect([compliance.verdict, slots(compliance)]).toEqual(["review", on("freeze zed")]);
  });

  test("need no event for accounts that start frozen, and end for thawed ones", async () => {
    const [gus, hal] = [await check("gus", "STRICT"), await check("hal", "STRICT")];
    expect([gus.is_blacklisted, gus.results[0].last_event]).toEqual([true, null]);
    expect([hal.is_blacklisted, hal.results[0].last_event.type]).toEqual([false, "unfreeze"]);
    expect(codes(await comply("gus"))).toEqual(["frozen_now"]);
  });

  test("are read for every registered coin; a missing mint froze no wallet", async () => {
    const { body } = await stage.ask("is_address_blacklisted_by_stablecoin", { address: person("clea") });
    expect(body.is_blacklisted).toBe(false);
    expect(body.results.map(({ stablecoin, method }: RiskRow) => `${stablecoin} ${method}`)).toEqual([
      ...["EURC no contract", "PYUSD no contract", "STRICT token_accounts(address)", "USD1 no contract"],
      ...["USDC no contract", "USDF token_accounts(address)", "USDS no contract", "USDT no contract"],
    ]);
  });

  test("are marked in holdings", async () => {
    const frozen = async (name: RiskName): Promise<RiskRow> => {
      const { holdings } = await callTool("get_wallet_token_holdings", { wallet_address: person(name) });
      return Object.fromEntries(holdings.map(({ token_address, is_frozen }: RiskRow) => [token_address, is_frozen]));
    };
    expect(await frozen("frank")).toEqual({ native: false, [world.dollar]: true });
    expect(await frozen("thea")).toEqual({ native: false, [world.dollar]: false });
  });

  test("are not answered for a state that no event explains, or from a node without data", async () => {
    const { svm } = world.facade;
    const place = world.holdings.get("clea");
    const honest = place === undefined ? undefined : svm.getAccount(place);
    if (honest?.exists !== true) throw new Error("no account");
    const data = Uint8Array.from(honest.data);
    data[108] = 2;
    svm.setAccount({ ...honest, data });
    const disputed = await check("clea");
    svm.setAccount(honest);
    expect(disputed).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE", is_blacklisted: true });
    expect(disputed.results[0].reason).toContain(`token account ${place} contradict each other`);
    world.facade.fault = ({ method }) =>
      method === "getTokenAccountsByOwner" ? { error: { code: -32_000, message: "node is behind" } } : undefined;
    const silent = await check("clea");
    world.facade.fault = null;
    expect(silent).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE", is_blacklisted: null });
  });
});

describe("risk", () => {
  const overview = (name: RiskName) => callTool("get_wallet_risk_overview", { address: person(name) });
  const score = (name: RiskName) => callTool("get_wallet_risk_score", { address: person(name) });

  test("reads a delegate's permission from the token account: used amounts are subtracted, and revoked permissions are gone", async () => {
    const body = await overview("dora");
    // Permission for 300, of which he took 100; Hal's was revoked.
    expect(body.approvals_at_risk).toMatchObject([
      { token: world.dollar, spender: person("spy"), spender_label: "Drainer", allowance_raw: "200000000" },
    ]);
    expect(body.approvals_at_risk[0]).toMatchObject({ is_unlimited: false, reason: "risky_spender" });
    expect(body.approvals_at_risk[0].value_at_risk_usd).toBe(200);
    // All of her payments went to a drainer, one step away: 75 x 0.8.
    expect([body.risk_score, body.risk_level]).toEqual([60, "moderate"]);
    expect(body.categories).toMatchObject([{ category: "phishing_or_scam", exposure_out_usd: 100, min_hops: 1 }]);
  });

  test("does not count a delegate that only a program controls as a person, and reports its unknown source", async () => {
    const body = await overview("clea");
    expect(body.approvals_at_risk).toMatchObject([
      { spender: world.vault, reason: "unknown_spender", allowance_raw: "7000000" },
    ]);
    const fields = body.unavailable.map(({ field }: RiskRow) => field);
    // No list names addresses of most categories.
    expect(fields).toEqual(["categories", "approvals_at_risk[].reason"]);
  });

  test("is severe when frozen, 100 when sanctioned, and low when a frozen wallet paid dust", async () => {
    const [frank, hal, clea] = [await score("frank"), await score("hal"), await score("clea")];
    expect([frank.risk_score, frank.risk_level, frank.is_frozen]).toEqual([95, "severe", true]);
    expect([hal.risk_score, hal.is_sanctioned, hal.is_frozen]).toEqual([100, true, false]);
    // A third of her money is Frank's, who is frozen: 95 in full, a quarter of it since 50 USD are dust.
    expect([clea.risk_score, clea.risk_level]).toEqual([24, "low"]);
    expect(clea.top_reasons).toMatchObject([{ code: "issuer_frozen", weight: 23.75 }]);
    expect((await overview("thea")).stablecoin_freezes).toMatchObject({ frozen_now: false, ever_frozen: true });
  });

  test("is the same in the profile, which shows the kind of account", async () => {
    const profile = (address: string) => callTool("get_wallet_address_profile", { address });
    const dora = await profile(person("dora"));
    expect([dora.identity.account_type, dora.risk.score, dora.activity.active_networks]).toEqual([
      "eoa",
      60,
      ["solana"],
    ]);
    // 500 and 5 minted, 100 taken.
    expect([dora.wealth.total_value_usd, dora.wealth.stablecoin_percent]).toEqual([405, 100]);
    const mint = await profile(world.dollar);
    expect([mint.identity.account_type, mint.identity.is_contract]).toEqual(["token", false]);
  });

  test("has no score from a node without token accounts", async () => {
    world.facade.fault = ({ method }) =>
      method === "getTokenAccountsByOwner" ? { error: { code: -32_000, message: "node is behind" } } : undefined;
    const body = await score("dora");
    world.facade.fault = null;
    expect(body).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE" });
  });
});

describe("powers over tokens", () => {
  const traits = (token_address: string) => callTool("get_token_risk_traits", { token_address });
  const found = (body: RiskRow): string[] => body.alerts.map(({ code }: RiskRow) => code).sort();

  test("are listed for a taxed token of one issuer, each with its holder and its effect on the score", async () => {
    const body = await traits(world.taxed);
    const issuer = person("issuer");
    expect([body.network, body.token_address]).toEqual(["solana", world.taxed]);
    expect(body.security_flags).toEqual({
      ...{ mint_authority: issuer, freeze_authority: issuer, permanent_delegate: null },
      transfer_fee: {
        bps: 250,
        max_raw: "1000000000000000",
        next_bps: null,
        next_epoch: null,
        withheld_raw: "0",
        authority: issuer,
      },
      ...{ transfer_hook: null, default_account_state_frozen: false, non_transferable: false, closable: true },
      ...{ pausable: false, metadata_mutable: null, balance_mutable_authority: null, lp_burned_percent: null },
      ...{ top10_percent: 100, creator_percent: 0, trusted_token: false },
      ...{ hidden_characters: false, instruction_text: false },
    });
    expect(body.taxes).toEqual({ buy_tax_percent: null, sell_tax_percent: null, transfer_tax_percent: 2.5 });
    expect(body.ownership).toMatchObject({ creator: issuer, holder_count: 2, owner_type: null });
    expect(found(body)).toEqual([
      ...["blacklist", "concentrated", "low_liquidity", "mintable", "new_token", "tax_modifiable", "transfer_fee"],
    ]);
    // Freezing 12, few holders 12, no pools 10, minting by one account 20, new 8, a changeable tax 18; 2.5 % itself 0.
    expect([body.risk_overview.security_score, body.risk_overview.risk_level]).toEqual([20, "high"]);
    // Clea holds most and receives the fee: only Dora's transfer is simulated, and it arrives.
    const { simulation } = body.risk_overview;
    expect(simulation).toMatchObject({ status: "transfers", pools_tested: 0, holders_tested: 1, holders_failed: 0 });
    const info = await callTool("get_token_info", { token_address: world.taxed });
    expect([info.extensions, info.total_supply]).toEqual([["transfer_fee", "mint_close_authority"], 1_000]);
  });

  test("are critical when any holder's coins can be seized, in accounts that start frozen", async () => {
    const body = await traits(world.strict);
    expect(body.security_flags).toMatchObject({
      permanent_delegate: person("issuer"),
      default_account_state_frozen: true,
      transfer_fee: null,
    });
    expect(found(body)).toEqual(expect.arrayContaining(["balance_change", "blacklist", "mintable", "opens_frozen"]));
    // 40, 12, 20 and 35 add up to more than the maximum.
    expect([body.risk_overview.security_score, body.risk_overview.risk_level]).toEqual([0, "critical"]);
  });

  test("leave a coin of the registry its score", async () => {
    const body = await traits(world.dollar);
    expect(body.security_flags).toMatchObject({ freeze_authority: person("issuer"), trusted_token: true });
    expect([body.risk_overview.security_score, body.risk_overview.risk_level]).toEqual([100, "low"]);
    expect(body.taxes.transfer_tax_percent).toBe(0);
  });

  test("are rejected for a wallet, which is no token", async () => {
    expect(await traits(person("clea"))).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
  });
});
