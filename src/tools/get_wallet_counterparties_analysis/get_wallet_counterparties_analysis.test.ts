import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import { sameOwnerSignals } from "../../domain/wallet/counterparties/same_owner.ts";
import { indirectOf } from "../../domain/wallet/counterparties/sums.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { getWalletCounterpartiesAnalysis } from "./index.ts";

const USDC = hex("cc".repeat(20));
const [WALLET, FUNDER, TWIN, FRIEND, MIXER, OTHER, DEPOSIT] = [0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7].map(
  addressOf,
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex]; // seven numbers, seven addresses
const HEAD = 110;
const UNIT = 10n ** 18n;

const chain = fixedChain({ network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] } });

let store: TestFacts;
let later: TestFacts;

const coins = (source: Hex, destination: Hex) => ({
  kind: "native" as const,
  token: "" as const,
  source,
  destination,
  amount: UNIT,
});
const dollars = (source: Hex, destination: Hex, amount: bigint) => ({
  kind: "erc20" as const,
  token: USDC,
  source,
  destination,
  amount: amount * UNIT,
});
const label = (address: Hex, category: string, entity: string) => ({
  network: "demo",
  address: bytesOf(address),
  source: "test",
  label: category,
  category,
  entity,
  confidence: 1,
  evidence: "",
  written_at: 1,
  valid_from: 0,
  licence: "",
  published_on: "",
});

/** Blocks are days: 101 is 2 January. */
const STORY = [
  ...transfersOf({ block: 101 }, FUNDER, [coins(FUNDER, WALLET)]),
  ...transfersOf({ block: 101, tx_index: 1 }, FUNDER, [coins(FUNDER, TWIN)]),
  ...transfersOf({ block: 102 }, MIXER, [dollars(MIXER, FRIEND, 600n)]),
  ...transfersOf({ block: 102, tx_index: 1 }, OTHER, [dollars(OTHER, FRIEND, 400n)]),
  ...transfersOf({ block: 103 }, FRIEND, [dollars(FRIEND, WALLET, 500n)]),
  ...transfersOf({ block: 104 }, MIXER, [dollars(MIXER, WALLET, 50n)]),
  ...transfersOf({ block: 105 }, WALLET, [dollars(WALLET, DEPOSIT, 200n)]),
  ...transfersOf({ block: 105, tx_index: 1 }, TWIN, [dollars(TWIN, DEPOSIT, 100n)]),
  ...transfersOf({ block: 106 }, WALLET, [dollars(WALLET, TWIN, 1_000n)]),
  ...transfersOf({ block: 107 }, TWIN, [dollars(TWIN, WALLET, 1_000n)]),
  ...transfersOf({ block: 108 }, FRIEND, [dollars(FRIEND, WALLET, 10n)]),
];

const openStory = async (range: { readonly from: number; readonly first: number }): Promise<TestFacts> => {
  const opened = await openTestFacts();
  await opened.seed({ network: "demo", to: HEAD, ...range }, { blocks: dailyBlocks(HEAD), transfers: STORY });
  await opened.writer.insert("tokens", [tokenRow(USDC, "USDC", 18)]);
  const days = Array.from({ length: HEAD - 100 + 1 }, (_, i) => priceRow(USDC, dayOf(100 + i), 1));
  await opened.writer.insert("prices", days);
  await opened.writer.insert("labels", [
    label(MIXER, "mixer", "Tumbler"),
    label(DEPOSIT, "exchange_deposit", "Bourse"),
  ]);
  return opened;
};

beforeAll(async () => {
  store = await openStory({ from: 0, first: 0 });
  later = await openStory({ from: 100, first: 50 });
});
afterAll(async () => {
  await store.close();
  await later.close();
});

const run = (more: object = {}, [wallet, on]: readonly [Hex, TestFacts] = [WALLET, store]) =>
  runTool(
    getWalletCounterpartiesAnalysis,
    { address: `0x${wallet}`, network: "demo", ...more },
    callContext({ facts: on.facts, chain: () => chain }),
  );

