import { expect, test } from "vitest";
import { riskRule } from "../accounts/risk_rule.ts";
import { settings } from "../config/settings.ts";
import type { RiskRule } from "../lib/risk_rule.ts";
import { operatorOf } from "./operators.ts";

const readerFor = (risk_rules: readonly object[], stored: readonly RiskRule[] = []) =>
  operatorOf(settings.parse({ risk_rules }), {
    networks: [],
    readStoredRules: async () => stored.map((rule) => ({ rule })),
  }).readRiskRules;

test("a rule names a category of the risk model", async () => {
  const withRule = (category: string) => readerFor([{ id: "mixers", category, usd: 1_000 }]);
  expect(await withRule("mixer")()).toMatchObject([
    { id: "mixers", category: "mixer", usd: 1_000, percent: null, source: "file" },
  ]);
  expect(() => withRule("mixr")).toThrow("there is no category 'mixr'; did you mean 'mixer'?");
});

test("rules of the portal apply beside those of the file from the next reading on, also under one id", async () => {
  const stored: RiskRule[] = [];
  const read = readerFor([{ id: "mixers", category: "mixer", usd: 1_000 }], stored);
  const shown = async () => (await read()).map(({ id, usd, source }) => [id, usd, source]);
  expect(await shown()).toEqual([["mixers", 1_000, "file"]]);
  stored.push(riskRule.parse({ id: "mixers", category: "mixer", usd: 5 }));
  // It reaches no figure, so it must not count as a checked rule.
  stored.push(riskRule.parse({ id: "old", category: "of_an_earlier_release", usd: 5 }));
  expect(await shown()).toEqual([
    ["mixers", 1_000, "file"],
    ["mixers", 5, "portal"],
  ]);
});
