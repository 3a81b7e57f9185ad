import { afterAll, beforeAll, expect, test } from "vitest";
import { wrongAnswers } from "../../../test/cache_scenario.ts";
import { blockRows, openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { sized } from "../../../test/long.ts";
import { addressOf, bytesOf, tokenRow } from "../../../test/value_rows.ts";
import type { QueryName } from "../facts.ts";
import { type FactsStore, openFacts } from "../open.ts";
import { QUERIES } from "../queries.gen.ts";
import { questionText } from "../question_text.ts";
import { FED_BY } from "../tables.gen.ts";
import { tablesRead } from "../tables_read.ts";
import { CACHED_QUERIES } from "./cached_queries.ts";

const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);
const WRITES = sized({ slice: 24, long: 200 });

let store: TestFacts;
let readers: readonly FactsStore[];
beforeAll(async () => {
  store = await openTestFacts();
  const target = { engine: "embedded", data_dir: store.data_dir } as const;
  // The second one can keep a handful of answers only.
  readers = [
    await openFacts(target),
    await openFacts(target, { standing_bytes_max: 20_000, recent_bytes_max: 20_000 }),
  ];
});
afterAll(async () => {
  for (const reader of readers) await reader.close();
  await store.close();
});

test("whatever is written in between, each answer from the book is the engine's", async () => {
  expect(await wrongAnswers(store, readers, { seed: SEED, writes: WRITES })).toEqual([]);
  const [all, few] = readers.map(({ book }) => book);
  expect(all?.hits).toBeGreaterThan(sized({ slice: 50, long: 1_000 }));
  expect(few?.bytes).toBeLessThanOrEqual(20_000);
  const [recent, few_recent] = readers.map((one) => one.recent);
  expect(recent?.hits).toBeGreaterThan(sized({ slice: 30, long: 250 }));
  expect(few_recent?.bytes).toBeLessThanOrEqual(20_000);
});

test("caches queries with thousands of parameters and distinguishes each", async () => {
  const network = "long";
  const [token, holder] = [addressOf(9), addressOf(3)];
  const transfer = {
    ...{ network, block_number: 1, tx_index: 0, position: 0, time: 1_700_000_000, kind: "erc20" as const },
    ...{ token: bytesOf(token), token_id: 0n, amount: 5n },
    ...{ source: bytesOf(addressOf(4)), destination: bytesOf(holder), sender: bytesOf(holder) },
  };
  await store.seed({ network, from: 1, to: 2 }, { transfers: [transfer] });
  const others = Array.from({ length: 2_000 }, (_, i) => ({ token: addressOf(10_000 + i), holder }));
  const ask = async (last: typeof holder): Promise<readonly [bigint | undefined, hits: number]> => {
    const { hits } = reader().recent;
    const snapshot = await reader().served.snapshot(network, null);
    const amounts = await reader().served.balanceOf(snapshot, [...others, { token, holder: last }]);
    return [amounts.at(-1), reader().recent.hits - hits];
  };
  expect(await ask(holder)).toEqual([5n, 0]);
  expect(await ask(addressOf(4))).toEqual([-5n, 0]);
  expect(await ask(holder)).toEqual([5n, 1]);
  await store.writer.insert("transfers", [{ ...transfer, block_number: 3 }], { is_tail: true, network });
  await store.writer.insert("blocks", blockRows({ network, from: 3, to: 3 }), { is_tail: true, network });
  expect(await ask(holder)).toEqual([10n, 0]);
});

