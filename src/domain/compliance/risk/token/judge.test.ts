import { describe, expect, test } from "vitest";
import {
  ALIVE,
  able,
  CLEAN,
  NOW,
  OWNER,
  type OwnerType,
  owned,
  RUG,
  SCAN,
  simulated,
  UNREACHED,
  used,
} from "../../../../../test/clean_token.ts";
import type { Power } from "../../../token/powers/power.ts";
import type { Simulation } from "../../../token/simulation/simulate.ts";
import type { Buyer } from "../../../token/simulation/verdict.ts";
import type { TokenRiskFacts } from "./facts.ts";
import { flagsOf } from "./flags.ts";
import { findingsOf, judge } from "./judge.ts";
import { outcomeOf } from "./outcome.ts";

const judged = (more: Partial<TokenRiskFacts>) => {
  const facts = { ...CLEAN, ...more };
  const flags = flagsOf(facts);
  const { level, score } = judge(facts, flags, findingsOf(facts, flags));
  return { level, score };
};
const RUGGED = { outcome: "rugged", is_open: false } as const;
const failing = (fail_percent: number): Partial<TokenRiskFacts> => ({
  replay: {
    holders_tested: 100,
    holders_failed: fail_percent,
    fail_percent,
    first_failure: { holder: OWNER, reason: "no" },
  },
});
const holding = (top10_percent_adjusted: number): Partial<TokenRiskFacts> => ({
  holders: { ...CLEAN.holders, top10_percent_adjusted },
});
const pooled = (more: Partial<TokenRiskFacts["liquidity"]>): Partial<TokenRiskFacts> => ({
  liquidity: { ...CLEAN.liquidity, ...more },
});
const proxied = (type: OwnerType): Partial<TokenRiskFacts> => ({
  scan: { ...SCAN, proxy_evidence: "EIP-1967 slots", is_upgradeable: true, upgrader: owned(type) },
});

/** One account used both powers. */
const usedBoth = (first: Power["kind"], second: Power["kind"]): Partial<TokenRiskFacts> => {
  const [one, other] = [used(first, "eoa"), used(second, "eoa")];
  if (typeof one.powers === "string" || typeof other.powers === "string") throw new Error("no powers");
  return { ...one, powers: { ...one.powers, powers: [...one.powers.powers, ...other.powers.powers] } };
};
/** No later block was played. */
const NOW_ALONE: TokenRiskFacts["powers"] = {
  ...{ powers: [], unreached: [], judges: [], is_played_later: false, tried: 1, callers: [OWNER], block: 100 },
};

