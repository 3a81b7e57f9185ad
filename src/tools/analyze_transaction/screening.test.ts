import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bareTransaction, seenTransaction } from "../../../test/activity_scenario.ts";
import type { TestFacts } from "../../../test/facts_store.ts";
import type { FixedState } from "../../../test/fixed_chain.ts";
import {
  analyzeStory,
  CLEAN,
  DAI,
  DEPOSIT,
  DILUTED,
  FRIEND,
  hashOf,
  LISTED,
  MIXER,
  openScreeningStory,
  POOL,
  type ScreeningCase,
  SWAPPER,
  seenOf,
  TRANSACTIONS,
  USDC,
} from "../../../test/screening_scenario.ts";
import type { SourcedRule } from "../../lib/risk_rule.ts";
import { analyzeTransaction } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openScreeningStory();
});
afterAll(() => store.close());

const answerOf = async (asked: ScreeningCase) => {
  const outcome = await analyzeStory(store, asked);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return analyzeTransaction.output.parse(outcome.data);
};

const screened = async (asked: ScreeningCase) => {
  const { screening } = await answerOf({ asset: `0x${USDC}`, direction: "in", ...asked });
  if (screening === undefined) throw new Error("the answer has no screening");
  return screening;
};

const codes = ({ reasons }: { readonly reasons: readonly { readonly code: string }[] }) =>
  reasons.map(({ code }) => code);
/** Gaps that withhold a verdict. */
const gaps = ({ unavailable }: { readonly unavailable: readonly { field: string; reason: string }[] }) =>
  unavailable.flatMap(({ field, reason }) => (field === "verdict" ? [reason] : []));