test("caches a query about movements until something moves, in rows and in columns", async () => {
  const network = "moving";
  const wallet = addressOf(3);
  const transfer = (block_number: number) => ({
    ...{ network, block_number, tx_index: 0, position: 0, time: 1_700_000_000, kind: "erc20" as const },
    ...{ token: bytesOf(addressOf(9)), token_id: 0n, amount: 5n },
    ...{ source: bytesOf(wallet), destination: bytesOf(addressOf(4)), sender: bytesOf(wallet) },
  });
  await store.seed({ network, from: 1, to: 2 }, { transfers: [transfer(1)] });
  const ask = async (): Promise<readonly [number, number, hits: number]> => {
    const { hits } = reader().recent;
    const snapshot = await reader().served.snapshot(network, null);
    const balances = await reader().served.walletBalances(snapshot, wallet);
    const span = { wallet, since: 0, until: 4_000_000_000, limit: 9 };
    const moved = await reader().served.columns(snapshot, "movements/movements", span);
    return [Number(balances[0]?.amount), moved.length, reader().recent.hits - hits];
  };
  expect(await ask()).toEqual([-5, 1, 0]);
  const [, , hits] = await ask();
  expect(hits).toBeGreaterThanOrEqual(2);
  // A price, or a block of another network, moves nothing here.
  const price = { token: "", hour: 0, price_usd: 1, volume_usd: 1, depth_usd: 1, version: 1 };
  await store.writer.insert(
    "prices",
    [
      {
        network,
        ...price,
        method: "market",
        cost_to_move_usd: -1,
        sell_reserve: -1,
        sell_payout_usd: -1,
        confidence: "low",
      },
    ],
    { network },
  );
  await store.writer.insert("transfers", [{ ...transfer(3), network: "other" }], { network: "other" });
  expect(await ask()).toEqual([-5, 1, hits]);
  await store.writer.insert("transfers", [transfer(3)], { is_tail: true, network });
  await store.writer.insert("blocks", blockRows({ network, from: 3, to: 3 }), { is_tail: true, network });
  expect(await ask()).toEqual([-10, 2, expect.any(Number)]);
  // Of the same blocks: what a view puts into the ledger is counted too.
  await store.writer.insert("transfers", [{ ...transfer(3), tx_index: 1 }], { is_tail: true, network });
  expect(await ask()).toEqual([-15, 3, expect.any(Number)]);
});

const reader = (): FactsStore => {
  const [first] = readers;
  if (first === undefined) throw new Error("no reader");
  return first;
};

test("what is read while a statement writes is not kept beyond its end", async () => {
  const network = "slow";
  const addresses = [addressOf(1)];
  await store.seed({ network, from: 1, to: 2 }, {});
  const ask = async () => {
    const snapshot = await reader().served.snapshot(network, null);
    return (await reader().served.ask(snapshot, "labels_among", { addresses })).map(({ label }) => label);
  };
  const columns = "network, address, source, label, category, entity, confidence, evidence, written_at, valid_from";
  const row = `'${network}', unhex('${addresses[0]}'), 's', 'slow', 'mixer', '', 1, '', now(), 0`;
  let is_done = false;
  const written = store.engine
    .command(`INSERT INTO labels (${columns}) SELECT ${row} FROM numbers(1) WHERE NOT ignore(sleep(1.5))`)
    .then(() => {
      is_done = true;
    });
  const running = async () =>
    Number((await store.query("SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO labels%'"))[0]?.[0]);
  await expect.poll(running, { interval: 5 }).toBe(1);
  expect(await ask()).toEqual([]);
  expect(is_done).toBe(false);
  await written;
  expect(await ask()).toEqual(["slow"]);
});

test("older blocks that begin to count bring what was written before they did", async () => {
  const network = "older";
  const contract = {
    ...{ network, block_number: 105, tx_index: 0, position: 0, time: 1, tx_hash: "", event: "created" as const },
    ...{ address: bytesOf(addressOf(7)), method: "create" as const, creator: "", factory: "", init_hash: "" },
    code_hash: "",
  };
  await store.seed({ network, from: 110, to: 119, first: 100 }, {});
  const ask = async () => {
    const snapshot = await reader().served.snapshot(network, null);
    const rows = await reader().served.ask(snapshot, "contracts_among", { addresses: [addressOf(7)] });
    return [snapshot.from_block, rows.map(({ first_block }) => first_block)];
  };
  const segment = {
    network,
    from_block: 100,
    to_block: 109,
    to_hash: "",
    has_traces: 1,
    untraced: "",
    verified: "full",
  } as const;
  const mark = { ...segment, sums: "{}", written_at: 1 };
  await store.writer.insert("segments", [{ ...mark, state: "begun" }]);
  await store.writer.insert("contracts", [contract]);
  expect(await ask()).toEqual([110, []]);
  await store.writer.insert("segments", [{ ...mark, state: "done" }]);
  expect(await ask()).toEqual([100, [105]]);
});

