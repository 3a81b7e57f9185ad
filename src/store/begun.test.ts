import { afterEach, beforeEach, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { beginSegment } from "./begun.ts";
import type { TableRows } from "./tables.gen.ts";

let store: TestFacts;
beforeEach(async () => {
  store = await openTestFacts();
});
afterEach(() => store.close());

const segmentRow = (from: number, to: number, state: "begun" | "done", network = "demo"): TableRows["segments"] => ({
  ...{
    network,
    from_block: from,
    to_block: to,
    to_hash: blockHash(to),
    state,
    has_traces: 1,
    untraced: "",
    verified: "none",
    sums: "",
  },
  written_at: 1_700_000_000,
});
const begin = (from: number, to: number, network = "demo") =>
  beginSegment(store.engine, store.writer, segmentRow(from, to, "begun", network));
const rows = async () => Number((await store.query("SELECT count() FROM segments"))[0]?.[0]);

test("a segment that shares blocks with one of other bounds is refused by the store, and both are named", async () => {
  await begin(32, 63);
  await store.writer.insert("segments", [segmentRow(32, 63, "done")]);
  await begin(64, 95);
  for (const [from, to, other] of [
    [48, 111, "32 to 63 (done)"],
    [0, 32, "32 to 63 (done)"],
    [40, 47, "32 to 63 (done)"],
    [80, 127, "64 to 95 (begun)"],
    [0, 255, "32 to 63 (done)"],
  ] as const) {
    const message = expect.stringContaining(`blocks ${other}`);
    await expect(begin(from, to)).rejects.toMatchObject({ code: "SEGMENT_OVERLAPS", message });
    await expect(begin(from, to)).rejects.toThrow(`demo: blocks ${from} to ${to} cannot be written`);
  }
  expect(await rows()).toBe(3);
});

test("a segment is begun again with its own bounds, beside its neighbours, and on another network", async () => {
  await begin(32, 63);
  await begin(32, 63);
  await begin(0, 31);
  await begin(64, 64);
  await begin(40, 50, "other");
  expect(await rows()).toBe(5);
});
