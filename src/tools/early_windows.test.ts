import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { ALICE, chain, TOKEN } from "../../test/token_scenario.ts";
import { tokenRow, transfersOf } from "../../test/value_rows.ts";
import type { Outcome } from "../lib/outcome.ts";
import { isRecord } from "../lib/record.ts";
import { tools } from "./index.ts";
import type { AnyTool } from "./tool.ts";

/** 14 November 2023, 22:13:20 UTC, as the test store dates the first block of a segment. */
const FIRST_DAY = "2023-11-14";

const stores: TestFacts[] = [];
/** A chain that is indexed from block `first` on, with one mint to ALICE in the block after it; its balances before are known. */
const chainFrom = async (first: number): Promise<TestFacts> => {
  const store = await openTestFacts();
  stores.push(store);
  const minted = { kind: "erc20", token: TOKEN, source: "", destination: ALICE, amount: 7n } as const;
  const transfers = transfersOf({ block: first + 1 }, ALICE, [minted]).map((row) => ({ ...row, time: 1_700_000_012 }));
  await store.seed({ network: "demo", from: first, to: first + 2 }, { transfers });
  await store.writer.insert("tokens", [tokenRow(TOKEN, "TKN", 0)]);
  return store;
};
let [whole, cut]: TestFacts[] = [];
beforeAll(async () => {
  [whole, cut] = await Promise.all([chainFrom(0), chainFrom(100)]);
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

const run = (tool: AnyTool, store: TestFacts | undefined, window: object): Promise<Outcome<unknown>> => {
  if (store === undefined) throw new Error("no store");
  const context = callContext({ facts: store.facts, chain: () => chain, networks: ["demo"] });
  const subject = "token_address" in tool.input.shape && !("address" in tool.input.shape) ? "token_address" : "address";
  return runTool(
    tool,
    { [subject]: `0x${subject === "address" ? ALICE : TOKEN}`, network: "demo", ...window },
    context,
  );
};

const warningsOf = (outcome: Outcome<unknown>): readonly string[] => {
  const holder = outcome.kind === "data" ? outcome.data : outcome;
  const metadata = isRecord(holder) ? holder.metadata : null;
  const warnings = isRecord(metadata) && Array.isArray(metadata.warnings) ? metadata.warnings : [];
  return warnings.map((warning) => (isRecord(warning) ? String(warning.code) : ""));
};

/** Every tool with a window. */
const WINDOWED = tools.filter(({ input }) => "from_date" in input.shape).map((tool) => [tool.name, tool] as const);
/** Its window narrows the traders, not the holders, so that it always has data. */
const HAS_DATA = ["get_token_holders_traders"];

const BEFORE = { from_date: "2023-10-01", to_date: "2023-10-09" };
const PARTLY = { from_date: "2023-10-20", to_date: FIRST_DAY };

test("covers every tool with a window", () => {
  expect(WINDOWED.map(([name]) => name).sort()).toEqual([
    ...[
      "get_token_flows",
      "get_token_holders_traders",
      "get_wallet_counterparties",
      "get_wallet_counterparties_analysis",
    ],
    ...["get_wallet_pnl", "get_wallet_stats", "get_wallet_transaction_patterns", "get_wallet_transactions"],
  ]);
});

test.each(WINDOWED)(
  "%s: a window before the chain's first block holds nothing, which is proven",
  async (name, tool) => {
    const outcome = await run(tool, whole, BEFORE);
    expect([name, outcome.kind]).toEqual([name, HAS_DATA.includes(name) ? "data" : "no_data"]);
    expect(warningsOf(outcome)).not.toContain("WINDOW_NOT_COVERED");
  },
);

test.each(WINDOWED)("%s: a window before the first indexed block is not known", async (name, tool) => {
  const outcome = await run(tool, cut, BEFORE);
  if (HAS_DATA.includes(name)) expect(warningsOf(outcome)).toContain("WINDOW_NOT_COVERED");
  else expect(outcome).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
});

test.each(WINDOWED)("%s: a window that begins before the first indexed block says so", async (name, tool) => {
  // The books of a wallet have the balances from before the index, and warn of those without a cost themselves.
  if (name !== "get_wallet_pnl") expect(warningsOf(await run(tool, cut, PARTLY))).toContain("WINDOW_NOT_COVERED");
  expect(warningsOf(await run(tool, whole, PARTLY))).not.toContain("WINDOW_NOT_COVERED");
});
