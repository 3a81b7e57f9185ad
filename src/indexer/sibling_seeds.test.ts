import { expect, test } from "vitest";
import { exchangeWorld, WORLD_DAYS, WORLD_START } from "../../test/exchange_world.ts";
import { blockHash, openTestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { EMPTY, toHex } from "../lib/bytes.ts";
import { HOUR_S } from "../lib/time.ts";
import { type LabelEntry, replaceList } from "../store/lists.ts";
import { labelPasses } from "./label_passes.ts";

const HOURS = WORLD_DAYS * 24;

/** Labels by the rules for a world drawn by this seed, and the true ones. */
const judged = async (seed: number) => {
  const world = exchangeWorld("demo", seed);
  const listed: LabelEntry[] = world.addresses
    .filter(({ is_listed }) => is_listed)
    .map(({ address, category, entity }) => ({
      ...{ network: "demo", address: toHex(address), label: `${entity} wallet`, category, entity },
      ...{ confidence: 1, evidence: "", licence: "", published_on: "" },
    }));
  const head = { list: "own", kind: "labels" as const, version: "1", format: "labels-json" };
  const store = await openTestFacts();
  try {
    await replaceList(
      store,
      { ...head, origin: "", licence: "", published_on: "" },
      { kind: "labels", entries: listed, now_ms: 1 },
    );
    const blocks = Array.from({ length: HOURS }, (_, number) => ({
      ...{ network: "demo", block_number: number, hash: blockHash(number) },
      ...{ parent_hash: blockHash(Math.max(0, number - 1)), time: WORLD_START + number * HOUR_S },
      ...{ producer: testAddress(0xbeef), transaction_count: 0, has_traces: 1, verified: "full" as const },
    }));
    const { transfers, transactions } = world;
    await store.seed({ network: "demo", from: 0, to: HOURS - 1, first: 0 }, { blocks, transfers, transactions });
    const { network } = fixedChain();
    const passes = labelPasses({ network, store, now_ms: () => 1_000, codeOf: async () => EMPTY });
    for (const pass of passes) await pass.update(new AbortController().signal);
    const rows = await store.query(
      "SELECT lower(hex(address)), entity, category FROM labels FINAL WHERE network = 'demo' AND source != 'own' AND category != ''",
    );
    const said = new Map(rows.map(([address, entity, category]) => [String(address), { entity, category }]));
    const truth = new Map(world.addresses.map((one) => [toHex(one.address) as string, one]));
    const hidden = world.addresses.filter(({ category, is_listed }) => category.startsWith("exchange") && !is_listed);
    return {
      hidden: hidden.length,
      right: hidden.filter(({ address, entity }) => said.get(toHex(address))?.entity === entity).length,
      wrong: [...said].filter(([address, { entity }]) => truth.get(address)?.entity !== entity).length,
      /** Wallets of exchanges that a rule takes for deposit addresses of customers, and those that the list names. */
      hot_as_deposit: [...said].filter(
        ([address, { category }]) =>
          category === "exchange_deposit" &&
          (truth.get(address)?.category === "exchange" || truth.get(address)?.is_listed === true),
      ).length,
    };
  } finally {
    await store.close();
  }
};

test.each([
  [11, { hidden: 98, right: 86, wrong: 0, hot_as_deposit: 0 }],
  [23, { hidden: 98, right: 84, wrong: 0, hot_as_deposit: 0 }],
  [42, { hidden: 98, right: 89, wrong: 0, hot_as_deposit: 0 }],
] as const)(
  "a world of seed %i: most hidden wallets return, and no labelled one as a deposit address",
  async (seed, expected) => {
    const found = await judged(seed);
    expect(found).toEqual(expected);
    expect(found.right / found.hidden).toBeGreaterThanOrEqual(0.6);
    expect(found.hot_as_deposit).toBe(0);
  },
);
