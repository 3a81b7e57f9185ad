import { expect, test } from "vitest";
import { fixedChain } from "../../../../../test/fixed_chain.ts";
import type { TokenTraits, TransferFee } from "../../../../chains/token_accounts.ts";
import { hex } from "../../../../lib/bytes.ts";
import { powerAnswerOf } from "../../../../tools/get_token_risk_traits/power_answer.ts";
import { sendsOf } from "../../../token/simulation/sends.ts";
import type { PowerFacts } from "./facts.ts";

const TOKEN = hex("aa".repeat(20));
const WHO = hex("bb".repeat(20));
const NOW = 1_800_000_000;

/** A mint without any authority. */
const NOBODYS: TokenTraits = {
  ...{ mint_authority: null, freeze_authority: null, permanent_delegate: null, pause_authority: null },
  ...{ close_authority: null, display_authority: null, hook_program: null, hook_authority: null },
  ...{ is_paused: false, opens_frozen: false, is_transferable: true, transfer_fee: null },
  ...{ decimals: 6, supply: 1_000n, extensions: [], description: null },
};

/** Old, deep, widely held, and of a creator without a history. */
const CLEAN: PowerFacts = {
  chain: fixedChain(),
  token: TOKEN,
  block: { number: 100, time: NOW },
  traits: NOBODYS,
  is_minter_alone: null,
  sends: "no_overrides",
  holders: {
    ...{ count: 500, top10_percent_adjusted: 20, percentOf: () => 1, people: [] },
    ...{ largest: null, is_rebasing: null, is_told: true, doubt: null },
  },
  liquidity: {
    ...{ total_usd: 900_000, total_reason: null, unknown_pools: 0, rows: [], markets: [], price: null },
    ...{ deepestShareOf: () => null, kept_percent: null, lock_gap: "" },
  },
  creator: WHO,
  created_at: NOW - 100 * 86_400,
  history: { is_life_indexed: true, is_creation_missing: false },
  is_listed: false,
  is_fake: false,
  is_drained: false,
  receivers_max: 1,
  is_luring: false,
  is_instructing: false,
  has_hidden: false,
  creator_rugs: { own_end: { outcome: "alive", is_open: false }, own: null, found: [], tokens_count: 0, gap: null },
};

const answered = (traits: Partial<TokenTraits>, more: Partial<PowerFacts> = {}) =>
  powerAnswerOf({ ...CLEAN, ...more, traits: { ...NOBODYS, ...traits } });

const fee = (more: Partial<TransferFee>): TransferFee => ({
  ...{ bps: 0, max_raw: 10n, next_bps: null, next_epoch: null, withheld_raw: 0n, authority: null },
  ...more,
});

test("a token without any authority keeps its score; without a simulation its risk is at least medium", () => {
  const { risk_overview, alerts, taxes, security_flags } = answered({});
  expect([risk_overview.security_score, risk_overview.risk_level, alerts]).toEqual([100, "medium", []]);
  expect(taxes).toEqual({ buy_tax_percent: null, sell_tax_percent: null, transfer_tax_percent: 0 });
  expect(security_flags).toMatchObject({ mint_authority: null, closable: false, trusted_token: false });
  expect(risk_overview.positive_descriptions).toContain("No account can create more coins.");
});

type PowerCase = readonly [what: string, weight: number, level: string, Partial<TokenTraits>, Partial<PowerFacts>];
const CASES: readonly PowerCase[] = (
  [
    ["minting by one account", 20, "medium", { mint_authority: WHO }, { is_minter_alone: true }],
    ["minting by a program", 8, "medium", { mint_authority: WHO }, { is_minter_alone: false }],
    ["freezing", 12, "medium", { freeze_authority: WHO }],
    ["pausing", 12, "medium", { pause_authority: WHO }],
    ["a pause in force, regardless of who can end it", 35 + 12, "critical", { is_paused: true, pause_authority: WHO }],
    ["taking from any account", 40, "critical", { permanent_delegate: WHO }],
    ["accounts that begin frozen", 35, "medium", { opens_frozen: true }],
    ["coins that cannot be sent", 100, "critical", { is_transferable: false }],
    ["a program that may refuse", 25, "medium", { hook_program: WHO, hook_authority: WHO }],
    ["a program that may be set", 12, "medium", { hook_authority: WHO }],
    ["a fixed fee of 4.99 %", 0, "medium", { transfer_fee: fee({ bps: 499 }) }],
    ["a fixed fee of 5 %", 8, "medium", { transfer_fee: fee({ bps: 500 }) }],
    ["a fixed fee of 50 %", 60, "critical", { transfer_fee: fee({ bps: 5_000 }) }],
    ["none now, 20 % to come", 35, "medium", { transfer_fee: fee({ next_bps: 2_000, next_epoch: 612 }) }],
    ["a fee that can be set to anything", 18, "medium", { transfer_fee: fee({ authority: WHO }) }],
    [
      "shown balances and a name that can be changed",
      0,
      "medium",
      {
        display_authority: WHO,
        description: { uri: null, is_mutable: true, update_authority: WHO },
      },
    ],
  ] as const
).map(([what, weight, level, traits, more = {}]) => [what, weight, level, traits, more]);

