import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { BEGUN_SUMS } from "../segments.ts";
import type { TableRows } from "../tables.gen.ts";
import { readBatches, readStoredAmong, readWishedBlocks, writeBatch, writeWishedBlock } from "./records.ts";

/** Lists that the store keeps for the indexer of a network on demand. */

const NETWORK = "demo";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const rows = [5, 9, 12].map((block_number): TableRows["blocks"] => ({
    ...{ network: NETWORK, block_number, hash: blockHash(block_number), parent_hash: blockHash(block_number - 1) },
    ...{ time: 1_700_000_000, producer: testAddress(1), transaction_count: 0, has_traces: 1, verified: "full" },
  }));
  const [other] = rows;
  await store.writer.insert("blocks", [
    ...rows,
    ...(other === undefined ? [] : [{ ...other, network: "another", block_number: 7 }]),
  ]);
});
afterAll(() => store?.close());

test("which of some blocks are stored", async () => {
  const among = (numbers: readonly number[]) => readStoredAmong(store.engine, NETWORK, numbers);
  expect([...(await among([4, 5, 7, 12, 13]))]).toEqual([5, 12]);
  expect((await among([])).size).toBe(0);
});

test("wished blocks, and those of them that are not stored", async () => {
  for (const block_number of [4, 5, 7, 9])
    await writeWishedBlock(store.writer, NETWORK, { block_number, asked_by: "" });
  expect(await readWishedBlocks(store.engine, NETWORK, { asked_since: 0, which: "all" })).toEqual([4, 5, 7, 9]);
  expect(await readWishedBlocks(store.engine, NETWORK, { asked_since: 0, which: "open" })).toEqual([4, 7]);
  const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
  expect(await readWishedBlocks(store.engine, NETWORK, { asked_since: tomorrow, which: "open" })).toEqual([]);
});

test("batches that were begun and not finished, with their sums", async () => {
  let written_ms = 1_000;
  const mark = (blocks: readonly number[], state: "begun" | "done", sums: string): Promise<void> => {
    written_ms += 1;
    return writeBatch(store.writer, NETWORK, { blocks, state, sums, written_ms });
  };
  await mark([5, 9], "begun", BEGUN_SUMS);
  await mark([5, 9], "begun", "sums of one");
  await mark([5, 9], "done", "sums of one");
  await mark([12], "begun", BEGUN_SUMS);
  // Within the ends of the first, and begun again after its sums were marked.
  await mark([6, 8], "begun", "sums of two");
  await mark([6, 8], "begun", BEGUN_SUMS);
  const shown = (which: "begun" | "all") =>
    readBatches(store.engine, NETWORK, which).then((batches) =>
      batches.map(({ blocks, state, entered }) => [blocks, state, entered]),
    );
  expect(await shown("begun")).toEqual([
    [[12], "begun", null],
    [[6, 8], "begun", "sums of two"],
  ]);
  expect(await shown("all")).toEqual([
    [[5, 9], "done", "sums of one"],
    [[12], "begun", null],
    [[6, 8], "begun", "sums of two"],
  ]);
});
