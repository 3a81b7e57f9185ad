import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { ALICE, chain, TOKEN } from "../../../test/token_scenario.ts";
import { tokenRow, transfersOf } from "../../../test/value_rows.ts";
import { getTokenFlows } from "./index.ts";

/** 14 November 2023, 22:13:20 UTC, as the test store dates the first block of a segment. */
const FIRST_DAY = "2023-11-14";

const stores: TestFacts[] = [];
/** A chain that is indexed from block `first` on, with one mint in the block after it. */
const chainFrom = async (first: number): Promise<TestFacts> => {
  const store = await openTestFacts();
  stores.push(store);
  const minted = { kind: "erc20", token: TOKEN, source: "", destination: ALICE, amount: 7n } as const;
  const transfers = transfersOf({ block: first + 1 }, ALICE, [minted]).map((row) => ({
    ...row,
    time: 1_700_000_012,
  }));
  await store.seed({ network: "demo", from: first, to: first + 2 }, { transfers });
  await store.writer.insert("tokens", [tokenRow(TOKEN, "TKN", 0)]);
  return store;
};
let [whole, cut]: TestFacts[] = [];
beforeAll(async () => {
  [whole, cut] = await Promise.all([chainFrom(0), chainFrom(100)]);
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

const run = (store: TestFacts | undefined, more: object) => {
  if (store === undefined) throw new Error("no store");
  const context = callContext({ facts: store.facts, chain: () => chain });
  return runTool(getTokenFlows, { token_address: `0x${TOKEN}`, network: "demo", ...more }, context);
};

const BEFORE = { from_date: "2023-10-01", to_date: "2023-10-09" };
const SEGMENTS = ["all", "whale"];

test.each(SEGMENTS)("a window before block 0 holds nothing, which is proven: %s", async (segment) => {
  expect(await run(whole, { ...BEFORE, segment })).toMatchObject({ kind: "no_data", type: "token_flows" });
});

test.each(SEGMENTS)("a window before the first indexed block is not known: %s", async (segment) => {
  expect(await run(cut, { ...BEFORE, segment })).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
});

test("the first days that there can be are answered, with and without from_date", async () => {
  const to_date = "1970-01-03";
  expect(await run(whole, { to_date })).toMatchObject({ kind: "no_data" });
  expect(await run(whole, { from_date: "1970-01-01", to_date })).toMatchObject({ kind: "no_data" });
});

test("the day of the first block is answered with what moved in it", async () => {
  const window = { from_date: "2023-11-10", to_date: FIRST_DAY };
  const outcome = await run(whole, window);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  expect(getTokenFlows.output.parse(outcome.data).summary).toMatchObject({ transfer_count: 1, minted: 7 });
});
