import { expect, test } from "vitest";
import type { IndexerStatus } from "../lib/status.ts";
import { pricesText, progressLine } from "./progress.ts";

const status = (facts: Partial<IndexerStatus>): IndexerStatus => ({
  head: 1_000,
  indexed: 1_000,
  lag_blocks: 0,
  from_block: 0,
  state: "backfill",
  blocks_per_second: null,
  remaining_blocks: 0,
  problem: null,
  trouble: null,
  indexed_by: null,
  fills: null,
  priced_share: null,
  derives: false,
  ...facts,
});

test("a quarter of the blocks fills a quarter of the bar, and the rest at the pace is the time left", () => {
  // 250 of 1,000 blocks are there, 750 are missing; 10 a second take 75 s.
  const line = progressLine(
    "demo",
    status({ indexed: 999, from_block: 750, remaining_blocks: 750, blocks_per_second: 10 }),
  );
  expect(line).toBe("demo  [######..................] 250 of 1000 blocks  10 blocks/s  1:15 left");
});

test("a complete range shows a full bar and no time", () => {
  expect(progressLine("demo", status({ indexed: 9 }))).toBe("demo  [########################] 10 of 10 blocks");
});

test("a problem is shown instead of a bar", () => {
  expect(progressLine("demo", status({ problem: "the node is away" }))).toBe("demo  waiting: the node is away");
});

test("prices that are derived again have a bar of their own, and none when all are there", () => {
  const line = progressLine("demo", status({ indexed: 9, priced_share: 0.5 }));
  expect(line).toBe("demo  [########################] 10 of 10 blocks, prices [############............] 50 % derived");
  expect(pricesText({ priced_share: null })).toBe("");
});