describe("the score", () => {
  test("of a token without findings is 100, and its risk low", () => {
    expect(judged({})).toEqual({ level: "low", score: 100 });
  });

  // The weights, each alone.
  const WEIGHTS: readonly (readonly [string, number, Partial<TokenRiskFacts>])[] = [
    ["a honeypot", 100, { simulation: simulated({ can_sell: false }, { is_honeypot: true }) }],
    ["a sell tax of 50", 60, { simulation: simulated({ sell_tax_percent: 50 }) }],
    ["a sell tax of 49.99", 35, { simulation: simulated({ sell_tax_percent: 49.99 }) }],
    ["a sell tax of 10", 20, { simulation: simulated({ sell_tax_percent: 10 }) }],
    ["a sell tax of 5", 8, { simulation: simulated({ sell_tax_percent: 5 }) }],
    ["a sell tax of 4.99", 0, { simulation: simulated({ sell_tax_percent: 4.99 }) }],
    ["a buy tax of 50", 42, { simulation: simulated({ buy_tax_percent: 50 }) }],
    ["a buy tax of 20", 24.5, { simulation: simulated({ buy_tax_percent: 20 }) }],
    ["a transfer tax", 0, { simulation: simulated({ transfer_tax_percent: 50 }) }],
    ["11 percent of failing holders", 35, failing(11)],
    ["10 percent of failing holders", 0, failing(10)],
    ["minting by one account", 45, used("mints", "eoa")],
    ["minting by a multisig", 15, used("mints", "multisig")],
    ["minting by a timelock", 15, used("mints", "timelock")],
    ["a blacklist", 40, used("blocks_holder", "eoa")],
    ["a pause", 40, used("stops_transfers", "contract")],
    ["a pause by a multisig", 15, used("stops_transfers", "multisig")],
    ["sales that can be stopped", 60, used("stops_sales", "eoa")],
    ["purchases that can be stopped", 12, used("stops_purchases", "eoa")],
    ["a tax that a trial raised to 50", 40, used("raises_tax", "eoa", 50)],
    ["a tax that a trial raised to 49.99", 20, used("raises_tax", "eoa", 49.99)],
    ["a tax that a trial raised to 9.99", 0, used("raises_tax", "eoa", 9.99)],
    ["a tax of one holder of 50", 40, used("taxes_holder", "eoa", 50)],
    ["a proxy of one account", 40, proxied("eoa")],
    ["a proxy of a multisig", 15, proxied("multisig")],
    ["code that a trial replaced", 40, used("replaces_code", "eoa")],
    ["a hidden owner", 25 + 45, { ...used("mints", "eoa"), scan: { ...SCAN, names_no_account: true } }],
    ["ownership without a power that can be restored", 15, used("takes_ownership", "eoa")],
    ["ownership with a power that can be restored", 45 + 45, usedBoth("takes_ownership", "mints")],
    ["balances that can be changed", 60, used("takes_coins", "eoa")],
    ["balances that a multisig can change", 30, used("takes_allowance", "multisig")],
    ["functions that no trial reached", 25, { scan: able("mint", "eoa"), powers: UNREACHED }],
    ["a name without an effect", 0, { scan: able("mint", "eoa") }],
    [
      "a tax without limit",
      25 + 40,
      { scan: { ...able("fee", "eoa"), is_fee_uncapped: true }, powers: "no_overrides" },
    ],
    ["a tax with a limit", 25, { scan: { ...able("fee", "eoa"), is_fee_uncapped: false }, powers: "no_overrides" }],
    ["a source that is not published", 20, { is_verified: false }],
    ["81 percent of the shares at the creator", 25, pooled({ deepestShareOf: () => 81 })],
    ["80 percent of the shares at the creator", 0, pooled({ deepestShareOf: () => 80 })],
    ["51 percent at ten holders", 12, holding(51)],
    ["50 percent at ten holders", 0, holding(50)],
    [
      "a creator with a history",
      30,
      { creator_rugs: { own_end: ALIVE, own: null, found: [RUG], tokens_count: 1, gap: "unknown" } },
    ],
    ["4,999 dollars of liquidity", 10, pooled({ total_usd: 4_999 })],
    ["4,999 dollars beside a pool of unknown contents", 10, pooled({ total_usd: 4_999, unknown_pools: 1 })],
    ["5,000 dollars beside a pool of unknown contents", 0, pooled({ total_usd: 5_000, unknown_pools: 1 })],
    ["liquidity of unknown value", 10, pooled({ total_usd: null })],
    ["an age of less than 24 hours", 8, { created_at: NOW - 86_399 }],
    ["an age of 24 hours", 0, { created_at: NOW - 86_400 }],
  ];
  test.each(WEIGHTS)("falls for %s by %s", (_, weight, more) => {
    expect(judged(more).score).toBeCloseTo(100 - weight, 10);
  });

  test("adds up, and stops at 0", () => {
    // 60 + 42 = 102.
    expect(judged({ simulation: simulated({ sell_tax_percent: 60, buy_tax_percent: 60 }) }).score).toBe(0);
    // 20 + 12.
    expect(judged({ is_verified: false, ...holding(60) }).score).toBe(68);
  });
});

describe("the level", () => {
  test("is critical for a honeypot and for balances that can be changed, whatever the score", () => {
    expect(judged(used("takes_coins", "eoa"))).toEqual({ level: "critical", score: 40 });
    expect(judged(used("takes_coins", "renounced"))).toEqual({ level: "low", score: 100 });
  });

  test.each([
    // 35 + 20 + 25 + 12 = 92, 35 + 20 = 55, 30 + 20 = 50, 25.
    [8, "high", { ...failing(30), is_verified: false, ...pooled({ deepestShareOf: () => 90 }), ...holding(60) }],
    [45, "medium", { ...failing(30), is_verified: false }],
    [37, "high", { ...failing(30), is_verified: false, created_at: NOW }],
    // One critical finding is enough, and many lesser ones are not.
    [65, "critical", failing(60)],
    [75, "low", pooled({ deepestShareOf: () => 90 })],
  ] as const)("at a score of %s is %s", (score, level, more) => {
    expect(judged(more)).toEqual({ level, score });
  });

  test.each([
    ["rugged", "critical", { creator_rugs: { own_end: RUGGED, own: RUG, found: [], tokens_count: 0, gap: null } }],
    ["drained", "high", { is_drained: true, creator_rugs: null }],
    ["counterfeit", "high", { is_fake: true, creator_rugs: null }],
  ] as const)("is at least high for a token that is %s, even without any other check", (outcome, level, more) => {
    const unread = { simulation: "no_overrides", scan: { ...SCAN, functions: null, hidden_owners: null } } as const;
    expect(judged(more).level).toBe(level);
    expect(judged({ ...unread, ...more })).toEqual({ level, score: null });
    expect(outcomeOf({ ...CLEAN, ...more })).toBe(outcome);
  });

  test("is never low without a market, and unknown when a check failed", () => {
    const unread = { ...SCAN, functions: null, hidden_owners: null };
    // 100 - 10 for little liquidity: there is nothing to sell, so no trade is unknown.
    expect(judged({ simulation: "no_pool", ...pooled({ total_usd: 0 }) })).toEqual({ level: "medium", score: 90 });
    // 45 + 40 + 40 + 45 + 60 + 40 for powers: more than 100.
    expect(judged({ scan: unread, powers: "no_functions" })).toEqual({ level: "unknown", score: 0 });
    // 100 + 60 + 42 for trades.
    expect(judged({ simulation: "no_overrides" })).toEqual({ level: "unknown", score: 0 });
    expect(judged({ simulation: "no_overrides", powers: "no_overrides", scan: unread })).toEqual({
      level: "unknown",
      score: null,
    });
  });
});

