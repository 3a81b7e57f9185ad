import { expect, test } from "vitest";
import type { Gap } from "../store/gaps.ts";
import { gapFigures } from "./figures.ts";

const gap = (kind: Gap["kind"], from_block: number, to_block: number, state: Gap["state"] = "open"): Gap => ({
  ...{ kind, from_block, to_block, state, check_name: null, reason: null },
  ...{ endpoints: null, attempts: null, first_asked_ms: null, last_asked_ms: null },
});

test("gaps are counted by kind, accepted gaps separately, and a kind without any is 0", () => {
  const gaps = [gap("traces", 5, 9), gap("traces", 20, 20), gap("refused", 7, 7, "accepted")];
  expect(gapFigures(gaps)).toEqual({
    traces: { ranges: 2, blocks: 6 },
    refused: { ranges: 0, blocks: 0 },
    refused_accepted: { ranges: 1, blocks: 1 },
  });
});
