import { expect, test } from "vitest";
import { riskRulesSettings } from "./risk_rules.ts";

test("a rule needs a limit, and fills in what it leaves out", () => {
  expect(riskRulesSettings.parse([{ id: "mixers", category: "mixer", percent: 5 }])).toEqual([
    { id: "mixers", category: "mixer", exposure: "any", direction: "any", usd: null, percent: 5 },
  ]);
  const faults = (rules: unknown) => riskRulesSettings.safeParse(rules).error?.issues.map(({ message }) => message);
  expect(faults([{ id: "mixers", category: "mixer" }])).toEqual(["a rule needs `usd` or `percent`"]);
  const twice = { id: "a", category: "mixer", usd: 1 };
  expect(faults([twice, twice])).toEqual(["two rules have one id"]);
});
