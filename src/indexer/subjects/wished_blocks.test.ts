import { expect, test } from "vitest";
import { silentLog } from "../../lib/log.ts";
import type { SubjectOptions } from "./subject_history.ts";
import { WishedBlocks } from "./wished_blocks.ts";

/** Wishes of a network whose first block is 10. */
const wishing = (blocks: readonly number[]) => {
  const engine = { query: async () => blocks.map((block) => [block]) };
  const chain = { network: { id: "demand" } };
  // Only these parts are used.
  const parts = { engine, chain, from_block: 10, now_ms: () => 0, log: silentLog } as unknown as SubjectOptions;
  return new WishedBlocks(parts);
};

const NOTHING: ReadonlySet<number> = new Set();

test("gives blocks that are final, belong to the network and are not stored", async () => {
  const wished = wishing([9, 10, 11, 12, 20, 21]);
  expect(await wished.next(new Set([11]), 20, 8)).toEqual([10, 12, 20]);
  expect(await wished.next(NOTHING, 20, 2)).toEqual([10, 11]);
});

test("after a failure of several it gives one at a time, and one that fails alone rests", async () => {
  const wished = wishing([10, 11, 12]);
  expect(await wished.next(NOTHING, 20, 8)).toEqual([10, 11, 12]);
  await wished.failed(new Error("no node"));
  expect(await wished.next(NOTHING, 20, 8)).toEqual([10]);
  await wished.failed(new Error("no node"));
  expect(await wished.next(NOTHING, 20, 8)).toEqual([11]);
  expect(await wished.next(new Set([11]), 20, 8)).toEqual([12]);
  // Block 10 alone is left, and rests.
  expect(await wished.next(new Set([11, 12]), 20, 8)).toEqual([]);
});

test("when nothing is open, blocks are given together again", async () => {
  const wished = wishing([10, 11]);
  await wished.next(NOTHING, 20, 8);
  await wished.failed(new Error("no node"));
  expect(await wished.next(new Set([10, 11]), 20, 8)).toEqual([]);
  expect(await wished.next(NOTHING, 20, 8)).toEqual([10, 11]);
});
