import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { eachNth, is_long } from "../../test/long.ts";
import { lossyChain, openNode } from "../../test/lossy_chain.ts";
import { contentsOf, indexOnce, openIndexer, SOUND } from "../../test/lossy_index.ts";
import { readGapRecords, readGaps, writeGapRecord } from "../store/gaps.ts";
import { backoffMs } from "./quarantine.ts";

/** Blocks 0 to 63 become segments, 64 to 70 are the tail. */
const HEAD = 70;
const FINAL = 63;
const never = new AbortController().signal;

let store: TestFacts;
let clean: Awaited<ReturnType<typeof contentsOf>>;
beforeAll(async () => {
  store = await openTestFacts();
  await indexOnce(lossyChain("clean", openNode(HEAD, FINAL)), store.engine);
  clean = await contentsOf(store, "clean");
});
afterAll(() => store.close());

const coverageOf = async (network: string) => (await store.facts.snapshot(network, null)).coverage;
/** A new start at the time of the node's clock. */
const index = ({ node, chain }: ReturnType<typeof refusing>) =>
  indexOnce(chain, store.engine, { now_ms: () => node.now_ms });
const MINUTE_MS = 60_000;

const refusing = (id: string, ...blocks: readonly number[]) => {
  const node = openNode(HEAD, FINAL);
  node.refuses = (number) => blocks.includes(number);
  return { node, chain: lossyChain(id, node) };
};

const PLACES: readonly (readonly [string, number])[] = [
  ["in the middle of history", 40],
  ["at from_block", 0],
  ["at the end of history", 63],
  ["at the beginning of the tail", 64],
  ["in the tail", 68],
];

test.each(eachNth(PLACES, 3, 1))(
  "a block that is rejected %s is a recorded gap, and is filled when the node serves a valid one",
  async (_, block) => {
    const id = `refused ${block}`;
    const of = refusing(id, block);
    const { node, chain } = of;
    const indexer = openIndexer(chain, store.engine, { now_ms: () => node.now_ms });
    expect(await indexer.run({ once: true, signal: never })).toBe("done");
    expect(indexer.status()).toMatchObject({ remaining_blocks: 0, indexed: HEAD });
    expect(indexer.status().problem).toContain(`block ${block} is refused by the check transaction_order`);
    expect(indexer.status().problem).toContain('verify: "header"');
    const from_block = block === 0 ? 1 : 0;
    expect(await coverageOf(id)).toMatchObject({ from_block, to_block: HEAD, complete: false, gaps: [[block, block]] });
    // Four refusals, thirty seconds after the first.
    expect(await readGaps(store.engine, id)).toMatchObject([
      { kind: "refused", from_block: block, check_name: "transaction_order", state: "open", endpoints: 2, attempts: 4 },
    ]);
    // Everything else exists and joins.
    const { final_block } = await store.facts.snapshot(id, null);
    const read = `SELECT uniqExact(block_number), count() FROM blocks WHERE network = '${id}' AND (tail = 0) = (block_number <= ${final_block})`;
    expect((await store.query(read))[0]?.map(Number)).toEqual([HEAD, HEAD]);
    expect((await contentsOf(store, id)).wrong).toEqual(SOUND);
    node.refuses = () => false;
    node.asked = [];
    // Not before it is due.
    expect(await index(of)).toBe("done");
    expect(node.asked).not.toContain(block);
    node.now_ms += 2 * MINUTE_MS;
    expect(await index(of)).toBe("done");
    expect(await coverageOf(id)).toMatchObject({ from_block: 0, complete: true, gaps: [] });
    expect(await contentsOf(store, id)).toEqual(clean);
    expect(await readGaps(store.engine, id)).toEqual([]);
  },
);

test("a block that stays rejected is retried with growing pauses", async () => {
  const of = refusing("stays", 40);
  await index(of);
  for (const attempts of [5, 6]) {
    of.node.asked = [];
    of.node.now_ms += 60 * MINUTE_MS;
    await index(of);
    expect(of.node.asked.filter((number) => number === 40)).toHaveLength(1);
    expect(await readGaps(store.engine, "stays")).toMatchObject([{ attempts }]);
  }
  // One minute, doubled each time, six hours at most.
  expect([1, 2, 3, 9, 10, 100].map((attempts) => backoffMs(attempts) / MINUTE_MS)).toEqual([1, 2, 4, 256, 360, 360]);
});

