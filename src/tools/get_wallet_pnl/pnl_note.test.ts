import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, dailyBlocks } from "../../../test/value_rows.ts";
import { getWalletPnl } from "./index.ts";
import { input, output } from "./shape.ts";

const HEAD = 105;

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: HEAD }, { blocks: dailyBlocks(HEAD) });
});
afterAll(() => store.close());

test("where a network has no profits the answer is its note, as data", async () => {
  const asked = input.parse({ address: `0x${addressOf(0xa11ce)}`, network: "demo", to_date: "2026-01-05" });
  const outcome = await runTool(
    getWalletPnl,
    asked,
    callContext({ facts: store.facts, chain: () => fixedChain({ network: { pnl_note: "Not here." } }) }),
  );
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  const { metadata, ...rest } = output.parse(outcome.data);
  expect(rest).toEqual({ type: "pnl_unavailable", note: "Not here." });
  expect(metadata).toMatchObject({ date_range: { to: "2026-01-05" }, cost_coverage_percent: null });
});
