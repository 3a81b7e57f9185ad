import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { finishSegment } from "../../test/segment_rows.ts";
import { type GapRecord, readGaps, writeGapRecord } from "./gaps.ts";
import { BEGUN_SUMS, tracedRuns, untracedText } from "./segments.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const refusal = (network: string, block: number, more: Partial<GapRecord> = {}) =>
  writeGapRecord(store.writer, network, {
    ...{ kind: "refused", from_block: block, to_block: block, state: "open", check_name: "logs bloom" },
    ...{ reason: "it is another one", block_hash: "", endpoints: 2, attempts: 4 },
    ...{ first_asked_ms: 1_000, last_asked_ms: 2_000, ask_ms: 62_000 },
    ...more,
  });

/** Marks a segment as the indexer does, without rows. */
const mark = (network: string, [from, to]: readonly [number, number], untraced: readonly [number, number][]) => {
  const lacking = untraced.map(([first, last]) => ({ from: first, to: last }));
  const row = {
    ...{ network, from_block: from, to_block: to, to_hash: "", verified: "full" as const, sums: BEGUN_SUMS },
    has_traces: lacking.length === 0 ? 1 : 0,
    untraced: untracedText({ from, to }, lacking),
  };
  return store.writer.insert("segments", [
    { ...row, state: "begun", written_at: 1_700_000_000 },
    { ...row, state: "done", written_at: 1_700_000_001 },
  ]);
};

const origin = (network: string, from_block: number) =>
  store.writer.insert("networks", [
    { network, chain_id: 1, from_block, from_hash: "", is_opened: 1, written_at: 1_700_000_000 },
  ]);

const blocksAt = (network: string, numbers: readonly number[]) =>
  store.writer.insert(
    "blocks",
    numbers.map((block_number) => ({
      ...{ network, block_number, hash: "", parent_hash: "", time: 1_700_000_000, producer: "" },
      ...{ transaction_count: 0, has_traces: 1, verified: "full" as const },
    })),
  );

const coverageOf = async (network: string) => (await store.facts.snapshot(network, null)).coverage;

test("a segment lists its blocks without traces, unless all of them lack traces", () => {
  const segment = { from: 0, to: 9 };
  const text = untracedText(segment, [
    { from: 0, to: 1 },
    { from: 9, to: 9 },
  ]);
  expect(text).toBe("[[0,1],[9,9]]");
  expect(tracedRuns(segment, { has_traces: 0, untraced: text })).toEqual([
    { from: 0, to: 1, has_traces: false },
    { from: 2, to: 8, has_traces: true },
    { from: 9, to: 9, has_traces: false },
  ]);
  expect(untracedText(segment, [segment])).toBe("");
  expect(tracedRuns(segment, { has_traces: 0, untraced: "" })).toEqual([{ ...segment, has_traces: false }]);
  expect(tracedRuns(segment, { has_traces: 1, untraced: "" })).toEqual([{ ...segment, has_traces: true }]);
});

test("coverage lists blocks without traces and claims traces above them", async () => {
  await origin("named", 0);
  await blocksAt("named", [39]);
  await mark("named", [0, 15], []);
  await mark("named", [16, 31], [[20, 21]]);
  await mark("named", [32, 39], []);
  const coverage = await coverageOf("named");
  expect(coverage).toMatchObject({
    from_block: 0,
    to_block: 39,
    complete: true,
    traces: false,
    trace_gaps: [[20, 21]],
  });
  expect(await readGaps(store.engine, "named")).toMatchObject([{ kind: "traces", from_block: 20, to_block: 21 }]);
});

test("of very many ranges without traces the oldest are listed as one", async () => {
  await origin("many", 0);
  await blocksAt("many", [199]);
  const single = (number: number): [number, number] => [number, number];
  await mark(
    "many",
    [0, 199],
    Array.from({ length: 60 }, (_, i) => single(2 * i)),
  );
  const { trace_gaps = [] } = await coverageOf("many");
  // 60 ranges: blocks 0, 2, ... 118. 49 stay by themselves (22 to 118), and 0 to 20 become one.
  expect([trace_gaps.length, trace_gaps[0], trace_gaps[1], trace_gaps.at(-1)]).toEqual([
    50,
    [0, 20],
    [22, 22],
    [118, 118],
  ]);
});

test("history continues below a refused block and is incomplete", async () => {
  await origin("hole", 0);
  await blocksAt("hole", [31]);
  await mark("hole", [0, 9], []);
  await mark("hole", [11, 31], []);
  expect(await coverageOf("hole")).toMatchObject({ from_block: 11, complete: false, gaps: [[10, 10]] });
  await refusal("hole", 10);
  const snapshot = await store.facts.snapshot("hole", null);
  expect(snapshot.coverage).toMatchObject({ from_block: 0, complete: false, gaps: [[10, 10]], traces: true });
  expect(snapshot.settled_to).toBe(31);
  expect(await readGaps(store.engine, "hole")).toMatchObject([
    {
      kind: "refused",
      from_block: 10,
      to_block: 10,
      state: "open",
      check_name: "logs bloom",
      attempts: 4,
      endpoints: 2,
    },
  ]);
  // An accepted gap remains a gap. A filled one disappears, and running answers are repeated.
  await refusal("hole", 10, { state: "accepted" });
  expect(await coverageOf("hole")).toMatchObject({ from_block: 0, complete: false, gaps: [[10, 10]] });
  expect(await store.facts.isCurrent(snapshot)).toBe(true);
  await mark("hole", [10, 10], []);
  expect(await coverageOf("hole")).toMatchObject({ from_block: 0, complete: true, gaps: [] });
  expect(await store.facts.isCurrent(snapshot)).toBe(false);
  expect(await readGaps(store.engine, "hole")).toEqual([]);
});

test("a refused block that is being written cuts history off until it is done", async () => {
  await origin("filling", 0);
  await blocksAt("filling", [31]);
  await mark("filling", [0, 9], []);
  await mark("filling", [11, 31], []);
  await refusal("filling", 10);
  const snapshot = await store.facts.snapshot("filling", null);
  const begun = { from_block: 10, to_block: 10, to_hash: "", verified: "full" as const, sums: BEGUN_SUMS };
  await store.writer.insert("segments", [
    { network: "filling", ...begun, has_traces: 1, untraced: "", state: "begun", written_at: 1_700_000_002 },
  ]);
  expect(await coverageOf("filling")).toMatchObject({ from_block: 11, complete: false });
  expect(await store.facts.isCurrent(snapshot)).toBe(false);
});

test("a call about final blocks is run again when one of their segments was written again meanwhile", async () => {
  await origin("again", 0);
  const segment = { network: "again", from: 0, to: 9 };
  await finishSegment(store.writer, segment);
  const snapshot = await store.facts.snapshot("again", 5);
  expect(await store.facts.isCurrent(snapshot)).toBe(true);
  await mark("again", [0, 9], []);
  expect(await store.facts.isCurrent(snapshot)).toBe(false);
  expect(await store.facts.isCurrent(await store.facts.snapshot("again", 5))).toBe(true);
});
