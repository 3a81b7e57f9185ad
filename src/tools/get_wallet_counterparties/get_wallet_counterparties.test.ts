import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { chain, ETH, FRIEND, native, seedScenario, WALLET } from "../../../test/transactions_scenario.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, transfersOf } from "../../../test/value_rows.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { getWalletCounterparties } from "./index.ts";

const POOL = hex("30".repeat(20));
const POISONER = hex(`abcd${"2".repeat(32)}4321`);
const SPAMMER = hex("40".repeat(20));
const ROUTER = hex("a1".repeat(20));
const POOL_ONE = hex("a2".repeat(20));
const POOL_TWO = hex("a3".repeat(20));
const [TOKEN_A, TOKEN_B] = [hex("b1".repeat(20)), hex("b2".repeat(20))];
/** A network without prices, on which the wallet met its friend again, a router and 30 strangers. */
const second = fixedChain({ network: { id: "second", caip2: "eip155:2" } });
const STRANGERS = 30;

const erc20 = (token: Hex, [source, destination]: readonly [Hex, Hex], amount: bigint) =>
  ({ kind: "erc20", token, source, destination, amount }) as const;

const elsewhere = () =>
  [
    ...transfersOf({ block: 100 }, FRIEND, [native(FRIEND, WALLET, ETH)]),
    ...transfersOf({ block: 101 }, WALLET, [
      erc20(TOKEN_A, [WALLET, POOL_ONE], 5n),
      erc20(TOKEN_B, [POOL_TWO, WALLET], 7n),
    ]),
    ...Array.from({ length: STRANGERS }, (_, i) =>
      transfersOf({ block: 102, tx_index: i }, WALLET, [native(WALLET, addressOf(0x500 + i), 1n)]),
    ).flat(),
  ].map((row) => ({ ...row, network: "second" }));

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedScenario(store);
  const routed = {
    network: "second",
    block_number: 101,
    tx_index: 0,
    hash: bytesOf(hex("01".repeat(32))),
    time: dayOf(101),
    sender: bytesOf(WALLET),
    recipient: bytesOf(ROUTER),
    value: 0n,
    fee: 0n,
    gas_used: 0,
    nonce: 0,
    succeeded: 1,
    selector: "",
    created: "",
  };
  await store.seed(
    { network: "second", from: 0, to: 110 },
    {
      blocks: dailyBlocks(110).map((row) => ({ ...row, network: "second" })),
      transfers: elsewhere(),
      transactions: [routed],
    },
  );
  const said = {
    network: "second",
    source: "test",
    confidence: 1,
    evidence: "",
    valid_from: 0,
    licence: "",
    published_on: "",
    written_at: 1,
    entity: "Router Inc",
  };
  await store.writer.insert("labels", [
    { ...said, address: bytesOf(ROUTER), label: "Router", category: "dex" },
    { ...said, address: bytesOf(addressOf(0x500)), label: "Tumbler", category: "mixer" },
  ]);
});
afterAll(() => store.close());

type CounterpartiesTestInput = Omit<Parameters<typeof getWalletCounterparties.input.parse>[0] & object, "address">;

const context = {
  facts: {} as TestFacts["facts"], // set by run: the store opens later
  chain: (id: string) => (id === "second" ? second : chain),
  networks: ["demo", "second"],
  operator: SILENT_OPERATOR,
  signal: AbortSignal.timeout(30_000),
};
const run = (asked: CounterpartiesTestInput = {}, wallet = WALLET) =>
  runTool(
    getWalletCounterparties,
    { address: `0x${wallet}`, network: "demo", ...asked },
    { ...context, facts: store.facts },
  );
const dataOf = async (asked: CounterpartiesTestInput = {}, wallet = WALLET) => {
  const outcome = await run(asked, wallet);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletCounterparties.output.parse(outcome.data);
};
const text = (hex: Hex) => chain.formatAddress(hex);