describe("a deposit", () => {
  test("has the part of the sender's pool that came from a mixer, as of the block, with its path", async () => {
    // 400 of 1,600 came from the mixer: a quarter of 800. The 9,000 of block 107 came later.
    // 0.75 * sqrt(0.25 / 0.25) * 0.5 = 37.5
    const found = await screened({ at: [102, 0] });
    expect(found).toMatchObject({
      ...{ verdict: "review", as_of_block: 102, usd: 800, risk_score: 38, risk_level: "moderate" },
      transfers: [{ index: 0, amount: 800, usd_value: 800, to: `0x${DEPOSIT}` }],
      counterparties: [
        // The sender itself: 0.75 * sqrt((400 / 1600) / 0.25)
        { address: `0x${DILUTED}`, role: "principal", risk_score: 75, risk_level: "high", coverage_percent: 100 },
      ],
      exposure: [
        { category: "mixer", direct_usd: 0, direct_percent: 0, indirect_usd: 200, indirect_percent: 25, min_hops: 2 },
      ],
      // The exchange's three quarters end there.
      origin: { followed_usd: 200, stopped_at_services_usd: 600, bridge_unmatched_usd: 0, not_followed_usd: 0 },
      lists: [{ id: "sanctions/authority", version: "v7", updated_at: "2026-08-01T00:00:00Z" }],
    });
    expect(found.exposure[0]?.sources[0]?.path).toMatchObject([
      { address: `0x${MIXER}`, tx_hash: `0x${hashOf(101, 1)}` },
      { address: `0x${DILUTED}`, tx_hash: `0x${hashOf(102, 0)}` },
    ]);
    expect(codes(found)).toEqual(["counterparty_risk", "transfer_risk"]);
    expect(gaps(found)).toEqual([]);
  });

  test("mixes by the method of the call: pro rata, first in first out, or tainted in full", async () => {
    // The sender got 1,200 from an exchange, then 400 from the mixer, and pays 800.
    // haircut: 800 * 400 / 1,600 = 200. fifo: all 800 are of the first 1,200. poison: all 800 are tainted.
    const by = async (method: "haircut" | "fifo" | "poison") => {
      const { exposure, ...found } = await screened({ at: [102, 0], method });
      const { model, tracing } = found;
      expect([found.method, model, tracing?.method]).toEqual([method, "risk/wallet@2", expect.stringMatching(method)]);
      const [{ indirect_usd = null, indirect_percent = null } = {}] = exposure;
      return { indirect_usd, indirect_percent, risk_score: found.risk_score, codes: codes(found) };
    };
    // 0.75 * sqrt(0.25 / 0.25) * 0.5 = 37.5; a larger share than a quarter counts as a quarter.
    const transfer_risk = ["counterparty_risk", "transfer_risk"];
    expect(await by("haircut")).toEqual({
      ...{ indirect_usd: 200, indirect_percent: 25, risk_score: 38, codes: transfer_risk },
    });
    // Its direct receipt from the mixer is the same by every method.
    expect(await by("fifo")).toEqual({
      ...{ indirect_usd: null, indirect_percent: null, risk_score: 0, codes: ["counterparty_risk"] },
    });
    expect(await by("poison")).toEqual({
      ...{ indirect_usd: 800, indirect_percent: 100, risk_score: 38, codes: transfer_risk },
    });
  });

  test("is not washed by clean money of another asset", async () => {
    // All 1,000 USDC are stolen; the sender's 90,000 DAI are another pool. 0.9 * 0.5 = 45
    const found = await screened({ at: [103, 0] });
    expect(found).toMatchObject({ verdict: "review", risk_score: 45 });
    expect(found.exposure).toMatchObject([
      { category: "theft_or_exploit", indirect_usd: 1_000, indirect_percent: 100 },
    ]);
    // The wallet: 0.9 * sqrt((1,000 / 91,000) / 0.25) = 0.1887
    expect(found.counterparties).toMatchObject([{ risk_score: 19, risk_level: "low" }]);
    expect(codes(found)).toEqual(["transfer_risk"]);
  });

  test("of money that an exchange paid is clear, with the lists and what no list names", async () => {
    const found = await screened({ at: [104, 0] });
    expect(found).toMatchObject({ verdict: "clear", reasons: [], risk_score: 0, exposure: [], rules_fired: [] });
    expect(found.origin).toEqual({
      followed_usd: 0,
      stopped_at_services_usd: 500,
      bridge_unmatched_usd: 0,
      not_followed_usd: 0,
    });
    expect(found.unavailable).toMatchObject([{ field: "categories", reason: expect.stringContaining("ransomware") }]);
  });

  test("of a sanctioned sender is blocked, and is direct exposure in full", async () => {
    const found = await screened({ at: [104, 1] });
    expect(found).toMatchObject({
      verdict: "blocked",
      risk_score: 100,
      exposure: [{ category: "sanctioned", direct_usd: 70, direct_percent: 100, indirect_usd: 0, min_hops: 1 }],
    });
    expect(found.reasons[0]).toMatchObject({
      code: "sanctioned",
      address: `0x${LISTED}`,
      evidence: [{ kind: "list", ref: "authority@v7", observed_at: "2024-01-02T00:00:00Z" }],
    });
  });

  test("that a venue exchanged in the transaction is judged by who gave the other asset", async () => {
    // All of it is the mixer's. 0.75 * 0.5
    const found = await screened({ at: [105, 0], asset: `0x${DAI}` });
    expect(found.counterparties.map(({ address, role }) => [address, role])).toEqual([
      [`0x${SWAPPER}`, "principal"],
      [`0x${POOL}`, "intermediary"],
    ]);
    expect(found).toMatchObject({ verdict: "review", risk_score: 38, exposure: [{ indirect_usd: 1_000 }] });
  });

  test("without a known origin is not clear", async () => {
    const found = await screened({ at: [106, 2] });
    expect(found).toMatchObject({ verdict: null, reasons: [], origin: { not_followed_usd: 40 } });
    expect(gaps(found)).toEqual(["40.00 of 40.00 USD could not be followed to an origin"]);
  });
});

describe("a withdrawal", () => {
  test("to a sanctioned receiver is blocked", async () => {
    const found = await screened({ at: [106, 0], direction: "out" });
    expect(found).toMatchObject({
      ...{ verdict: "blocked", usd: 300, origin: null },
      counterparties: [{ address: `0x${LISTED}`, categories: ["sanctioned"], risk_score: 100 }],
      exposure: [{ category: "sanctioned", direct_usd: 300, direct_percent: 100, indirect_usd: null }],
    });
    expect(codes(found)).toContain("sanctioned");
  });

  test("to several receivers is as bad as the worst, with its part", async () => {
    const found = await screened({ at: [106, 1], direction: "out" });
    expect(found.transfers.map(({ to, amount }) => [to, amount])).toEqual([
      [`0x${FRIEND}`, 100],
      [`0x${LISTED}`, 50],
    ]);
    // 50 of 150
    expect(found).toMatchObject({ verdict: "blocked", exposure: [{ category: "sanctioned", direct_usd: 50 }] });
    expect(found.exposure[0]?.direct_percent).toBeCloseTo(100 / 3, 6);
    expect(found.reasons.filter(({ code }) => code === "sanctioned")).toMatchObject([{ address: `0x${LISTED}` }]);
  });
});

