import fc from "fast-check";
import { expect, test } from "vitest";
import { BEHAVIOURS, type BehaviourCode, CATEGORIES } from "./model.ts";
import { type CategoryExposure, levelOf, type ScoreFacts, scoreOf, shareOf } from "./score.ts";

const CLEAN: ScoreFacts = {
  direct: [],
  exposures: [],
  totals: { in: 1_000, out: 1_000 },
  behaviours: [],
  unjudged: [],
  coverage_percent: 100,
  is_cut_off: false,
  unread_usd: 0,
  is_service: false,
};
const score = (facts: Partial<ScoreFacts>) => scoreOf({ ...CLEAN, ...facts }).score;
const mixerIn = (usd: number, hops: number, is_dust = false): CategoryExposure => ({
  ...{ category: "mixer", direction: "in", is_direct: hops === 1, is_dust, usd },
});

test("a wallet without labels, exposure or behaviour scores 0", () => {
  expect(scoreOf(CLEAN)).toMatchObject({ score: 0, level: "low", rule: "formula", categories: [], behaviours: [] });
});

test.each([
  [{}, { min: 0, max: 0 }],
  // 1 - 0.6, and 1 - (1 - 0.6) * (1 - 0.25).
  [{ unjudged: ["deployed_rugged_token"] }, { min: 0, max: 60 }],
  [{ unjudged: ["deployed_rugged_token", "many_unverified_approvals"] }, { min: 0, max: 70 }],
  // A hundredth of the history: the root of 0.01 / 0.25 is 0.2. A quarter counts in full.
  [{ coverage_percent: 99 }, { min: 0, max: 20 }],
  [{ coverage_percent: 75 }, { min: 0, max: 100 }],
  [{ coverage_percent: 49 }, { min: 0, max: 100 }],
  [
    { is_cut_off: true, behaviours: ["peel_chain"] },
    { min: 25, max: 100 },
  ],
  [
    { is_service: true, coverage_percent: 75 },
    { min: 0, max: 30 },
  ],
  [
    { direct: [{ category: "sanctioned", confidence: 1 }], coverage_percent: 1 },
    { min: 100, max: 100 },
  ],
] as const)("the bounds with %o are %o", (facts, range) => {
  expect(scoreOf({ ...CLEAN, ...facts }).range).toEqual(range);
});

test("a tenth of the income from a mixer two steps away is 24", () => {
  // 0.75 * sqrt(0.1 / 0.25) * 0.5 = 0.75 * 0.632456 * 0.5 = 0.237171
  const found = scoreOf({ ...CLEAN, exposures: [mixerIn(100, 2)] });
  expect(found.categories).toEqual([{ code: "mixer", x: expect.closeTo(0.237171, 6) }]);
  expect(found.score).toBe(24);
});

test("tracing that was cut off gives no score, whatever it found; a sanctioned wallet stays sanctioned", () => {
  expect(scoreOf({ ...CLEAN, is_cut_off: true })).toMatchObject({ score: null, level: "unknown", rule: "cut_off" });
  expect(score({ is_cut_off: true, is_service: true })).toBeNull();
  expect(score({ is_cut_off: true, direct: [{ category: "sanctioned", confidence: 1 }] })).toBe(100);
});

test.each([
  // A quarter and more counts in full: 0.75.
  [250, 1, 75],
  [1_000, 1, 75],
  // Indirect exposure counts half: 0.375 -> 37.5 rounds up; at any distance.
  [250, 2, 38],
  [250, 3, 38],
  [1_000, 14, 38],
])("%s of 1000 USD from a mixer at distance %s is %s", (usd, hops, expected) => {
  expect(score({ exposures: [mixerIn(usd, hops)] })).toBe(expected);
});

test("dust counts a quarter, whatever its share", () => {
  // 0.75 * 0.25 = 0.1875 directly, and half of it indirectly: 0.09375.
  expect(score({ exposures: [mixerIn(1_000, 1, true)] })).toBe(19);
  expect(score({ exposures: [mixerIn(1_000, 2, true)] })).toBe(9);
});

test("money paid to a mixer weighs four fifths of money that came from it", () => {
  // 0.75 * 0.8 = 0.6
  expect(score({ exposures: [{ ...mixerIn(1_000, 1), direction: "out" }] })).toBe(60);
});

test("only the heaviest sign of a category counts, different categories add up", () => {
  // 0.75 once, regardless of more signs of the mixer.
  expect(
    score({ exposures: [mixerIn(500, 1), mixerIn(500, 2)], direct: [{ category: "mixer", confidence: 0.5 }] }),
  ).toBe(75);
  // 1 - (1 - 0.75) * (1 - 0.3) = 0.825
  const gambling: CategoryExposure = { ...mixerIn(250, 1), category: "gambling" };
  expect(score({ exposures: [mixerIn(250, 1), gambling] })).toBe(83);
  // 1 - (1 - 0.75) * (1 - 0.25) * (1 - 0.6) = 0.925
  expect(score({ exposures: [mixerIn(250, 1)], behaviours: ["pass_through", "deployed_rugged_token"] })).toBe(93);
});