describe("one network", () => {
  test("transfers are summed per counterparty, at the hour's price, largest volume first", async () => {
    const { data, summary } = await dataOf();
    expect(data.map(({ peer }) => peer.address)).toEqual([text(FRIEND), text(POOL)]);
    // In: 10 ETH at 2,000 and 1 + 2 + … + 45 = 1,035 USDC. Out: 1 ETH. A collectible and an unknown token have no price.
    // Transactions: block 100, 101, 106 and 45 in block 108.
    expect(data[0]).toMatchObject({
      interaction_count: 49,
      tx_count: 48,
      volume_in_usd: 21_035,
      volume_out_usd: 2_000,
      total_volume_usd: 23_035,
      net_usd: 19_035,
      unpriced_transfers: 2,
      first_interaction: "2026-01-01T00:00:00Z",
      last_interaction: "2026-01-09T00:00:00Z",
      chains: ["demo"],
      risk_tags: null,
      is_spam: false,
    });
    expect(
      data[0]?.tokens.map(({ symbol, amount_in, amount_out, transfer_count }) => [
        symbol,
        amount_in,
        amount_out,
        transfer_count,
      ]),
    ).toEqual([
      ["ETH", 10, 1, 2],
      ["USDC", 1_035, 0, 45],
      ["ART", 1, 0, 1],
      [null, null, null, 1],
    ]);
    expect(data[1]).toMatchObject({
      peer: { label: "Pool of the story", tags: ["dex"], category: "dex", entity: null, is_contract: false },
      interaction_count: 2,
      tx_count: 1,
      volume_in_usd: 2_000,
      volume_out_usd: 2_000,
      net_usd: 0,
      risk_tags: [],
    });
    expect(summary).toEqual({
      counterparty_count: 2,
      labeled_count: 1,
      total_in_usd: 23_035,
      total_out_usd: 4_000,
      unpriced_transfers: 2,
      // A withdrawal of 1 ETH, that a block issued.
      left_out: { mints_usd: 0, rewards_usd: 2_000, burns_usd: 0 },
      hidden_spam: 2,
    });
  });

  test("spam is hidden unless asked for, and then flagged with the transaction", async () => {
    const { data, summary } = await dataOf({ include_spam: true });
    const flagged = data.filter(({ is_spam }) => is_spam);
    expect(flagged.map(({ peer, spam_reasons }) => [peer.address, spam_reasons])).toEqual([
      [text(SPAMMER), ["mass_airdrop"]],
      [text(POISONER), ["zero_value_transfer", "lookalike_peer"]],
    ]);
    // Neither has a volume: ties stand by address. The only transaction of block 104, and number 1 of block 101.
    const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;
    expect(flagged.map(({ evidence }) => evidence)).toEqual([
      [{ kind: "tx", ref: hash(104_000), observed_at: "2026-01-05T00:00:00Z" }],
      [{ kind: "tx", ref: hash(101_001), observed_at: "2026-01-02T00:00:00Z" }],
    ]);
    expect(summary).toMatchObject({ counterparty_count: 4, hidden_spam: 0 });
  });

  test.each([
    [{ direction: "out" }, [0, 2_000], [0, 2_000]],
    [{ direction: "in" }, [21_035, 0], [2_000, 0]],
    [{ token_address: "native" }, [20_000, 2_000], [0, 2_000]],
    [{ from_date: "2026-01-02", to_date: "2026-01-04" }, null, [2_000, 2_000]],
  ] as const)("%j narrows what is counted", async (asked, friend, pool) => {
    const { data } = await dataOf(asked);
    const volumes = (hex: Hex) => {
      const row = data.find(({ peer }) => peer.address === text(hex));
      return row === undefined ? undefined : [row.volume_in_usd, row.volume_out_usd];
    };
    expect(volumes(FRIEND)).toEqual(friend ?? [0, 2_000]);
    expect(volumes(POOL)).toEqual(pool);
  });

  test("a minimum drops small counterparties, and the counts say so", async () => {
    const { data, summary } = await dataOf({ min_usd: 4_001 });
    expect(data.map(({ peer }) => peer.address)).toEqual([text(FRIEND)]);
    expect(summary).toMatchObject({ counterparty_count: 1, labeled_count: 0, total_in_usd: 21_035 });
  });

  test.each([
    ["volume", [FRIEND, POOL]],
    ["count", [FRIEND, POOL]],
    ["recent", [FRIEND, POOL]],
  ] as const)("sorted by %s", async (sort_by, order) => {
    const { data } = await dataOf({ sort_by });
    expect(data.map(({ peer }) => peer.address)).toEqual(order.map(text));
  });

  test("an earlier block knows only what had happened", async () => {
    const { data, metadata } = await dataOf({ as_of_block: 101 });
    expect(data.map(({ interaction_count, volume_in_usd }) => [interaction_count, volume_in_usd])).toEqual([
      [2, 20_000],
    ]);
    expect(metadata.date_range).toEqual({ from: "2025-10-05", to: "2026-01-02" });
  });

  test("an address that never moved anything is no data", async () => {
    expect((await run({}, hex("ff".repeat(20)))).kind).toBe("no_data");
  });
});