describe("a listed token", () => {
  const listed = { ...proxied("eoa"), is_listed: true, ...holding(90), ...failing(20) };

  test("keeps its flags without a loss of points", () => {
    const facts = { ...CLEAN, ...listed };
    expect(flagsOf(facts)).toMatchObject({ is_proxy: true, is_upgradeable: true });
    expect(judged(listed)).toEqual({ level: "low", score: 100 });
    expect(findingsOf(facts, flagsOf(facts)).every(({ severity }) => severity === "info")).toBe(true);
  });

  test("is low without a simulation, and a tax still counts", () => {
    expect(judged({ ...listed, simulation: "no_pool" }).level).toBe("low");
    expect(judged({ ...listed, simulation: simulated({ sell_tax_percent: 20 }) }).score).toBe(65);
  });
});

describe("flags", () => {
  test("without input are null, not false", () => {
    const unread = { ...SCAN, functions: null, hidden_owners: null };
    const flags = flagsOf({ ...CLEAN, simulation: "no_overrides", powers: "no_overrides", scan: unread });
    for (const flag of [
      "is_honeypot",
      "cannot_buy",
      "is_mintable",
      "has_blacklist",
      "hidden_owner",
      "rebasing",
    ] as const) {
      expect(flags[flag]).toBeNull();
    }
    // Opcodes are visible in any code.
    expect(flags.has_selfdestruct).toBe(false);
  });

  test("of gas, limits and taxes follow the simulations", () => {
    const of = (more: Partial<Buyer>, other: Partial<Simulation> = {}) =>
      flagsOf({ ...CLEAN, simulation: simulated(more, other) });
    expect(of({ sell_gas: 2_000_001 }).gas_abuse).toBe(true);
    expect(of({ sell_gas: 2_000_000 }).gas_abuse).toBe(false);
    expect(of({}, { limits: { max_tx_raw: 5n, max_wallet_raw: null, tried_raw: 5n } }).anti_whale).toBe(true);
    expect(of({ sell_tax_percent: null }).fee_on_transfer).toBeNull();
    expect(of({ sell_tax_percent: null, buy_tax_percent: 1 }).fee_on_transfer).toBe(true);
  });

  test("of a rejected purchase distinguish a closed market from a broken one", () => {
    const closed = { can_buy: false, can_sell: null };
    const of = (is_locked_now: boolean | null, scan = SCAN) =>
      flagsOf({
        ...CLEAN,
        scan,
        simulation: simulated(closed, { cannot_buy: true, is_honeypot: null, is_locked_now }),
      }).trading_not_enabled;
    expect([of(true), of(false), of(null)]).toEqual([true, false, null]);
    expect(of(false, able("trading_switch", "eoa"))).toBe(true);
    expect(of(false, able("trading_switch", "renounced"))).toBe(false);
  });

  test("of balance changes need more than a function name that holders may have too", () => {
    const scan = able("balance_change", "eoa", "burn(address,uint256)");
    // An unreached function leaves it unknown.
    const of = (more: Partial<TokenRiskFacts>) => flagsOf({ ...CLEAN, scan, ...more }).owner_can_change_balance;
    expect([of({}), of({ powers: UNREACHED }), of({ powers: "no_holders" })]).toEqual([false, null, null]);
    // A call may have its effect later.
    expect([of({ powers: NOW_ALONE }), of({ powers: "not_run" })]).toEqual([null, null]);
    const [found] = scan.functions ?? [];
    if (found === undefined) throw new Error("no function");
    const lets = [{ found, caller: OWNER }];
    const powers = new Map([[OWNER, owned("eoa")]]);
    expect(of({ scan: { ...scan, lets, powers }, powers: "no_overrides" })).toBe(true);
  });
});

describe("a creator's history", () => {
  const told = (creator_rugs: TokenRiskFacts["creator_rugs"]) =>
    flagsOf({ ...CLEAN, creator_rugs }).creator_honeypot_history;

  test("is clean only when all of it was judged", () => {
    expect(told({ own_end: ALIVE, own: null, found: [], tokens_count: 3, gap: null })).toBe(false);
    expect(told({ own_end: ALIVE, own: null, found: [], tokens_count: 3, gap: "an end is unknown" })).toBeNull();
    expect(told(null)).toBeNull();
  });

  test("shows the transactions of the rugs", () => {
    const facts = { ...CLEAN, creator_rugs: { own_end: ALIVE, own: null, found: [RUG], tokens_count: 1, gap: null } };
    const found = findingsOf(facts, flagsOf(facts)).find(({ code }) => code === "creator_history");
    expect(found?.evidence).toEqual(RUG.evidence);
  });
});