test.each(CASES)("%s takes %i", (_, weight, level, traits, more) => {
  const { risk_overview, alerts } = answered(traits, more);
  expect(risk_overview.security_score).toBe(100 - weight);
  // Below 45 is high; a single finding makes it critical; above, it is medium because nothing was simulated.
  expect(risk_overview.risk_level).toBe(level);
  expect(alerts.length).toBeGreaterThan(0);
  for (const { evidence } of alerts) expect(evidence.length).toBeGreaterThan(0);
});

test("a coin of the registry keeps its alerts, and they weigh nothing", () => {
  const { risk_overview, alerts } = answered({ freeze_authority: WHO, mint_authority: WHO }, { is_listed: true });
  expect([risk_overview.security_score, risk_overview.risk_level]).toEqual([100, "low"]);
  expect(alerts.map(({ code, severity }) => `${code} ${severity}`)).toEqual(["blacklist info", "mintable info"]);
});

test("an unknown value is null and has a reason", () => {
  const holders = { ...CLEAN.holders, count: null, top10_percent_adjusted: null, percentOf: () => null };
  const { ownership, security_flags, unavailable } = answered({}, { holders, creator: null, creator_rugs: null });
  expect("holder_count" in ownership).toBe(false);
  expect(security_flags).toMatchObject({ top10_percent: null, creator_percent: null, metadata_mutable: null });
  const fields = unavailable.map(({ field }) => field);
  for (const name of ["creator_percent", "top10_percent", "lp_burned_percent", "metadata_mutable"])
    expect(fields).toContain(`security_flags.${name}`);
  expect(fields).toEqual(expect.arrayContaining(["ownership.creator", "ownership.owner", "ownership.holder_count"]));
});

test("its own end in a rug is critical, regardless of all other facts and of failed checks", () => {
  const evidence = [{ kind: "tx" as const, ref: "0x01", observed_at: "2026-01-01T00:00:00Z" }];
  const own = { token: TOKEN, cause: "liquidity_removal" as const, evidence };
  const own_end = { outcome: "rugged", is_open: false } as const;
  const creator_rugs = { own_end, own, found: [], tokens_count: 0, gap: null };
  const { risk_overview, alerts } = answered({}, { creator_rugs });
  expect(alerts).toMatchObject([{ code: "rugged", severity: "critical", evidence }]);
  expect(risk_overview).toMatchObject({ risk_level: "critical", security_score: 0 });
  expect(risk_overview.score_range).toEqual({ min: 0, max: 0 });
});

test("the fee is described with its numbers: the current fee, the next fee with its start, and the possible maximum", () => {
  const { alerts } = answered({ transfer_fee: fee({ bps: 800, next_bps: 1_000, next_epoch: 612, authority: WHO }) });
  const said = new Map(alerts.map(({ code, description }) => [code, description]));
  expect(said.get("tax_modifiable")).toBe(
    "The authority may raise the transfer fee to 100 %; it is 8 % now, 10 % from epoch 612.",
  );
  expect(said.get("transfer_fee")).toBe(
    "Every transfer pays a fee to the token, sales and purchases too: 8 % now, 10 % from epoch 612.",
  );
});

const SALE = { from: WHO, to: TOKEN, sent: 1_000n, arrived: 920n, failure: null };
const REFUSED = { ...SALE, arrived: null, failure: "Error processing Instruction 0: custom program error: 0x11" };
const PROGRAMS = { payee: TOKEN, is_programs: true, is_paused: false };

test("a token that no real holder can send after a purchase is a honeypot, and high at least; one of two failing holders does not make it one", () => {
  const all = answered({}, { sends: sendsOf(PROGRAMS, [REFUSED, REFUSED], SALE) });
  expect(all.risk_overview).toMatchObject({ security_score: 0, risk_level: "critical" });
  expect(all.alerts.map(({ code }) => code)).toEqual(["holders_blocked", "honeypot"]);
  const one = answered({}, { sends: sendsOf(PROGRAMS, [REFUSED, SALE], SALE) });
  // Half of them: more than a tenth is high, more than half would be critical.
  expect(one.alerts.map(({ code, severity }) => `${code} ${severity}`)).toEqual(["holders_blocked high"]);
  expect(one.risk_overview.simulation).toMatchObject({ holders_tested: 2, holders_failed: 1 });
  // One alone proves nothing; a pause may end.
  const codes = (sends: PowerFacts["sends"]) => answered({}, { sends }).alerts.map(({ code }) => code);
  expect(codes(sendsOf(PROGRAMS, [REFUSED], SALE))).not.toContain("honeypot");
  expect(codes(sendsOf({ ...PROGRAMS, is_paused: true }, [REFUSED, REFUSED], null))).not.toContain("honeypot");
});

test("a loss on the way to and from a program's account is a tax on trades; between people it is not", () => {
  const half = { ...SALE, arrived: 950n };
  expect(answered({}, { sends: sendsOf(PROGRAMS, [SALE, half], half) }).taxes).toMatchObject({
    buy_tax_percent: 5,
    sell_tax_percent: 8,
  });
  const people = answered({}, { sends: sendsOf({ ...PROGRAMS, is_programs: false }, [SALE], SALE) });
  expect(people.taxes).toMatchObject({ buy_tax_percent: null, sell_tax_percent: null });
  expect(people.unavailable.map(({ field }) => field)).toContain("taxes.sell_tax_percent");
  const unseen = answered({}, { sends: sendsOf(PROGRAMS, [{ ...SALE, arrived: null }], null) });
  expect([unseen.taxes.sell_tax_percent, unseen.risk_overview.simulation.holders_failed]).toEqual([null, 0]);
});