/** How many elements were found, and how many were not, while `work` ran. */
const counted = async (work: () => Promise<unknown>): Promise<readonly [hits: number, misses: number]> => {
  const { hits, misses } = { ...figuresOf(reader()) };
  await work();
  const after = figuresOf(reader());
  return [after.hits - hits, after.misses - misses];
};
const figuresOf = ({ book: { hits, misses } }: FactsStore) => ({ hits, misses });

test("queries only the uncached elements of a list, and caches absence too", async () => {
  const network = "parts";
  await store.seed({ network, from: 1, to: 2 }, {});
  const snapshot = await reader().served.snapshot(network, null);
  const ask = (...numbers: number[]) =>
    counted(() => reader().served.ask(snapshot, "tokens_among", { tokens: numbers.map(addressOf) }));
  expect(await ask(1, 2, 3)).toEqual([0, 3]);
  expect(await ask(3, 4, 2, 3)).toEqual([2, 1]);
  expect(await ask(4, 3, 2, 1)).toEqual([4, 0]);
  // A write to another table keeps them; one to their own table drops them at the next look.
  await store.writer.insert("suppressed", [{ family: "evm", address: "", reason: "", is_removed: 0, written_at: 1 }]);
  await reader().served.snapshot(network, null);
  expect(await ask(1, 2)).toEqual([2, 0]);
  await store.writer.insert("tokens", [{ ...tokenRow(addressOf(1), "S", 6), network }]);
  await reader().served.snapshot(network, null);
  expect(await ask(1, 2)).toEqual([0, 2]);
  // The indexer of another network writes rows of its own alone.
  const own = { ...tokenRow(addressOf(1), "T", 6), network };
  await store.writer.insert("tokens", [{ ...own, network: "other" }], { network: "other" });
  await reader().served.snapshot(network, null);
  expect(await ask(1, 2)).toEqual([2, 0]);
  await store.writer.insert("tokens", [own], { network });
  await reader().served.snapshot(network, null);
  expect(await ask(1, 2)).toEqual([0, 2]);
});

test("who indexes reads past the book", async () => {
  const network = "past";
  await store.seed({ network, from: 1, to: 2 }, {});
  const snapshot = await reader().facts.snapshot(network, null);
  expect(await counted(() => reader().facts.ask(snapshot, "tokens_among", { tokens: [addressOf(1)] }))).toEqual([0, 0]);
});

const entries = Object.keys(CACHED_QUERIES) as QueryName[]; // keys of ENTRIES, which Object.keys widens

test.each(entries)("%s leaves open the one end that it has", (query) => {
  const bounds = Object.keys(QUERIES[query].params).filter((name) => name === "to_block" || name === "block_time");
  const bound = CACHED_QUERIES[query]?.as_of?.bound;
  expect(bounds).toEqual(bound === undefined ? [] : [bound]);
});

test("each table of the book is named as its statements name it, and one that a view fills counts with what it is filled from", async () => {
  const views = await store.query(
    "SELECT extract(create_table_query, ' TO \\\\w+\\\\.(\\\\w+)') FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'",
  );
  const filled = views.map(([table]) => String(table));
  expect(filled).toContain("openings_by_token");
  const read = new Set(entries.flatMap((query) => tablesRead(questionText(query))));
  expect([...read].filter((table) => filled.includes(table))).toEqual(["deployments", "openings_by_token"]);
  expect(FED_BY).toMatchObject({ deployments: ["contracts"], openings_by_token: ["openings"] });
  expect([...read].sort()).toEqual([
    ...[
      "blocks",
      "cohorts_daily",
      "contracts",
      "deployments",
      "freeze_events",
      "freeze_watches",
      "labels",
      "listed_tokens",
      "lists",
      "mass_transfers",
      "openings",
      "openings_by_token",
      "pools",
    ],
    ...["pools_read", "position_events", "prices", "sanctions", "suppressed", "token_readings", "tokens"],
    "transactions",
  ]);
});
