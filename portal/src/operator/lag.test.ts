import { expect, test } from "vitest";
import { lagText } from "./lag.ts";

const at = "2026-11-29T10:00:00Z";
const textOf = (samples: Parameters<typeof lagText>[0]) => lagText(samples, (time) => time.slice(11, 16));
const sample = (lag_blocks: number | null, lag_cause: string) => ({ at, lag_blocks, lag_seconds: null, lag_cause });

test("states that answers included the newest block only where every sample says so", () => {
  expect(textOf([sample(0, "none"), sample(0, "none")])).toBe(
    "Answers included the newest block in every sample of this time.",
  );
  // The head of a node that does not answer is an old one, or none: no lag is known.
  const away = [sample(0, "none"), sample(0, "problem"), sample(null, "problem")];
  expect(textOf(away)).toMatch(/^Answers included the newest block in all other samples\. Unknown in 2 of 3 samples/);
  expect(textOf([sample(null, "unknown")])).toMatch(/^The lag is unknown\. Unknown in 1 of 1/);
  expect(textOf([])).toBe("No minute was sampled in this time.");
});

test("states the largest known lag beside unknown ones", () => {
  const text = textOf([sample(3, "reading"), sample(7, "rate_limit"), sample(null, "problem")]);
  expect(text).toMatch(/^At most 7 blocks behind, at 10:00: /);
  expect(text).toContain("rate limit");
  expect(text).toContain("Unknown in 1 of 3 samples");
});