describe("a network without prices", () => {
  test("a swap is dealt with the labelled contract that was called, its pools are named", async () => {
    const { data } = await dataOf({ network: "second", sort_by: "count" });
    expect(data[0]).toMatchObject({
      peer: { address: text(ROUTER), label: "Router", entity: "Router Inc" },
      interaction_count: 2,
      tx_count: 1,
      via: [text(POOL_ONE), text(POOL_TWO)],
      volume_in_usd: null,
      volume_out_usd: null,
      total_volume_usd: null,
      net_usd: null,
      unpriced_transfers: 2,
    });
    const [tumbler] = data.filter(({ peer }) => peer.label === "Tumbler");
    expect(tumbler?.risk_tags).toEqual(["mixer"]);
  });

  test("what has no price has no volume, and nothing that came in is zero", async () => {
    const { data, summary } = await dataOf({ network: "second", records_per_page: 100 });
    const stranger = data.find(({ peer }) => peer.address === text(addressOf(0x501)));
    expect(stranger).toMatchObject({ volume_in_usd: 0, volume_out_usd: null, net_usd: null });
    expect(stranger).toMatchObject({ transfers_in: 0, transfers_out: stranger?.interaction_count });
    expect(summary).toMatchObject({ total_in_usd: null, total_out_usd: null, counterparty_count: STRANGERS + 2 });
  });

  test.each([7, 32, 100])("pages of %i neither repeat nor skip", async (records_per_page) => {
    const whole = (await dataOf({ network: "second", records_per_page: 100 })).data.map(({ peer }) => peer.address);
    expect(new Set(whole).size).toBe(STRANGERS + 2);
    const joined: string[] = [];
    for (let page = 1; page === 1 || joined.length < whole.length; page += 1) {
      const { data, pagination, summary } = await dataOf({ network: "second", page, records_per_page });
      joined.push(...data.map(({ peer }) => peer.address));
      expect(summary.counterparty_count).toBe(STRANGERS + 2);
      expect(pagination.has_more_data).toBe(joined.length < whole.length);
    }
    expect(joined).toEqual(whole);
    expect(await run({ network: "second", page: 99, records_per_page })).toMatchObject({ kind: "no_data" });
  });
});

describe("all networks", () => {
  test("a counterparty met on two networks is one row", async () => {
    const { data, summary, metadata } = await dataOf({ network: "all", records_per_page: 100 });
    // demo: 49 transfers, 2 of them without price; second: one more, without a price.
    expect(data[0]).toMatchObject({
      interaction_count: 50,
      volume_in_usd: 21_035,
      unpriced_transfers: 3,
      chains: ["demo", "second"],
    });
    expect(data[0]?.tokens[0]).toMatchObject({ chain: "demo", amount_in: 10 });
    expect(summary).toMatchObject({
      counterparty_count: STRANGERS + 3,
      labeled_count: 3,
      total_in_usd: 23_035,
      hidden_spam: 2,
    });
    expect(metadata.networks?.map(({ network }) => network)).toEqual(["demo", "second"]);
  });

  test("pages of the union neither repeat nor skip", async () => {
    const whole = (await dataOf({ network: "all", records_per_page: 100 })).data.map(({ peer }) => peer.address);
    const pages = await Promise.all([1, 2, 3].map((page) => dataOf({ network: "all", page, records_per_page: 13 })));
    expect(pages.flatMap(({ data }) => data.map(({ peer }) => peer.address))).toEqual(whole);
    expect(pages.map(({ pagination }) => pagination.has_more_data)).toEqual([true, true, false]);
  });
});
