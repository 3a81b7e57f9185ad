import { expect, test } from "vitest";
import { NodeNotes } from "./node_notes.ts";
import type { EvmTraits } from "./traits.ts";

const traits: EvmTraits = {
  chain_id: 1,
  client: null,
  head: 1_000,
  finalized: null,
  receipts: "block",
  traces: "debug_traceBlockByNumber",
  has_trace_block: false,
  archive: true,
  overrides: false,
  simulated_blocks_max: 0,
  batch: 20,
  ms_per_call: 1,
  unknown: [],
  verifies: null,
};

test("remembers for ten minutes what one node did not have", () => {
  let now = 0;
  const notes = new NodeNotes(() => now);
  const other = { ...traits };
  notes.noTracesBelow(traits, 500);
  notes.noTracesBelow(traits, 300);
  notes.noBlockReceipts(traits);
  now = 599_000;
  expect([notes.tracesFrom(traits), notes.hasBlockReceipts(traits)]).toEqual([500, false]);
  expect([notes.tracesFrom(other), notes.hasBlockReceipts(other)]).toEqual([0, true]);
  now = 601_000;
  expect([notes.tracesFrom(traits), notes.hasBlockReceipts(traits)]).toEqual([0, true]);
  expect(notes.hasBlockReceipts({ ...traits, receipts: "transaction" })).toBe(false);
});
