// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { runWriters } from "./run.ts";
import { readClean, type StaticChain, type StoreContent, startChain } from "./setup.ts";

const BLOCKS = 600;
const STRIKES = 4;

let chain: StaticChain;
let clean: StoreContent;
beforeAll(async () => {
  chain = await startChain({ blocks: BLOCKS, latency_ms: 4 });
  clean = await readClean(chain);
});
afterAll(() => chain.close());

test("indexers of one store that are stopped and killed at random leave the same as one undisturbed indexer", async () => {
  expect(clean).toMatchObject({ doubled: [], blocks: BLOCKS });
  const run = await runWriters({ chain, clean, seed: 4, lease_ms: 1_500, strikes: STRIKES });
  expect(run.faults).toEqual([]);
  expect(run.pauses + run.kills).toBeGreaterThan(0);
});
