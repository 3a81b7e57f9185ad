import { afterAll, beforeAll, expect, test } from "vitest";
import { exchangeWorld, WORLD_DAYS, WORLD_START } from "../../test/exchange_world.ts";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { sized } from "../../test/long.ts";
import { EMPTY, toHex } from "../lib/bytes.ts";
import { HOUR_S } from "../lib/time.ts";
import { type LabelEntry, replaceList } from "../store/lists.ts";
import { labelPasses } from "./label_passes.ts";
import { scoreDerived } from "./score_derived.ts";

const HOURS = WORLD_DAYS * 24;
/** Days between two passes. */
const DAYS = sized({ slice: 6, long: 2 });
const HEAD = {
  ...{ list: "own", kind: "labels" as const, version: "1", format: "labels-json" },
  ...{ origin: "", licence: "", published_on: "" },
};
const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const world = exchangeWorld("demo", 7);
const named = (address: Uint8Array, category: string, entity: string): LabelEntry => ({
  ...{ network: "demo", address: toHex(address), label: `${entity} wallet`, category, entity },
  ...{ confidence: 1, evidence: "", licence: "", published_on: "" },
});

const listed = world.addresses.filter(({ is_listed }) => is_listed);
const list = (entries: readonly LabelEntry[], now_ms: number) =>
  replaceList(store, HEAD, { kind: "labels", entries, now_ms });

/** Hours from one to another, both inside, as one segment. */
const seed = (from: number, to: number): Promise<void> => {
  const within = <T extends { readonly block_number: number | bigint }>(rows: readonly T[]): T[] =>
    rows.filter(({ block_number }) => block_number >= from && block_number <= to);
  const blocks = Array.from({ length: to - from + 1 }, (_, n) => from + n).map((number) => ({
    ...{
      network: "demo",
      block_number: number,
      hash: blockHash(number),
      parent_hash: blockHash(Math.max(0, number - 1)),
    },
    ...{ time: WORLD_START + number * HOUR_S, producer: testAddress(0xbeef), transaction_count: 0 },
    ...{ has_traces: 1, verified: "full" as const },
  }));
  const segment = { network: "demo", from, to, first: 0 };
  return store.seed(segment, {
    blocks,
    transfers: within(world.transfers),
    transactions: within(world.transactions),
  });
};

const passes = (now_ms: number) =>
  labelPasses({ network: fixedChain().network, store, now_ms: () => now_ms, codeOf: async () => EMPTY });
const updateAll = async (own: ReturnType<typeof passes>): Promise<void> => {
  for (const pass of own) await pass.update(signal);
};

const derived = () =>
  store.query(
    `SELECT source, lower(hex(address)), label, category, entity, evidence, toUnixTimestamp(valid_from) FROM labels FINAL
     WHERE network = 'demo' AND source != 'own' AND category != '' ORDER BY source, address`,
  );

test("hidden wallets of exchanges return under the right name, day by day as all at once", async () => {
  await list(
    listed.map(({ address, category, entity }) => named(address, category, entity)),
    1,
  );
  const own = passes(1_000);
  await seed(0, 10 * 24 - 1);
  await updateAll(own);
  for (let day = 10; day < WORLD_DAYS; day += DAYS) {
    await seed(day * 24, Math.min(HOURS, (day + DAYS) * 24) - 1);
    await updateAll(own);
  }
  const byDay = await derived();
  await updateAll(passes(2_000));
  expect(await derived()).toEqual(byDay);
  expect(byDay.length).toBeGreaterThan(50);

  const truth = world.addresses.map(({ address, category, entity }) => ({
    ...{ network: "demo", address: toHex(address), entity },
    category: category === "person" ? "public_figure" : category,
  }));
  const hidden = truth.filter((_, at) => world.addresses[at]?.is_listed === false);
  const ofExchanges = hidden.filter(({ category }) => category.startsWith("exchange"));
  const rows = byDay.map(([source, address, , , entity]) => ({ source, address, entity }));
  const right = ofExchanges.filter(({ address, entity }) =>
    rows.some((row) => row.address === address && row.entity === entity),
  );
  const wrong = rows.filter((row) => !ofExchanges.some(({ address }) => address === row.address));
  const summary = { hidden: ofExchanges.length, right: right.length, wrong: wrong.length };
  expect(summary).toMatchInlineSnapshot(`
    {
      "hidden": 98,
      "right": 84,
      "wrong": 0,
    }
  `);
  expect(summary.right / summary.hidden).toBeGreaterThanOrEqual(0.6);
  const scores = await scoreDerived(store.engine, hidden);
  expect(
    scores.map((one) => [one.category, one.rule, one.derived_count, one.contradicted_count, one.named_recall_percent]),
  ).toMatchInlineSnapshot(`
    [
      [
        "exchange",
        null,
        6,
        0,
        100,
      ],
      [
        "exchange",
        "siblings",
        6,
        0,
        100,
      ],
      [
        "exchange_deposit",
        null,
        78,
        0,
        84.78,
      ],
      [
        "exchange_deposit",
        "deposits",
        52,
        0,
        56.52,
      ],
      [
        "exchange_deposit",
        "sibling_deposits",
        26,
        0,
        28.26,
      ],
      [
        "mev_bot",
        null,
        0,
        0,
        null,
      ],
    ]
  `);
  // A rule gives no other name to an account that the list names.
  const names = new Set(listed.map(({ address }) => toHex(address) as string));
  expect(rows.filter(({ address }) => names.has(String(address)))).toEqual([]);
  for (const [source, , , , , evidence] of byDay) {
    expect(evidence, String(source)).toMatch(/^0x[0-9a-f]{64}( 0x[0-9a-f]{64}){0,2}$/);
  }
});

test("a rule's label goes when a list contradicts it, and all go when their wallet is no longer an exchange's", async () => {
  const [first] = (await derived()).filter(([source]) => source === "siblings");
  const address = Buffer.from(String(first?.[1]), "hex");
  const entries = listed.map((one) => named(one.address, one.category, one.entity));
  const own = passes(3_000);
  await list([...entries, named(address, "payment", "Shop")], 3);
  await updateAll(own);
  const rows = await derived();
  expect(rows.filter((row) => row[1] === first?.[1])).toEqual([]);
  await list([named(address, "payment", "Shop")], 4);
  await updateAll(own);
  expect(await derived()).toEqual([]);
});