const dataOf = async (more: object = {}, on: TestFacts = store) => {
  const outcome = await run(more, [WALLET, on]);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getWalletCounterpartiesAnalysis.output.parse(outcome.data);
};

test("volumes by category and entity add up", async () => {
  const { by_category, by_entity, summary, exchange_use } = await dataOf();
  // In: 500 + 10 from the friend, 50 from the mixer, 1,000 from the twin; out: 200 and 1,000.
  expect(summary).toMatchObject({ counterparty_count: 5, labeled_count: 2, total_in_usd: 1_560, total_out_usd: 1_200 });
  // The funder's ether has no price here.
  expect(summary.unpriced_transfers).toBe(1);
  expect(
    by_category.map(({ category, in_usd, out_usd, peer_count }) => [category, in_usd, out_usd, peer_count]),
  ).toEqual([
    ["unlabelled", 1_510, 1_000, 3],
    ["exchange_deposit", 0, 200, 1],
    ["mixer", 50, 0, 1],
  ]);
  expect(by_category[1]?.share_out_percent).toBeCloseTo((100 * 200) / 1_200, 9);
  expect(by_entity.map(({ entity, addresses_count }) => [entity, addresses_count])).toEqual([
    ["Bourse", 1],
    ["Tumbler", 1],
  ]);
  expect(exchange_use).toEqual({
    deposits_usd: 200,
    withdrawals_usd: 0,
    exchanges: [{ entity: "Bourse", deposits_usd: 200, withdrawals_usd: 0, addresses_count: 1 }],
  });
});

test("concentration is measured per direction and over both", async () => {
  const { concentration } = await dataOf();
  // Volumes 2,000, 510, 200, 50 and 0: 2,760 in all.
  expect(concentration.top1_percent).toBeCloseTo((100 * 2_000) / 2_760, 9);
  expect(concentration.top5_percent).toBeCloseTo(100, 9);
  expect(concentration.hhi_in).toBeCloseTo((510 ** 2 + 50 ** 2 + 1_000 ** 2) / 1_560 ** 2, 9);
  expect(concentration.hhi_out).toBeCloseTo((200 ** 2 + 1_000 ** 2) / 1_200 ** 2, 9);
});

test("a twin with three signals is likely the same owner", async () => {
  const { relationships } = await dataOf();
  const of = (relation: string) => relationships.filter((one) => one.relation === relation);
  expect(of("first_funder").map(({ address, confidence }) => [address, confidence])).toEqual([
    [chain.formatAddress(FUNDER), 1],
  ]);
  expect(of("deposit_address").map(({ address }) => address)).toEqual([chain.formatAddress(DEPOSIT)]);
  expect(of("mutual").map(({ address }) => address)).toEqual([chain.formatAddress(TWIN)]);
  // Both pay to the deposit address, both were funded by one address on 2 January, 1,000 went and came back.
  expect(of("same_owner_likely").map(({ address, confidence }) => [address, confidence])).toEqual([
    [chain.formatAddress(TWIN), 0.85],
  ]);
  expect(relationships.every(({ evidence }) => evidence.length > 0)).toBe(true);
});

