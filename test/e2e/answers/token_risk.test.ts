import { beforeAll, describe, expect, test } from "vitest";
import { ETHER } from "../../../src/demo/evm/act.ts";
import { ADDRESSES, type ContractName, DEMO_CONTRACTS } from "../../../src/demo/evm/characters.ts";
import { v2AmountOut } from "../../../src/demo/evm/pool_math.ts";
import { BAN_HOLDERS, BANNED, CLEAN_HOLDERS, TRAP_POOL } from "../../../src/demo/evm/scenarios/traps.ts";
import { eachNth, sized } from "../../long.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

let stage: SharedWorldService;
beforeAll(async () => {
  stage = await sharedWorld();
});

const readTraits = (token_address: string, more: object = {}) =>
  stage.ask("get_token_risk_traits", { token_address, network: "demo", ...more });
const cachedTraits = (token_address: string) => stage.told("get_token_risk_traits", { token_address, network: "demo" });
const risksOf = async (name: ContractName) => (await cachedTraits(DEMO_CONTRACTS[name])).body;

interface Alert {
  readonly code: string;
  readonly severity: string;
  readonly evidence: readonly { readonly kind: string; readonly ref: string }[];
}
const alertOf = ({ alerts }: { alerts: readonly Alert[] }, code: string): Alert | undefined =>
  alerts.find((alert) => alert.code === code);
const codesOf = ({ alerts }: { alerts: readonly Alert[] }): readonly string[] => alerts.map(({ code }) => code).sort();

describe("a token that takes 5 % of purchases and 10 % of sales", () => {
  test("is reported with these taxes, for contracts and people alike", async () => {
    const { taxes, risk_overview, security_flags } = await risksOf("trap_tax");
    expect(taxes).toEqual({ buy_tax_percent: 5, sell_tax_percent: 10, transfer_tax_percent: 0 });
    const { simulation } = risk_overview;
    expect(simulation).toMatchObject({ status: "done", pools_tested: 1, caller_dependent: false });
    for (const buyer of [simulation.contract_buyer, simulation.eoa_buyer]) {
      expect(buyer).toMatchObject({ can_buy: true, can_sell: true, buy_tax_percent: 5, sell_tax_percent: 10 });
    }
    expect(security_flags).toMatchObject({
      is_honeypot: false,
      fee_on_transfer: true,
      tax_modifiable: true,
      trading_cooldown: false,
      anti_whale: false,
    });
  });

  test("loses 20 for the sales, 0.7 of 8 for the purchases, and 20 for what the tax can become", async () => {
    const body = await risksOf("trap_tax");
    // 100 - 20 - 5.6 - 20: its owner can raise the tax to 25 % and no further; 50 % at two holders are not more than 50 %.
    expect(body.risk_overview).toMatchObject({ security_score: 54.4, risk_level: "medium" });
    expect(codesOf(body)).toEqual(["buy_tax", "concentrated", "sell_tax", "tax_modifiable"]);
    expect(alertOf(body, "sell_tax")?.evidence).toEqual([
      {
        kind: "simulation",
        ref: `sim/evm@2: pool ${DEMO_CONTRACTS.pair_trap_tax_weth} at block ${stage.world.head.number}`,
        observed_at: new Date(stage.world.head.time * 1000).toISOString().replace(".000", ""),
      },
    ]);
  });

  test("has its owner, its holders and its pool described", async () => {
    const { ownership, liquidity } = await risksOf("trap_tax");
    // tess has kept 100,000 of 1,000,000; quinn has 400,000 beside the 500,000 in the pool.
    expect(ownership).toEqual({
      creator: ADDRESSES.tess,
      owner: ADDRESSES.tess,
      holder_count: 3,
      owner_type: "eoa",
      creator_percent: 10,
      owner_percent: 10,
      top10_percent_adjusted: 50,
    });
    expect(liquidity.pools).toHaveLength(1);
    const [pool] = liquidity.pools;
    expect(pool).toMatchObject({ dex: "Uniswap v2", address: DEMO_CONTRACTS.pair_trap_tax_weth, lp_locked_percent: 0 });
    // Of sqrt(500,000 · 10) · 10^18 shares the first 1,000 are burnt.
    const shares = Math.sqrt(500_000 * 10) * 1e18;
    expect(pool.lp_burned_percent).toBeCloseTo((100 * 1_000) / shares, 20);
    expect(pool.lp_holders).toEqual([{ address: ADDRESSES.quinn, label: null, share_percent: expect.closeTo(100, 9) }]);
  });
});

