import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { basisIn, gapsOf, tracesFrom } from "./gaps.ts";

const TIME = 1_700_000_000;
const network = "windows";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  // Blocks 0 to 29, twelve seconds each; of 10 to 19 the traces were lost.
  await store.seed({ network, from: 0, to: 9, first: 0, time: TIME }, {});
  await store.seed({ network, from: 10, to: 19, first: 0, time: TIME + 120, has_traces: false }, {});
  await store.seed({ network, from: 20, to: 29, first: 0, time: TIME + 240 }, {});
});
afterAll(() => store.close());

const held = async () => ({ facts: store.facts, snapshot: await store.facts.snapshot(network, null) });

test("a window that begins behind the blocks without traces has all traces, and warns of nothing", async () => {
  const scope = await held();
  expect(scope.snapshot.coverage).toMatchObject({ traces: false, trace_gaps: [[10, 19]] });
  // Block 20 is made at 240 seconds.
  const { coverage } = await basisIn(scope, { from: TIME + 240 });
  expect(coverage).toMatchObject({ traces: true, complete: true });
  expect(coverage).not.toHaveProperty("trace_gaps");
  expect(await gapsOf(scope, { from: TIME + 240 })).toEqual([]);
});

test("a window that begins with the last of them, or before, names them", async () => {
  const scope = await held();
  // Block 19 is made at 228 seconds.
  for (const from of [0, TIME, TIME + 228]) {
    expect((await basisIn(scope, { from })).coverage).toMatchObject({ traces: false, trace_gaps: [[10, 19]] });
    expect(await gapsOf(scope, { from })).toEqual([
      {
        code: "INTERNAL_TRANSFERS_MISSING",
        message: "Coins moved inside contract calls are not indexed of these blocks: 10 to 19.",
      },
    ]);
  }
});

test("of several gaps those count that reach into the window", async () => {
  const { snapshot } = await held();
  const coverage = { ...snapshot.coverage, trace_gaps: [[2, 3] as const, [10, 19] as const] };
  expect(tracesFrom(coverage, 3)).toMatchObject({
    traces: false,
    trace_gaps: [
      [2, 3],
      [10, 19],
    ],
  });
  expect(tracesFrom(coverage, 4)).toMatchObject({ traces: false, trace_gaps: [[10, 19]] });
  expect(tracesFrom(coverage, 20)).toMatchObject({ traces: true });
});
