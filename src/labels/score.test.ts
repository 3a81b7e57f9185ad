import { expect, test } from "vitest";
import { hex } from "../lib/bytes.ts";
import { type RuledLabel, type ScoredLabel, scoreLabels } from "./score.ts";

const at = (n: number) => hex(n.toString(16).padStart(40, "0"));
const said = (n: number, category: string, entity = "Bourse", network = "demo"): ScoredLabel => {
  return { network, address: at(n), category, entity };
};
const seen = (...numbers: readonly number[]) => new Set(numbers.map((n) => `demo ${at(n)}`));
const by = (derived: readonly ScoredLabel[], rule = "sweeps"): readonly RuledLabel[] =>
  derived.map((label) => ({ ...label, rule }));
const scored = (derived: readonly ScoredLabel[], truth: readonly ScoredLabel[], active = seen(1, 2, 3, 4)) =>
  scoreLabels(["deposit"], { derived: by(derived), truth, active }).filter(({ rule }) => rule === null);

test("precision covers listed addresses, and all; recall covers addresses with movements", () => {
  // Derived 1, 2, 3 and 9. True 1, 2, 4 and 5, of which 5 never moved; 3 is a shop; 9 is in no list. 2 has another
  // owner.
  const derived = [said(1, "deposit"), said(2, "deposit", "Other"), said(3, "deposit"), said(9, "deposit")];
  const truth = [...[1, 2, 4, 5].map((n) => said(n, "deposit", "BOURSE")), said(3, "payment", "Shop")];
  expect(scored(derived, truth)).toEqual([
    {
      ...{ network: "demo", category: "deposit", rule: null, true_count: 4, active_count: 3, derived_count: 4 },
      ...{ matched_count: 2, named_count: 1, contradicted_count: 1 },
      // 2 of 3; 2 of 4; 2 of 3; 1 of 3.
      ...{ precision_percent: 66.67, precision_of_all_percent: 50, recall_percent: 66.67, named_recall_percent: 33.33 },
    },
  ]);
});

test("a figure without a denominator is null", () => {
  expect(scored([], [said(5, "deposit")])).toMatchObject([
    { precision_percent: null, precision_of_all_percent: null, recall_percent: null, named_recall_percent: null },
  ]);
  expect(scored([said(1, "deposit")], [])).toEqual([]);
});

test("a list of another network does not affect this one, and a list without an owner contradicts none", () => {
  const derived = [said(1, "deposit")];
  expect(scored(derived, [said(1, "deposit", "Bourse", "other")])).toMatchObject([
    { network: "other", derived_count: 0 },
  ]);
  expect(scored(derived, [said(1, "deposit", "")])).toMatchObject([{ named_count: 1, recall_percent: 100 }]);
});

test("each rule is also scored alone, against all true labels", () => {
  // One rule finds 1 and 3, of which 3 is a shop; another finds 2. True and active: 1, 2 and 4.
  const derived = [...by([said(1, "deposit"), said(3, "deposit")]), ...by([said(2, "deposit")], "siblings")];
  const truth = [...[1, 2, 4].map((n) => said(n, "deposit")), said(3, "payment", "Shop")];
  const scores = scoreLabels(["deposit"], { derived, truth, active: seen(1, 2, 3, 4) });
  expect(scores.map((one) => [one.rule, one.derived_count, one.precision_percent, one.recall_percent])).toEqual([
    [null, 3, 66.67, 66.67],
    ["siblings", 1, 100, 33.33],
    ["sweeps", 2, 50, 33.33],
  ]);
});
