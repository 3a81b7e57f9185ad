import { expect, test } from "vitest";
import { type DeveloperFindings, riskLevel } from "./verdict.ts";

const CLEAN: DeveloperFindings<never> = {
  history: { rugged: 0, dead: 0, alive: 1, rug_rate_percent: 0, tokens: [] },
  outcome: "alive",
  holdings: { linked_percent: 1 },
  developer_actions: { lp_status: "burned", mint_after_launch_raw: "0" },
  is_history_whole: true,
};
const levelOf = (more: Partial<DeveloperFindings<never>>) => riskLevel({ ...CLEAN, ...more });

test.each([
  ["alive", "low"],
  ["dead", "low"],
  ["rugged", "critical"],
  ["drained", "high"],
  ["counterfeit", "high"],
] as const)("the developer of a token that is %s is at least %s", (outcome, level) => {
  expect(levelOf({ outcome })).toBe(level);
});

test("an outcome never lowers what the record shows", () => {
  const holdings = { linked_percent: 60 };
  const developer_actions = { ...CLEAN.developer_actions, lp_status: "held" };
  expect(levelOf({ outcome: "drained", holdings, developer_actions })).toBe("critical");
});

test("an unknown history or share leaves the level unknown, unless what is known is bad", () => {
  expect(levelOf({ is_history_whole: false })).toBe("unknown");
  expect(levelOf({ holdings: { linked_percent: null } })).toBe("unknown");
  const history = { ...CLEAN.history, rugged: 1 };
  expect(levelOf({ history, holdings: { linked_percent: null }, is_history_whole: false })).toBe("high");
});