describe("risk", () => {
  test("at one step is what came straight from the category", async () => {
    const { risk_exposure } = await dataOf();
    expect(risk_exposure).toMatchObject([
      { category: "mixer", direct_in_usd: 50, direct_out_usd: 0, indirect_in_usd: null, indirect_out_usd: null },
    ]);
    expect(risk_exposure[0]?.top_sources).toMatchObject([
      { address: chain.formatAddress(MIXER), hops: 1, amount_usd: 50 },
    ]);
  });

  test("at two steps is pro rata to what the counterparty received", async () => {
    // The friend got 600 of 1,000 from the mixer and paid 510.
    const { risk_exposure } = await dataOf({ hops: 2 });
    expect(risk_exposure[0]).toMatchObject({ category: "mixer", direct_in_usd: 50, indirect_out_usd: 0 });
    expect(risk_exposure[0]?.indirect_in_usd).toBeCloseTo(306, 9);
  });

  test("stops tracing at a counterparty with more than a million transfers, and says so", async () => {
    const busy = await openStory({ from: 0, first: 0 });
    try {
      await busy.engine.command(`INSERT INTO balances_by_holder (network, holder, token, amount, high, transfers, first_block, last_block)
        VALUES ('demo', unhex('${FRIEND}'), unhex('${OTHER}'), 0, 0, 1000000, 100, 110)`);
      const { risk_exposure, metadata } = await dataOf({ hops: 2 }, busy);
      expect(risk_exposure).toMatchObject([{ category: "mixer", direct_in_usd: 50, indirect_in_usd: 0 }]);
      expect(metadata.warnings.map(({ code }) => code)).toContain("INDIRECT_PARTIAL");
      const { metadata: whole } = await dataOf({ hops: 2 });
      expect(whole.warnings.map(({ code }) => code)).not.toContain("INDIRECT_PARTIAL");
    } finally {
      await busy.close();
    }
  });
});

test("who was met before the window is not new", async () => {
  // From 6 January on: the deposit address and the twin for the first time, the friend again.
  const { recurrence } = await dataOf({ from_date: "2026-01-06" });
  expect(recurrence.new_peers).toBe(2);
  // The twin in two transactions, the others in one.
  expect(recurrence).toMatchObject({ recurring_peers: 1 });
  expect(recurrence.one_off_percent).toBeCloseTo(200 / 3, 9);
});

test("reports no new counterparty and no first funder without the whole history", async () => {
  const { recurrence, relationships, unavailable, metadata } = await dataOf({}, later);
  expect(recurrence.new_peers).toBeNull();
  expect(relationships.map(({ relation }) => relation)).not.toContain("first_funder");
  expect(unavailable.map(({ field }) => field)).toContain("recurrence.new_peers");
  expect(metadata.warnings.map(({ code }) => code)).toContain("WINDOW_NOT_COVERED");
});

test("a stranger is no data, and nothing is proven where blocks are missing", async () => {
  expect(await run({}, [addressOf(0x77), store])).toMatchObject({ kind: "no_data", type: "counterparties_analysis" });
  expect(await run({}, [addressOf(0x77), later])).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
});

test("one signal is no owner", () => {
  const evidence = [{ kind: "tx" as const, ref: "0x1", observed_at: "2026-01-01T00:00:00Z" }];
  const none = { shared_deposit: [], same_funder: [], flow: null, contacts: [] };
  expect(sameOwnerSignals({ ...none, same_funder: evidence })).toBeNull();
  expect(sameOwnerSignals({ ...none, same_funder: evidence, shared_deposit: evidence })?.confidence).toBe(0.7);
  const near = { in_usd: 100, out_usd: 91 };
  expect(sameOwnerSignals({ ...none, same_funder: evidence, flow: near, contacts: evidence })?.confidence).toBe(0.7);
  const far = { in_usd: 100, out_usd: 89 };
  expect(sameOwnerSignals({ ...none, same_funder: evidence, flow: far, contacts: evidence })).toBeNull();
});

test("an address that received nothing passes nothing on", () => {
  const volumes = [{ asset: USDC, in_usd: 100, out_usd: 100 }];
  expect(indirectOf([], { address: FRIEND, volumes }, "mixer")).toEqual({ in_usd: 0, out_usd: 0 });
});

test("clean money of another asset does not dilute, and money that was swapped is not lost", () => {
  const ether = addressOf(0x99);
  const got = (asset: Hex, category: string, usd: number) => ({ address: FRIEND, direction: 1, asset, category, usd });
  const traced = [got(USDC, "mixer", 1_000), got(ether, "", 9_000)];
  const received = (asset: Hex) =>
    indirectOf(traced, { address: FRIEND, volumes: [{ asset, in_usd: 500, out_usd: 0 }] }, "mixer").in_usd;
  // All of its USDC is the mixer's; a tenth of all of its money is.
  expect(received(USDC)).toBe(500);
  expect(received(ether)).toBe(50);
});