test("finds a token that bans holders by its holders, not by a new buyer", async () => {
  const body = await risksOf("trap_ban");
  expect(body.taxes).toEqual({ buy_tax_percent: 0, sell_tax_percent: 0, transfer_tax_percent: 0 });
  expect(body.security_flags).toMatchObject({ is_honeypot: false, has_blacklist: true, transfer_pausable: true });
  // The twenty and quinn; not tess, its creator, nor the pool. Every fourth of twenty is banned.
  const { simulation } = body.risk_overview;
  expect(simulation).toMatchObject({ holders_tested: BAN_HOLDERS.length + 1, holders_failed: BANNED.length });
  expect(simulation.fail_percent).toBeCloseTo((100 * 5) / 21, 10);
  const blocked = alertOf(body, "holders_blocked");
  expect(blocked?.severity).toBe("high");
  // The first receiver among the holders that cannot transfer.
  expect(blocked?.evidence[0]?.ref.toLowerCase()).toContain(`from ${BANNED[0]} of `);
  // 35 for the holders, 40 each for the blacklist and the pause of one account: more than 100.
  expect(body.risk_overview).toMatchObject({ security_score: 0, risk_level: "high" });
});

test("does not call a token with a cooldown a honeypot: the sale works 300 blocks later", async () => {
  const { risk_overview, security_flags, taxes } = await risksOf("trap_cooldown");
  expect(security_flags).toMatchObject({
    is_honeypot: false,
    trading_cooldown: true,
    anti_whale: true,
    anti_whale_modifiable: true,
  });
  expect(taxes.sell_tax_percent).toBe(0);
  const { simulation } = risk_overview;
  // A contract sells in the block of its purchase, and never can.
  expect(simulation.contract_buyer).toMatchObject({
    can_buy: true,
    can_sell: false,
    sell_failure: "CooldownToken: wait",
  });
  expect(simulation).toMatchObject({ eoa_buyer: { can_sell: true }, caller_dependent: false, max_wallet_raw: null });
  // At most 10,000 at once, which cost 0.2047 ether; six halvings between 0.1 (1 % of 10 ether) and 1 (10 %) end at
  // 0.1 + 0.9 · 7/64, since 8/64 would be 0.2125.
  const paid = ETHER / 10n + (9n * ETHER * 7n) / (10n * 64n);
  expect(simulation.max_tx_raw).toBe(v2AmountOut(paid, TRAP_POOL.wei, TRAP_POOL.amount).toString());
});

test("calls a token that lets only contracts sell a honeypot for people", async () => {
  const body = await risksOf("trap_caller");
  const { simulation } = body.risk_overview;
  expect(simulation.contract_buyer).toMatchObject({ can_buy: true, can_sell: true, sell_tax_percent: 0 });
  expect(simulation.eoa_buyer).toMatchObject({ can_buy: true, can_sell: false, sell_failure: "CallerToken: not now" });
  expect(body.security_flags).toMatchObject({ is_honeypot: true, cannot_sell_all: true });
  expect(body.taxes.sell_tax_percent).toBeNull();
  expect(alertOf(body, "caller_dependent")?.severity).toBe("high");
  expect(body.risk_overview).toMatchObject({ security_score: 0, risk_level: "critical" });
});

test("finds the minter behind a proxy that names no owner", async () => {
  const body = await risksOf("trap_proxy");
  expect(body.ownership).toMatchObject({ owner: `0x${"0".repeat(40)}`, owner_type: "renounced", owner_percent: null });
  expect(body.security_flags).toMatchObject({
    is_proxy: true,
    is_upgradeable: true,
    is_mintable: true,
    hidden_owner: true,
    owner_can_change_balance: true,
    has_blacklist: false,
  });
  const hidden = alertOf(body, "hidden_owner");
  expect(hidden?.evidence.map(({ ref }) => ref)).toContain(
    `powers/evm@2: mint(address,uint256), called by ${ADDRESSES.tess}, created coins at block ${stage.world.head.number}`,
  );
  // 100 - 40 (balances) - 25 (hidden) - 20 (mint by one account) - 18 (proxy of one account), and not below 0.
  expect(body.risk_overview).toMatchObject({ security_score: 0, risk_level: "critical" });
});