test("a node that serves an invalid block for some seconds leaves no gap", async () => {
  const of = refusing("seconds", 40);
  const { node } = of;
  let refusals = 0;
  node.refuses = (number) => number === 40 && ++refusals <= 3;
  expect(await index(of)).toBe("done");
  expect(await contentsOf(store, "seconds")).toEqual(clean);
  expect(await store.query("SELECT count() FROM recorded_gaps WHERE network = 'seconds'")).toEqual([["0"]]);
});

test.skipIf(!is_long)("two neighbouring blocks and one elsewhere are three gaps", async () => {
  const of = refusing("three", 30, 31, 50);
  expect(await index(of)).toBe("done");
  expect(await coverageOf("three")).toMatchObject({
    from_block: 0,
    gaps: [
      [30, 31],
      [50, 50],
    ],
    complete: false,
  });
  of.node.refuses = () => false;
  of.node.now_ms += 10 * MINUTE_MS;
  expect(await index(of)).toBe("done");
  expect(await contentsOf(store, "three")).toEqual(clean);
});

test("a gap of the tail becomes history when it is final, and the tail continues above it", async () => {
  const of = refusing("grows", 68);
  await index(of);
  of.node.head = 140;
  of.node.final = 127;
  expect(await index(of)).toBe("done");
  expect(await coverageOf("grows")).toMatchObject({ from_block: 0, to_block: 140, gaps: [[68, 68]] });
  const [top] = await store.query("SELECT max(to_block) FROM segments WHERE network = 'grows' AND state = 'done'");
  expect(Number(top?.[0])).toBe(127);
  of.node.refuses = () => false;
  of.node.now_ms += 2 * MINUTE_MS;
  expect(await index(of)).toBe("done");
  await indexOnce(lossyChain("straight", openNode(140, 127)), store.engine);
  expect(await contentsOf(store, "grows")).toEqual(await contentsOf(store, "straight"));
});

test("a block that an operator gave up is not retried until the operator requests it", async () => {
  const of = refusing("given up", 40);
  await index(of);
  const [gap] = await readGapRecords(store.engine, "given up");
  if (gap === undefined) throw new Error("no gap");
  await writeGapRecord(store.writer, "given up", { ...gap, state: "accepted" });
  of.node.refuses = () => false;
  of.node.asked = [];
  of.node.now_ms += 10_000 * MINUTE_MS;
  const indexer = openIndexer(of.chain, store.engine, { now_ms: () => of.node.now_ms });
  expect(await indexer.run({ once: true, signal: never })).toBe("done");
  expect(indexer.status().problem).toBeNull();
  expect(of.node.asked).not.toContain(40);
  expect(await coverageOf("given up")).toMatchObject({ from_block: 0, complete: false, gaps: [[40, 40]] });
  const [accepted] = await readGapRecords(store.engine, "given up");
  if (accepted === undefined) throw new Error("no gap");
  await writeGapRecord(store.writer, "given up", { ...accepted, state: "open", ask_ms: 0 });
  await index(of);
  expect(await contentsOf(store, "given up")).toEqual(clean);
});

test("a node whose blocks are all rejected stops its network as before", async () => {
  const of = refusing("all");
  of.node.refuses = () => true;
  const indexer = openIndexer(of.chain, store.engine);
  expect(await indexer.run({ once: true, signal: never })).toBe("failed");
  expect(indexer.status().problem).toContain("is refused by the check");
});

test("an interrupted segment that then has a rejected block waits until the block is available", async () => {
  const of = refusing("cut");
  await index(of);
  await store.engine.command(
    `INSERT INTO segments (network, from_block, to_block, to_hash, state, has_traces, verified, sums, written_at)
    SELECT network, from_block, to_block, to_hash, 'begun', has_traces, verified, '{}', now64(3) + 1 FROM segments
    WHERE network = 'cut' AND state = 'done' AND from_block <= 40 AND to_block >= 40`,
  );
  of.node.refuses = (number) => number === 40;
  expect(await index(of)).toBe("done");
  const { complete, from_block } = await coverageOf("cut");
  expect([complete, from_block > 40]).toEqual([false, true]);
  of.node.refuses = () => false;
  of.node.now_ms += 2 * MINUTE_MS;
  expect(await index(of)).toBe("done");
  expect(await contentsOf(store, "cut")).toEqual(clean);
});
