import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { demo } from "../chains/networks/demo.ts";
import { currentLists } from "../store/lists.ts";
import { DEMO_LISTS, importDemoLists } from "./demo_lists.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const timesAfter = async (now_ms: number) => {
  await importDemoLists(store, { folder: DEMO_LISTS, networks: [demo], now_ms });
  return (await currentLists(store)).map(({ imported_at_ms }) => imported_at_ms);
};

test("does not import the demo's lists again at the next start, so that none is newer than the label pack", async () => {
  expect(await timesAfter(1_000)).toEqual([1_000, 1_000, 1_000]);
  expect(await timesAfter(2_000)).toEqual([1_000, 1_000, 1_000]);
});

test("what is missing of a list is written again, and the list is newer then", async () => {
  await store.engine.command("ALTER TABLE labels DELETE WHERE source = 'demo-labels' SETTINGS mutations_sync = 1");
  // By name: demo-labels, demo-sanctions, demo-tokens.
  expect(await timesAfter(3_000)).toEqual([3_000, 1_000, 1_000]);
});
