import { describe, expect, test } from "vitest";
import { diceOf } from "../../../../test/random.ts";
import {
  SEVERITIES,
  type TokenRiskLevel,
  type UnknownTrait,
  type VerdictFacts,
  verdictOf,
  type WeighedTrait,
} from "./verdict.ts";

const CHECKED: VerdictFacts = {
  ...{ findings: [], unknown: [], outcome: "alive" },
  ...{ has_simulation: true, has_scan: true, is_listed: false },
};
const judged = (more: Partial<VerdictFacts>) => verdictOf({ ...CHECKED, ...more });
const medium = (weight: number): WeighedTrait => ({ severity: "medium", weight });
const unknown = (weight: number, more: Partial<UnknownTrait> = {}): UnknownTrait => ({
  ...{ code: "concentrated", severity: "high", weight, by_index: true },
  ...more,
});

describe("a score", () => {
  test("is the lower bound: an unknown trait counts as bad, and the range shows the upper one", () => {
    // 100 - 12 = 88; 88 - 30 = 58.
    const verdict = judged({ findings: [medium(12)], unknown: [unknown(30)] });
    expect(verdict).toEqual({ level: "medium", score: 58, score_range: { min: 58, max: 88 }, level_gap: null });
  });

  test("without unknown traits has equal bounds", () => {
    expect(judged({ findings: [medium(12)] })).toMatchObject({ score: 88, score_range: { min: 88, max: 88 } });
  });
});

describe("a level", () => {
  test("is withheld from 31 unknown points on, with the traits as its reason", () => {
    expect(judged({ unknown: [unknown(30)] }).level).toBe("medium");
    expect(judged({ unknown: [unknown(31, { code: "creator_history" })] })).toEqual({
      ...{ level: "unknown", score: 69, score_range: { min: 69, max: 100 } },
      level_gap: "31 points of the score are unknown (creator_history), and a level allows 30",
    });
  });

  test("is not withheld where the findings alone make it critical", () => {
    const findings = [{ severity: "critical", weight: 35 }] as const;
    expect(judged({ findings, unknown: [unknown(60)] }).level).toBe("critical");
  });

  test("is high at least where the findings make it so, unless a whole index could make it critical", () => {
    const rugged = { code: "rugged", severity: "critical" } as const;
    const findings = [medium(56)];
    expect(judged({ findings, unknown: [unknown(44)] }).level).toBe("high");
    expect(judged({ findings, unknown: [unknown(44, { ...rugged, by_index: false })] }).level).toBe("high");
    expect(judged({ findings, unknown: [unknown(44, rugged)] }).level).toBe("unknown");
  });

  test.each([
    ["rugged", "critical"],
    ["drained", "high"],
    ["counterfeit", "high"],
    ["dead", "low"],
    [null, "low"],
  ] as const)("of a token that is %s is at least %s", (outcome, level) => {
    expect(judged({ outcome }).level).toBe(level);
    const unread = judged({ outcome, has_simulation: false, has_scan: false });
    expect(unread).toMatchObject({ level: level === "low" ? "unknown" : level, score: null, score_range: null });
  });
});

const RANK: readonly TokenRiskLevel[] = ["low", "medium", "high", "critical", "unknown"];

test("a token of which less is known never scores better, nor has a better level", () => {
  const dice = diceOf(7);
  for (let round = 0; round < 2_000; round += 1) {
    const traits = Array.from({ length: 6 }, (_, i) => ({
      ...{ code: `${i}`, severity: SEVERITIES[dice(5)] ?? "info", weight: dice(45), by_index: true },
      is_so: dice(2) === 0,
      is_seen: dice(3) > 0,
    }));
    const whole = judged({ findings: traits.filter(({ is_so }) => is_so) });
    const part = judged({
      findings: traits.filter(({ is_so, is_seen }) => is_so && is_seen),
      unknown: traits.filter(({ is_seen }) => !is_seen),
    });
    expect(part.score ?? 0).toBeLessThanOrEqual(whole.score ?? 0);
    expect(part.score_range?.max ?? 0).toBeGreaterThanOrEqual(whole.score ?? 0);
    expect(RANK.indexOf(part.level)).toBeGreaterThanOrEqual(RANK.indexOf(whole.level));
  }
});
