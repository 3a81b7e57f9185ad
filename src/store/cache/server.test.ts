import { afterAll, beforeAll, expect, test } from "vitest";
import { wrongAnswers } from "../../../test/cache_scenario.ts";
import { type ClickHouseServer, startClickHouse } from "../../../test/clickhouse/server.ts";
import { blockHash, blockRows, type SeedRows, type TestSegment } from "../../../test/facts_store.ts";
import { sized } from "../../../test/long.ts";
import { type FactsStore, openFacts } from "../open.ts";
import type { TableName } from "../writer.ts";

const WRITES = sized({ slice: 15, long: 60 });

let server: ClickHouseServer;
let stores: readonly FactsStore[];
beforeAll(async () => {
  server = await startClickHouse();
  const { url, user, password } = server;
  const target = { engine: "clickhouse", url, user, password } as const;
  stores = [
    await openFacts(target),
    await openFacts(target),
    await openFacts(target, { standing_bytes_max: 20_000, recent_bytes_max: 20_000 }),
  ];
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await server?.stop();
});

/** A segment without balances: no question of the book reads them. */
const seedWith =
  ({ writer }: FactsStore) =>
  async (segment: TestSegment, rows: SeedRows): Promise<void> => {
    const { network, from, to, first = from } = segment;
    const at = { network, written_at: Date.now() / 1000 };
    const wanted = { chain_id: 1, from_block: first, from_hash: blockHash(first), is_opened: 1 };
    await writer.insert("networks", [{ ...at, ...wanted }]);
    const bounds = { from_block: from, to_block: to, to_hash: blockHash(to), has_traces: 1, untraced: "", sums: "{}" };
    await writer.insert("segments", [{ ...at, ...bounds, verified: "full", state: "begun" }]);
    // Keys of SeedRows are table names, and each list has the rows of its table.
    for (const table of Object.keys(rows) as TableName[]) await writer.insert(table, rows[table] ?? []);
    await writer.insert("blocks", blockRows(segment));
    await writer.insert("segments", [{ ...at, ...bounds, verified: "full", state: "done" }]);
  };

test("on a server too each answer from the book is the engine's, whatever is written in between", async () => {
  const [own, ...readers] = stores;
  if (own === undefined) throw new Error("no store");
  expect(await wrongAnswers({ writer: own.writer, seed: seedWith(own) }, readers, { seed: 5, writes: WRITES })).toEqual(
    [],
  );
  expect(readers[0]?.book.hits).toBeGreaterThan(5 * WRITES);
});

test("notices writes of other processes to the server", async () => {
  const [own, reader] = stores;
  const marks = async () => (await reader?.engine.writes())?.of(["labels"], null);
  const before = await marks();
  expect(await marks()).toBe(before);
  await server.ask("INSERT INTO assay.labels (network, address, label) VALUES ('other', 'a', 'b')");
  const after = await marks();
  expect(after).not.toBe(before);
  await own?.engine.command("ALTER TABLE labels DELETE WHERE network = 'other'", { settings: { mutations_sync: 1 } });
  expect(await marks()).not.toBe(after);
});
