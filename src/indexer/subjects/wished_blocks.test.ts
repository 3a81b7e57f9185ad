import { expect, test } from "vitest";
import { silentLog } from "../../lib/log.ts";
import type { SubjectOptions } from "./subject_history.ts";
import { WishedBlocks } from "./wished_blocks.ts";

/** Wishes of a network whose first block is 10. */
const wishing = (blocks: readonly number[]) => {
  // The query leaves out blocks that are stored (records.test.ts).
  const open = new Set(blocks);
  const engine = { query: async () => [...open].map((block) => [block]) };
  const chain = { network: { id: "demand" } };
  // Only these parts are used.
  const parts = { engine, chain, from_block: 10, now_ms: () => 0, log: silentLog } as unknown as SubjectOptions;
  const wished = new WishedBlocks(parts);
  return { wished, open };
};

test("gives blocks that are final and belong to the network", async () => {
  const { wished } = wishing([9, 10, 11, 12, 20, 21]);
  expect(await wished.next(20, 8)).toEqual([10, 11, 12, 20]);
  expect(await wished.next(20, 2)).toEqual([10, 11]);
});

test("after a failure of several it gives one at a time, and one that fails alone rests", async () => {
  const { wished, open } = wishing([10, 11, 12]);
  expect(await wished.next(20, 8)).toEqual([10, 11, 12]);
  await wished.failed(new Error("no node"));
  expect(await wished.next(20, 8)).toEqual([10]);
  await wished.failed(new Error("no node"));
  expect(await wished.next(20, 8)).toEqual([11]);
  open.delete(11);
  expect(await wished.next(20, 8)).toEqual([12]);
  open.delete(12);
  // Block 10 alone is left, and rests.
  expect(await wished.next(20, 8)).toEqual([]);
});

test("when nothing is open, blocks are given together again", async () => {
  const { wished, open } = wishing([10, 11]);
  await wished.next(20, 8);
  await wished.failed(new Error("no node"));
  open.clear();
  expect(await wished.next(20, 8)).toEqual([]);
  open.add(10).add(11);
  expect(await wished.next(20, 8)).toEqual([10, 11]);
});