const rule = (change: Partial<SourcedRule>): SourcedRule => ({
  ...{ id: "r", source: "portal", category: "mixer", exposure: "indirect", direction: "in", usd: null, percent: null },
  ...change,
});

test("a rule of the operator fires on the transfer's own exposure, or on the sender's", async () => {
  // The transfer: 200 USD and 25 % indirect. The sender: 400 USD direct.
  const rules = [
    rule({ id: "reached", usd: 200, percent: 25 }),
    rule({ id: "above", usd: 201 }),
    rule({ id: "of sender", exposure: "direct", usd: 400 }),
  ];
  const found = await screened({ at: [102, 0], rules });
  expect(found).toMatchObject({ rules_checked: 3 });
  expect(found.rules_fired.map(({ id, address, usd, percent }) => [id, address, usd, percent])).toEqual([
    ["reached", null, 200, 25],
    ["of sender", `0x${DILUTED}`, 400, 25],
  ]);
  expect(codes(found)).toEqual(["counterparty_risk", "rule_fired", "transfer_risk", "rule_fired"]);
});

test("a rule alone makes a review of a deposit that is clear otherwise", async () => {
  const strict = rule({ category: "theft_or_exploit", usd: 1 });
  expect(await screened({ at: [103, 0], rules: [strict] })).toMatchObject({ rules_fired: [{ usd: 1_000 }] });
  expect((await screened({ at: [104, 0], rules: [strict] })).verdict).toBe("clear");
});

describe("the unknown is never clear:", () => {
  const clean = [104, 0] as const;
  const change = (state: object) => ({ transactions: { [hashOf(...clean)]: state } }) as FixedState;
  const entry = TRANSACTIONS.find(([block, index]) => block === 104 && index === 0);
  if (entry === undefined) throw new Error("the clean deposit");

  test("an asset that the transaction does not transfer", async () => {
    const found = await screened({ at: clean, asset: `0x${DAI}` });
    expect(found).toMatchObject({ verdict: null, transfers: [], counterparties: [], risk_score: null, usd: null });
    expect(gaps(found)).toEqual(["the transaction transfers nothing of the asset"]);
    expect(gaps(await screened({ at: clean, asset: "native" }))).toHaveLength(1);
  });

  test("a failed and a pending transaction", async () => {
    const failed = await screened({ at: clean, state: change(seenOf(entry, { succeeded: false })) });
    expect(failed).toMatchObject({ verdict: null, as_of_block: 104 });
    expect(gaps(failed)).toEqual(["the transaction failed: nothing was transferred"]);
    const pending = await screened({ at: clean, state: change(seenTransaction(null, bareTransaction({}))) });
    expect(pending).toMatchObject({ verdict: null, as_of_block: null });
    expect(gaps(pending)).toEqual(["the transaction is pending: nothing has been transferred"]);
  });

  test("a history of which the beginning is not indexed", async () => {
    // The index of `late` begins at block 100; the sender made 2 transactions and the index has 1.
    const state = { accounts: { [CLEAN]: { nonce: 2 } } };
    const found = await screened({ at: clean, network: "late", state });
    expect(found).toMatchObject({ verdict: null, coverage_percent: 50 });
    expect(gaps(found)[0]).toBe(`only 50 % of the history of 0x${CLEAN} is indexed`);
    // A finding stays a finding.
    expect(await screened({ at: [104, 1], network: "late" })).toMatchObject({ verdict: "blocked" });
  });

  test("a sanctions list that is too old", async () => {
    const found = await screened({ at: clean, age_hours: 200 });
    expect(found.verdict).toBe(null);
    expect(gaps(found)).toEqual([expect.stringContaining("older than 168 hours")]);
  });

  test("a block that is not indexed", async () => {
    const later: typeof entry = [120, entry[1], entry[2]];
    const found = await screened({ at: clean, state: change(seenOf(later)) });
    expect(found).toMatchObject({ verdict: null, as_of_block: 120, counterparties: [] });
    expect(gaps(found)[0]).toMatch(/120/);
  });
});

test("an asset requires a network, and without an asset the answer has no screening", async () => {
  const checked = (asked: object) =>
    analyzeTransaction.check?.(analyzeTransaction.input.parse({ tx_hash: `0x${hashOf(104, 0)}`, ...asked }), {
      networks: ["demo"],
      today: "2026-01-01",
    });
  expect(checked({ asset: "native" })).toContain("single network");
  expect(checked({ asset: "native", network: "demo" })).toBe(null);
  expect(checked({ asset: "native", direction: "in", network: "demo" })).toBe(null);
  expect(await answerOf({ at: [104, 0] })).not.toHaveProperty("screening");
});
