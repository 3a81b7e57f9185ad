/** Nodes that drop old blocks as they go on. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { openIndexStore } from "./index_store.ts";
import type { SegmentOptions } from "./options.ts";
import { settleOrigin } from "./origin.ts";
import { ownRanges } from "./shared_ranges.ts";

const signal = new AbortController().signal;
const FROM = 32;
const HASH = hex("ab".repeat(32));

let facts: TestFacts;
beforeAll(async () => {
  facts = await openTestFacts();
});
afterAll(() => facts.close());

const openOrigin = (network: string) => {
  const stored = openIndexStore(facts, fixedChain({ network: { id: network } }).network, Date.now);
  /** A start with a node whose blocks begin with `oldest`. */
  const start = (oldest: number, is_on_demand = false) => {
    const chain = {
      ...fixedChain({ network: { id: network } }),
      oldest: () => oldest,
      ref: async (number: number) => {
        if (number < oldest)
          throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "dropped", retryable: true });
        return { number, hash: HASH, parent_hash: HASH, time: 1 };
      },
    };
    const ranges = ownRanges(facts.engine, { store: stored } as SegmentOptions); // no range is read
    const parts = { chain, store: stored, ranges, from_block: FROM, openings: "skip", log: silentLog } as const;
    return settleOrigin({ ...parts, is_on_demand }, signal);
  };
  return { start, stored };
};

test("the first block may be dropped after the first start", async () => {
  const { start, stored } = openOrigin("dropped");
  const settled = { from_block: FROM, is_opening: false };
  expect(await start(0)).toEqual(settled);
  expect(await start(100)).toEqual(settled);
  expect(await stored.origin()).toMatchObject({ from_block: FROM, from_hash: HASH, is_opened: 0 });
});

test("a whole index cannot begin with a block that no node has", async () => {
  await expect(openOrigin("whole").start(100)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});

test("a network that is read on demand can, and keeps the hash of none", async () => {
  const { start, stored } = openOrigin("demand");
  // As at two starts, and a third with another node.
  for (const oldest of [100, 100, 0])
    expect(await start(oldest, true)).toEqual({ from_block: FROM, is_opening: false });
  expect(await stored.origin()).toMatchObject({ from_block: FROM, from_hash: "", is_opened: 0 });
});
