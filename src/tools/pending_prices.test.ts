import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { networkOf } from "../../test/priced_rows.ts";
import { addressOf, dailyBlocks, dayOf, priceRow } from "../../test/value_rows.ts";
import type { CallContext } from "../domain/context.ts";
import { pendingPrices, pricesAt } from "../domain/valuation/prices/price_now.ts";
import { data, noData } from "../lib/outcome.ts";
import { runOnConsistentFacts } from "../surfaces/call/consistent_run.ts";
import { getTokenInfo } from "./get_token_info/index.ts";
import { metadataFor } from "./metadata.ts";
import type { AnyTool } from "./tool.ts";

/** A history of 100 days, a block a day from 1 January 2026 on, and a coin of one dollar. */
const COIN = addressOf(0xd011a);
const LAST = 200;
const network = { ...networkOf("demo"), stablecoins: [{ symbol: "USDC", address: COIN, peg: "USD" as const }] };
const chain = fixedChain({ network });

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: LAST, first: 100 }, { blocks: dailyBlocks(LAST) });
});
afterAll(() => store.close());

const context = (): CallContext => callContext({ facts: store.facts, chain: () => chain, networks: ["demo"] });

/** A tool that answers in this way, with or without a search for a price. */
const looking = (how: { readonly prices: boolean; readonly finds: boolean }): AnyTool => ({
  ...getTokenInfo,
  run: async (asked: { readonly block: number | null }, { facts }: CallContext) => {
    const snapshot = await facts.snapshot("demo", asked.block);
    if (how.prices) await pricesAt({ facts, network, snapshot }, [COIN]);
    const metadata = metadataFor(chain, snapshot, { echo: {}, methodology: "look@1", warnings: [] });
    return how.finds ? data({ metadata }) : noData({ type: "look", message: "None.", metadata });
  },
});

const warningsOf = async (tool: AnyTool, block: number | null = null) => {
  const { outcome } = await runOnConsistentFacts(tool, { block }, context);
  // Both kinds of outcomes of `looking` have metadata with warnings.
  const { metadata } = (outcome.kind === "data" ? outcome.data : outcome) as {
    metadata: { warnings: readonly { code: string; message: string }[] };
  };
  return metadata.warnings;
};

const pendingAt = async (block: number | null) => {
  const snapshot = await store.facts.snapshot("demo", block);
  const pending = await pendingPrices({ facts: store.facts, network, snapshot });
  return pending === null ? null : [pending.from, pending.until];
};

test("without stored prices, those older than the 45 days that an answer computes are pending, and answers say so", async () => {
  // Block 200 is made on day 100 at 01:30; 45 days before its hour is day 55 at 01:00.
  expect(await pendingAt(null)).toEqual([dayOf(100), dayOf(155) + 3_600]);
  // On day 45 all hours can be computed.
  expect(await pendingAt(145)).toBeNull();
  expect(await pendingAt(147)).toEqual([dayOf(100), dayOf(102)]);
  for (const finds of [true, false]) {
    const [warning, ...others] = await warningsOf(looking({ prices: true, finds }));
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "PRICES_PENDING" });
    expect(warning?.message).toContain("Prices of demo from 2026-01-01 to 2026-02-25 are still being derived");
    expect(await warningsOf(looking({ prices: false, finds }))).toEqual([]);
    expect(await warningsOf(looking({ prices: true, finds }), 145)).toEqual([]);
  }
});

test("the days that the pass has reached are not pending, and none are after it", async () => {
  const hours = (from: number, until: number) =>
    Array.from({ length: (until - from) / 3_600 }, (_, n) => priceRow(COIN, from + n * 3_600, 1));
  await store.writer.insert("prices", hours(dayOf(100), dayOf(130)));
  expect(await pendingAt(null)).toEqual([dayOf(130), dayOf(155) + 3_600]);
  const [warning] = await warningsOf(looking({ prices: true, finds: true }));
  expect(warning?.message).toContain("from 2026-01-31 to 2026-02-25");
  await store.writer.insert("prices", hours(dayOf(130), dayOf(LAST)));
  expect(await pendingAt(null)).toBeNull();
  expect(await warningsOf(looking({ prices: true, finds: true }))).toEqual([]);
});

test("a network without a dollar coin has no prices to wait for", async () => {
  const snapshot = await store.facts.snapshot("demo", null);
  expect(await pendingPrices({ facts: store.facts, network: { ...network, stablecoins: [] }, snapshot })).toBeNull();
});