test("keeps a clean token clean", async () => {
  const body = await risksOf("trap_none");
  // Ten of twelve holders with 4 % each: more than 30 %, not more than 50 %.
  expect(codesOf(body)).toEqual(["concentrated"]);
  expect(body.risk_overview).toMatchObject({ security_score: 100, risk_level: "low" });
  expect(body.ownership).toMatchObject({ top10_percent_adjusted: 40, creator_percent: 0, owner_type: null });
  expect("owner" in body.ownership).toBe(false);
  expect(body.risk_overview.simulation).toMatchObject({
    holders_tested: CLEAN_HOLDERS.length + 1,
    holders_failed: 0,
    fail_percent: 0,
  });
  expect(body.liquidity.pools[0].lp_burned_percent).toBe(100);
  const { is_verified, creator_honeypot_history, caller_pays_energy, ...others } = body.security_flags;
  // It does not exist here, which is not a gap.
  expect(caller_pays_energy).toBeNull();
  expect(body.unavailable).not.toContainEqual(expect.objectContaining({ field: "security_flags.caller_pays_energy" }));
  expect(Object.values(others).every((flag) => flag === false)).toBe(true);
  for (const flag of ["is_verified", "creator_honeypot_history"]) {
    const told = { is_verified, creator_honeypot_history }[flag];
    const fields = body.unavailable.map(({ field }: { field: string }) => field);
    expect(fields.includes(`security_flags.${flag}`)).toBe(told === null);
  }
});

test("lists an issuer's powers over its own stablecoin without weight", async () => {
  const body = await risksOf("usdc");
  expect(body.security_flags).toMatchObject({
    is_honeypot: false,
    is_proxy: true,
    is_upgradeable: true,
    is_mintable: true,
    transfer_pausable: true,
    has_blacklist: true,
    fee_on_transfer: false,
    hidden_owner: false,
  });
  expect(body.risk_overview).toMatchObject({ security_score: 100, risk_level: "low" });
  expect(body.risk_overview.positive_descriptions[0]).toContain("registry");
  expect(body.alerts.every(({ severity }: Alert) => severity === "info")).toBe(true);
});

test("reports that mallory's honeypot cannot be sold, and that its creator has all of its liquidity", async () => {
  const body = await risksOf("honeypot");
  expect(body.security_flags.is_honeypot).toBe(true);
  expect(body.taxes).toEqual({ buy_tax_percent: 0, sell_tax_percent: null, transfer_tax_percent: 0 });
  expect(body.risk_overview).toMatchObject({ security_score: 0, risk_level: "critical" });
  expect(codesOf(body)).toEqual(expect.arrayContaining(["holders_blocked", "honeypot", "lp_held_by_creator"]));
  // heidi is the only holder beside mallory and the pool.
  expect(body.risk_overview.simulation).toMatchObject({ holders_tested: 1, holders_failed: 1, fail_percent: 100 });
});

test("claims nothing about trading without a pool", async () => {
  const { taxes, security_flags, risk_overview, liquidity, unavailable } = await risksOf("copper");
  expect(taxes).toEqual({ buy_tax_percent: null, sell_tax_percent: null, transfer_tax_percent: null });
  for (const flag of ["is_honeypot", "cannot_buy", "cannot_sell_all", "trading_cooldown", "fee_on_transfer"]) {
    expect(security_flags[flag]).toBeNull();
  }
  expect(security_flags).toMatchObject({ is_mintable: true, transfer_pausable: true });
  expect(liquidity).toEqual({ total_usd: 0, pools: [] });
  // 45 (mint by one account), 40 (pause), 12 (one holder has all), 10 (no liquidity): more than 100.
  expect(risk_overview).toMatchObject({ security_score: 0, risk_level: "high", simulation: { status: "no_pool" } });
  const reason = unavailable.find(({ field }: { field: string }) => field === "security_flags.is_honeypot")?.reason;
  expect(reason).toContain("no pool");
});

