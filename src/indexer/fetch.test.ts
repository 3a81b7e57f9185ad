import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { lossyChain, openNode } from "../../test/lossy_chain.ts";
import { silentLog } from "../lib/log.ts";
import { decodeBlock } from "./decode.ts";
import { fetchRange } from "./fetch.ts";
import { openIndexStore } from "./index_store.ts";

const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const reader = (id: string) => {
  const node = openNode(200, 200);
  const chain = lossyChain(id, node);
  const parts = {
    chain,
    store: openIndexStore(store, chain.network, Date.now),
    decode: (block: Parameters<typeof decodeBlock>[0]) => decodeBlock(block, chain.network, new Map()),
    complete: async () => undefined,
    openings: "skip" as const,
    log: silentLog,
  };
  return { node, read: (from: number, to: number) => fetchRange(parts, { from, to }, signal) };
};

test("chunks already read are not requested again when another part of the range failed", async () => {
  const { node, read } = reader("kept");
  node.refuses = (number) => number === 20;
  await expect(read(0, 63)).rejects.toMatchObject({ block: 20 });
  // Four chunks of 16 blocks at once; the second one fails.
  expect(node.asked.filter((number) => number < 16 || number >= 32)).toHaveLength(48);
  node.asked = [];
  node.refuses = () => false;
  const fetched = await read(0, 63);
  expect(node.asked).toEqual(Array.from({ length: 16 }, (_, at) => 16 + at));
  expect(fetched.refs.map(({ number }) => number)).toEqual(Array.from({ length: 64 }, (_, at) => at));
  // Returned chunks are no longer cached.
  node.asked = [];
  await read(0, 63);
  expect(node.asked).toHaveLength(64);
});

test("blocks without traces are listed as ranges, across chunks", async () => {
  const { node, read } = reader("named");
  node.lacksTraces = (number) => (number >= 14 && number <= 17) || number === 40;
  expect((await read(0, 63)).untraced).toEqual([
    { from: 14, to: 17 },
    { from: 40, to: 40 },
  ]);
});