test("a label weighs as much as its confidence", () => {
  // 0.75 * 0.8
  expect(score({ direct: [{ category: "phishing_or_scam", confidence: 0.8 }] })).toBe(60);
});

test("clean volume cannot dilute a large sum away, and an empty total has no share", () => {
  // A millionth of the volume, but a quarter of a million dollars.
  expect(shareOf(250_000, 250_000_000_000)).toBe(0.25);
  expect(shareOf(2_000_000, 4_000_000_000)).toBe(1);
  expect(shareOf(10, 100)).toBe(0.1);
  expect(shareOf(0, 0)).toBe(0);
});

test("a sanctioned wallet scores 100, before every other rule", () => {
  const facts = { direct: [{ category: "sanctioned", confidence: 1 }], is_service: true, coverage_percent: 1 } as const;
  expect(scoreOf({ ...CLEAN, ...facts })).toMatchObject({
    score: 100,
    level: "severe",
    rule: "sanctioned",
    service_address: false,
  });
});

test("a frozen wallet scores at least 91, whatever is known of the rest", () => {
  const direct = [{ category: "issuer_frozen", confidence: 1 }] as const;
  // 0.95 by itself; a label of half the confidence would be 48.
  expect(scoreOf({ ...CLEAN, direct, coverage_percent: 1 })).toMatchObject({ score: 95, rule: "frozen" });
  const half = [{ category: "issuer_frozen", confidence: 0.9 }] as const;
  expect(scoreOf({ ...CLEAN, direct: half })).toMatchObject({ score: 91, rule: "frozen" });
});

test("less than half of the history has no score, half of it has one", () => {
  const exposures = [mixerIn(1_000, 1)];
  expect(scoreOf({ ...CLEAN, exposures, coverage_percent: 49.9 })).toMatchObject({
    score: null,
    level: "unknown",
    rule: "coverage",
  });
  expect(score({ exposures, coverage_percent: 50 })).toBe(75);
});

test("a service is capped at 30 and says so; a service with a hit of its own is not", () => {
  const exposures = [mixerIn(1_000, 1)];
  expect(scoreOf({ ...CLEAN, exposures, is_service: true })).toMatchObject({
    score: 30,
    level: "low",
    rule: "service",
    service_address: true,
  });
  expect(score({ is_service: true })).toBe(0);
  const direct = [{ category: "gambling", confidence: 1 }] as const;
  expect(scoreOf({ ...CLEAN, exposures, direct, is_service: true })).toMatchObject({
    service_address: false,
    rule: "formula",
  });
});

test("levels end where compliance users expect them to", () => {
  expect([0, 30, 31, 70, 71, 90, 91, 100].map(levelOf)).toEqual(
    "low low moderate moderate high high severe severe".split(" "),
  );
});

const exposures = fc.array(
  fc.record({
    category: fc.constantFrom(...CATEGORIES.map(({ category }) => category)),
    direction: fc.constantFrom("in" as const, "out" as const),
    is_direct: fc.boolean(),
    is_dust: fc.boolean(),
    usd: fc.double({ min: 0, max: 1e7, noNaN: true }),
  }),
  { maxLength: 8 },
);
// The keys of BEHAVIOURS are the codes.
const behaviours = fc.subarray(Object.keys(BEHAVIOURS) as BehaviourCode[]);

test("the score is whole, between 0 and 100, the same in any order, and never falls when a fact is added", () => {
  fc.assert(
    fc.property(exposures, behaviours, fc.double({ min: 0, max: 1e7, noNaN: true }), (found, codes, total) => {
      const facts = { ...CLEAN, exposures: found, behaviours: codes, totals: { in: total, out: total } };
      const all = score(facts) ?? Number.NaN;
      expect(Number.isInteger(all) && all >= 0 && all <= 100).toBe(true);
      expect(score({ ...facts, exposures: [...found].reverse(), behaviours: [...codes].reverse() })).toBe(all);
      expect(score({ ...facts, exposures: found.slice(1), behaviours: codes.slice(1) })).toBeLessThanOrEqual(all);
    }),
  );
});

test("value at addresses that are not read withholds a score that could be worse", () => {
  // Half of the value: an indirect exposure of more than a quarter counts half.
  expect(scoreOf({ ...CLEAN, unread_usd: 500 })).toMatchObject({
    ...{ score: null, level: "unknown", rule: "unread", range: { min: 0, max: 50 } },
  });
  // 1 % of 1,000: half of the root of 0.04.
  expect(scoreOf({ ...CLEAN, unread_usd: 10 })).toMatchObject({ score: 0, level: "low", range: { min: 0, max: 10 } });
  // A mixer's direct 750 of 1,000 are 75 points: high, whatever follows.
  const found = scoreOf({ ...CLEAN, exposures: [mixerIn(750, 1)], unread_usd: 500 });
  expect(found).toMatchObject({ score: 75, level: "high", range: { min: 75, max: 88 } });
});
