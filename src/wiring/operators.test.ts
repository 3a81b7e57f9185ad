import { expect, test } from "vitest";
import { settings } from "../config/settings.ts";
import { operatorOf } from "./operators.ts";

test("a rule names a category of the risk model", () => {
  const withRule = (category: string) =>
    operatorOf(settings.parse({ risk_rules: [{ id: "mixers", category, usd: 1_000 }] }), { networks: [] });
  expect(withRule("mixer").risk_rules).toMatchObject([{ id: "mixers", category: "mixer", usd: 1_000, percent: null }]);
  expect(() => withRule("mixr")).toThrow("there is no category 'mixr'; did you mean 'mixer'?");
});
