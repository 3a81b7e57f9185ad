import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, dailyBlocks, dayOf, priceRow, transfersOf } from "../../../test/value_rows.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { getWalletCounterparties } from "../get_wallet_counterparties/index.ts";
import { getWalletTransactionPatterns } from "../get_wallet_transaction_patterns/index.ts";
import { getWalletTransactions } from "./index.ts";

const WALLET = addressOf(0xa11ce);
const FRIEND = addressOf(0xf1);
const PRODUCER = addressOf(0xbee);
const POISON = addressOf(0xbad);
const WETH = hex("60".repeat(20));
const USDC = hex("50".repeat(20));
const STABLECOINS = [{ symbol: "USDC", address: USDC, peg: "USD" }];
const ETH = 10n ** 18n;
const HEAD = 106;

const on = <T extends object>(network: string, rows: readonly T[]) => rows.map((row) => ({ ...row, network }));

const coins = (source: Hex, destination: Hex, amount: bigint) => ({
  ...{ kind: "native" as const, token: "" as const, source, destination, amount },
});

/** Days 101, 103 and 105 on one network, 102 to 104 on the other: 1, 3, 5 and 2, 30, 4 coins; one piece of spam. */
const DEMO = [
  ...transfersOf({ block: 101 }, FRIEND, [coins(FRIEND, WALLET, ETH)]),
  ...transfersOf({ block: 103 }, FRIEND, [coins(FRIEND, WALLET, 3n * ETH)]),
  ...transfersOf({ block: 104 }, POISON, [
    { kind: "erc20" as const, token: addressOf(0x5ca), source: WALLET, destination: POISON, amount: 0n },
  ]),
  ...transfersOf({ block: 105 }, FRIEND, [coins(FRIEND, WALLET, 5n * ETH)]),
];
const SECOND = [
  ...transfersOf({ block: 102 }, FRIEND, [coins(FRIEND, WALLET, 2n * ETH)]),
  ...transfersOf({ block: 103 }, FRIEND, [coins(FRIEND, WALLET, 30n * ETH)]),
  ...transfersOf({ block: 104 }, FRIEND, [
    coins(FRIEND, WALLET, 4n * ETH),
    { kind: "tip" as const, token: "", source: FRIEND, destination: PRODUCER, amount: ETH / 10n },
  ]),
];

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  for (const [network, rows] of [
    ["demo", DEMO],
    ["second", SECOND],
  ] as const) {
    await store.seed(
      { network, from: 0, to: HEAD },
      { blocks: on(network, dailyBlocks(HEAD)), transfers: on(network, rows) },
    );
    // The hours of the stablecoin are those of which prices are stored.
    const prices = [101, 102, 103, 104, 105].flatMap((block) => [
      priceRow(USDC, dayOf(block), 1),
      priceRow(WETH, dayOf(block), 100),
    ]);
    await store.writer.insert("prices", on(network, prices));
  }
});
afterAll(() => store.close());

const chains = new Map(
  ["demo", "second", "away"].map((id) => [
    id,
    fixedChain({ network: { id, wrapped_native: WETH, stablecoins: STABLECOINS } }),
  ]),
);

const context = (networks: readonly string[]) =>
  callContext({
    facts: store.facts,
    networks,
    chain: (id) => {
      const chain = chains.get(id);
      if (chain === undefined) throw new Error(id);
      return chain;
    },
  });

const ask = (asked: object, { wallet = WALLET, networks = ["demo", "second"] } = {}) =>
  runTool(getWalletTransactions, { address: `0x${wallet}`, network: "all", ...asked }, context(networks));

const dataOf = async (asked: object, more?: { readonly wallet?: Hex; readonly networks?: string[] }) => {
  const outcome = await ask(asked, more);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getWalletTransactions.output.parse(outcome.data);
};

describe("several networks", () => {
  test("are one list, newest first, rows of one second in the order of the networks", async () => {
    const { data, summary, by_network, metadata, pagination } = await dataOf({});
    expect(data.map(({ chain, amount }) => [chain, amount])).toEqual([
      ["demo", 5],
      ["second", 4],
      ["demo", 3],
      ["second", 30],
      ["second", 2],
      ["demo", 1],
    ]);
    expect(summary).toMatchObject({ tx_count: 6, hidden_spam: 1, unique_tokens: 2 });
    expect(by_network.map(({ network, tx_count, hidden_spam }) => [network, tx_count, hidden_spam])).toEqual([
      ["demo", 3, 1],
      ["second", 3, 0],
    ]);
    expect(pagination).toMatchObject({ returned_count: 6, has_more_data: false, is_complete: true, network: "all" });
    expect(metadata.networks?.map(({ network }) => network)).toEqual(["demo", "second"]);
  });

  test.each([1, 2, 4])("in pages of %i neither repeat nor skip, and hidden rows add up", async (records_per_page) => {
    const whole = (await dataOf({})).data;
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(whole.length / records_per_page) }, (_, i) =>
        dataOf({ page: i + 1, records_per_page }),
      ),
    );
    expect(pages.flatMap(({ data }) => data)).toEqual(whole);
    expect(pages.map(({ pagination }) => pagination.has_more_data)).toEqual(pages.map((_, i) => i < pages.length - 1));
    expect(pages.reduce((sum, { summary }) => sum + summary.hidden_spam, 0)).toBe(1);
    expect(await ask({ page: pages.length + 1, records_per_page })).toMatchObject({ kind: "no_data" });
  });

  test("one that cannot be read is named, and the others answer", async () => {
    const { data, metadata, pagination } = await dataOf({}, { networks: ["demo", "away"] });
    expect(data).toHaveLength(3);
    expect(metadata.warnings.map(({ code }) => code)).toEqual(["NETWORK_UNAVAILABLE"]);
    expect(metadata.networks?.map(({ network, coverage }) => [network, coverage === null])).toEqual([
      ["demo", false],
      ["away", true],
    ]);
    expect(pagination.is_complete).toBe(false);
  });

  test("take no token of one of them", () => {
    const asked = getWalletTransactions.input.parse({
      ...{ address: `0x${WALLET}`, network: "all", token_address: `0x${addressOf(0x5ca)}` },
    });
    expect(getWalletTransactions.check?.(asked, { networks: ["demo", "second"], today: "2026-01-11" })).toContain(
      "single network",
    );
  });
});

describe("who only earned tips", () => {
  const of = { address: `0x${PRODUCER}`, network: "second" };

  test("has them in the list's summary", async () => {
    // A tenth of a coin at 100 USD.
    const { data, summary } = await dataOf({ network: "second" }, { wallet: PRODUCER });
    expect(data).toEqual([]);
    expect(summary).toMatchObject({ tx_count: 0, collected_fees_count: 1, collected_fees_usd: 10 });
  });

  test("has patterns and counterparties, without transactions", async () => {
    const [patterns, counterparties] = await Promise.all([
      runTool(getWalletTransactionPatterns, of, context(["second"])),
      runTool(getWalletCounterparties, of, context(["second"])),
    ]);
    expect(patterns).toMatchObject({
      kind: "data",
      data: { activity: { tx_count: 0, active_days: 0, tx_per_active_day: 0, first_seen: "2026-01-05T00:00:00Z" } },
    });
    expect(counterparties).toMatchObject({ kind: "data", data: { data: [], summary: { counterparty_count: 0 } } });
  });

  test("who has nothing at all has no data", async () => {
    expect(await ask({ network: "second" }, { wallet: addressOf(0x404) })).toMatchObject({ kind: "no_data" });
  });
});
