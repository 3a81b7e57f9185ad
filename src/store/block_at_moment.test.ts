import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, seedUpTo, type TestFacts } from "../../test/facts_store.ts";

/** Blocks of twelve seconds, so block n is made at T0 + 12 n. */
const T0 = 1_700_000_000;
const at = (seconds: number) => ({ text: "the moment", until: T0 + seconds });

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedUpTo(store, { network: "whole", from: 0, final: 20, head: 30, time: T0, block_s: 12 }, {});
  // Blocks 10 to 19 and 30 to 39 of a chain that is wanted from block 10; 20 to 29 are a hole.
  await store.seed({ network: "holed", from: 10, to: 19, first: 10, time: T0 + 120 }, {});
  await store.seed({ network: "holed", from: 30, to: 39, first: 10, time: T0 + 360 }, {});
  // Ten blocks of one second.
  await store.seed({ network: "fast", from: 0, to: 9, first: 0, time: T0, block_s: 0 }, {});
});
afterAll(() => store.close());

const numberAt = async (network: string, seconds: number) =>
  (await store.facts.snapshot(network, at(seconds))).block.number;
const refusalAt = (network: string, seconds: number) =>
  store.facts.snapshot(network, at(seconds)).then(
    () => "answered",
    (error) => `${error.code} ${error.message}`,
  );

test.each([
  ["whole", 0, 0],
  ["whole", 11, 0],
  ["whole", 12, 1],
  // Of final blocks, and of the tail.
  ["whole", 20 * 12 + 5, 20],
  ["whole", 29 * 12 + 11, 29],
  ["holed", 13 * 12, 13],
  ["holed", 38 * 12 + 11, 38],
])("finds on %s, %i seconds after block 0, block %i", async (network, seconds, block) => {
  expect(await numberAt(network, seconds)).toBe(block);
});

test.each([
  // The newest block may be followed by others of the same moment.
  ["whole", 30 * 12, "The newest indexed block of whole is 30"],
  ["whole", 99_999, "The newest indexed block of whole is 30"],
  ["fast", 0, "The newest indexed block of fast is 9"],
  ["holed", 19 * 12, "one after 19, where a gap of the index begins"],
  ["holed", 25 * 12, "one after 19, where a gap of the index begins"],
  ["holed", 9 * 12, "the index begins with block 10"],
  ["whole", -1, "whole had no block at the moment"],
  ["nothing", 5, "Nothing of nothing is indexed yet"],
])("does not guess on %s, %i seconds after block 0: %s", async (network, seconds, sentence) => {
  const refusal = await refusalAt(network, seconds);
  expect(refusal).toContain("COVERAGE_INCOMPLETE");
  expect(refusal).toContain(sentence);
});
