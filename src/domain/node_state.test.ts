import { expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import { hex } from "../lib/bytes.ts";
import type { Snapshot } from "../store/facts.ts";
import { nodeStateBlock, RECENT_BLOCKS } from "./node_state.ts";

const HEAD = 1_000;
const head = { number: HEAD, hash: hex("01"), time: 0, parent_hash: hex("00") };

const stateAt = (block: number, how: { readonly archive: boolean; readonly is_past: boolean }) => {
  // The function reads the block and `is_past` only.
  const snapshot = { block: { number: block, hash: hex("02"), time: 0 }, is_past: how.is_past } as Snapshot;
  const chain = fixedChain({ blocks: [head], can: { archive: how.archive } });
  return nodeStateBlock({ chain, snapshot, signal: new AbortController().signal });
};

test("an archive has the state of every block", async () => {
  expect(await stateAt(3, { archive: true, is_past: true })).toBe(3);
});

test("other nodes have that of recent blocks, and a past block that they lost is unknown, never read at the head", async () => {
  for (const is_past of [true, false])
    expect(await stateAt(HEAD - RECENT_BLOCKS, { archive: false, is_past })).toBe(HEAD - RECENT_BLOCKS);
  expect(await stateAt(HEAD - RECENT_BLOCKS - 1, { archive: false, is_past: true })).toBeNull();
  // The newest block of an index that is behind its node stands for now.
  expect(await stateAt(HEAD - RECENT_BLOCKS - 1, { archive: false, is_past: false })).toBe(HEAD);
});