describe("the answer", () => {
  test("is the same byte for byte on a second call, and at the newest block by its number", async () => {
    const first = await cachedTraits(DEMO_CONTRACTS.trap_tax);
    expect((await readTraits(DEMO_CONTRACTS.trap_tax)).text).toBe(first.text);
    const named = await readTraits(DEMO_CONTRACTS.trap_tax, { as_of_block: stage.world.head.number });
    expect(named.text).toBe(first.text);
  });

  test("at an earlier block contains no later facts", async () => {
    const trap = await risksOf("trap_ban");
    const { as_of } = trap.metadata;
    const before = stage.world.contracts.trap_ban ?? "";
    const born = await stage.ask("get_contract_creation", { contract_address: before, network: "demo" });
    const early = await readTraits(before, { as_of_block: born.body.block_number });
    expect(early.body.ownership).toMatchObject({ holder_count: 1, creator_percent: 100 });
    expect(early.body.risk_overview.simulation).toMatchObject({ status: "no_pool", holders_tested: 0 });
    expect(early.body.metadata.as_of.block_number).toBeLessThan(as_of.block_number);
    // New: 8; mint none; blacklist 40; pause 40; one holder has all 12; no liquidity 10.
    expect(early.body.risk_overview).toMatchObject({ security_score: 0, risk_level: "high" });
    const unborn = await readTraits(before, { as_of_block: born.body.block_number - 1 });
    expect(unborn.body).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
  });

  test.each([
    ["a router", DEMO_CONTRACTS.v2_router],
    ["a person", ADDRESSES.alice],
    ["the coin of the network", "native"],
  ])("for %s is an error that it is no token", async (_, address) => {
    expect((await readTraits(address)).body).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
  });

  test("beyond the newest indexed block is an error of missing coverage", async () => {
    const { body } = await readTraits(DEMO_CONTRACTS.trap_tax, { as_of_block: stage.world.head.number + 1_000 });
    expect(body).toMatchObject({ status: "error", code: "COVERAGE_INCOMPLETE" });
  });

  test.each([
    ["no address", { token_address: "0x12" }],
    ["a wrong checksum", { token_address: DEMO_CONTRACTS.trap_tax.replace("E", "e") }],
    ["several networks at once", { network: "all" }],
    ["an unknown field", { address: ADDRESSES.alice }],
    ["an invalid block", { as_of_block: -1 }],
  ])("for %s is 422", async (_, more) => {
    expect((await readTraits(DEMO_CONTRACTS.trap_tax, more)).status).toBe(422);
  });
});

const LEVELS = ["low", "medium", "high", "critical"];
/** Outcomes of the tokens by their stories; the others have no bad one. */
const RUGGED: readonly ContractName[] = ["moonlift", "glint", "honeypot"];
/** Tokens with a story; in a slice every other one. */
const ALIVE = ["moonlift", "glint", "honeypot", "keel", "fake_usdc", "orchard", "husk", "trap_tax"] as const;
const STORIES = eachNth(ALIVE, 2);

describe("the outcomes of the demo's tokens", () => {
  test.each(STORIES)("match the story of %s, with a fitting level", async (name) => {
    const { risk_overview } = await risksOf(name);
    const outcome = RUGGED.includes(name) ? "rugged" : name === "fake_usdc" ? "counterfeit" : null;
    if (outcome === null) expect(["rugged", "drained", "counterfeit"]).not.toContain(risk_overview.outcome);
    else expect(risk_overview.outcome).toBe(outcome);
    // A dead or fraudulent token is at least high; a sellable one is not critical.
    const level = LEVELS.indexOf(risk_overview.risk_level);
    if (outcome === null) expect(level).toBeLessThan(LEVELS.indexOf("critical"));
    else expect(level).toBeGreaterThanOrEqual(LEVELS.indexOf("high"));
  });

  test("are those of analyze_token_developer: the same tokens are rugged here, and no others", async () => {
    const compared: string[] = [];
    // In a slice the histories of mallory and of rupert, who made most of them.
    for (const of of sized({ slice: ["moonlift", "husk"] as const, long: STORIES })) {
      const asked = { token_address: DEMO_CONTRACTS[of], network: "demo" };
      const { history } = (await stage.told("analyze_token_developer", asked)).body;
      for (const name of STORIES) {
        const row = history?.tokens.find(({ address }: { address: string }) => address === DEMO_CONTRACTS[name]);
        if (row === undefined) continue;
        compared.push(name);
        const { outcome } = (await risksOf(name)).risk_overview;
        expect([name, outcome]).toEqual([name, row.outcome]);
      }
    }
    const fewest = sized({ slice: [], long: ["glint", "keel"] });
    expect(compared).toEqual(expect.arrayContaining(["moonlift", "honeypot", "husk", ...fewest]));
  });
});
