import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import type { Block } from "../chains/chain.ts";
import { type Hex, intToHex, toHex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { decodeBlock } from "./decode.ts";
import { openIndexStore } from "./index_store.ts";
import type { SegmentOptions } from "./options.ts";
import { NetworkIndexer } from "./run.ts";
import { ownRanges } from "./shared_ranges.ts";

const HEAD = 1_000;
const FINAL = 900;
const signal = new AbortController().signal;
const hashOf = (number: number): Hex => intToHex(BigInt(number + 1), 32);
const bytes = (hex: Hex) => Buffer.from(hex, "hex");

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const blockOf = (number: number): Block => ({
  number,
  hash: bytes(hashOf(number)),
  parent_hash: bytes(hashOf(number - 1)),
  time: 1_700_000_000 + 12 * number,
  producer: testAddress(1),
  base_fee: null,
  transactions: [],
  issuance: [{ kind: "reward", address: testAddress(1), amount: 1n }],
  has_traces: true,
  verified: "full",
});
const refOf = (number: number) => {
  const { hash, parent_hash, time } = blockOf(number);
  return { number, hash: toHex(hash), parent_hash: toHex(parent_hash), time };
};

/** Indexes the chain once. @returns the missing blocks, the shown block and the state at each price update */
const passesOf = async (id: string, now: () => number) => {
  const chain = {
    ...fixedChain({ network: { id } }),
    head: async () => refOf(HEAD),
    finalized: async () => FINAL,
    ref: async (number: number) => refOf(number),
    blocks: async (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => blockOf(from + at)),
  };
  const seen: (readonly [remaining: number | null, indexed: number | null, state: string])[] = [];
  const own: SegmentOptions = {
    chain,
    store: openIndexStore(store, chain.network, Date.now),
    decode: (block) => decodeBlock(block, chain.network, new Map()),
    complete: async () => undefined,
    enrich: async () => undefined,
    openings: "skip",
    segment_rows: 75_000,
    log: silentLog,
  };
  const indexer: NetworkIndexer = new NetworkIndexer({
    ...own,
    ranges: ownRanges(store.engine, own),
    pricedShare: () => null,
    updatePrices: async () => {
      const { remaining_blocks, indexed, state, derives } = indexer.status();
      expect(derives).toBe(true);
      seen.push([remaining_blocks, indexed, state]);
    },
    updateCohorts: async () => false,
    writeListedLabels: async () => undefined,
    deriveAgain: () => undefined,
    updateLabels: async () => undefined,
    ...{ from_block: 0, oldest_block: null, to_block: null, poll_ms: 1, now, now_ms: Date.now },
    openMoved: async () => false,
  });
  expect(await indexer.run({ once: true, signal })).toBe("done");
  expect(indexer.status().derives).toBe(false);
  return seen;
};

test("prices and labels wait for a history that is read in seconds; the network counts as indexed once they are written", async () => {
  expect(await passesOf("quick", () => 0)).toEqual([[0, HEAD, "backfill"]]);
});

test("a start on stored blocks follows the node first, and then updates them once more", async () => {
  expect(await passesOf("quick", () => 0)).toEqual([[0, HEAD, "following"]]);
});

test("segments begin with the size that the tail suggests", async () => {
  // Below the tail, which begins at 896, after 32 blocks of two rows: up to 8 x 32 blocks on the grid, then up to 8 x
  // 128.
  const segments = await store.query(
    "SELECT DISTINCT from_block, to_block FROM segments WHERE network = 'quick' ORDER BY from_block",
  );
  expect(segments.map((cells) => cells.map(Number))).toEqual([
    [0, 511],
    [512, 767],
    [768, 895],
  ]);
});

test("a history that takes longer has prices and labels before it is complete", async () => {
  let now_ms = 0;
  // Every look at the clock is five seconds later.
  const seen = await passesOf("slow", () => (now_ms += 5_000));
  expect(seen.length).toBeGreaterThan(1);
  expect(seen[0]?.[0]).toBeGreaterThan(0);
  expect(seen.at(-1)).toEqual([0, HEAD, "backfill"]);
});
