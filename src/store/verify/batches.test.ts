/** Rows of batches that are lost, doubled or planted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { factsHash } from "../../../test/facts_hash.ts";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { LossyBatches, RECEIVED } from "../../../test/lossy_batches.ts";
import { columnsOf } from "../sums.ts";
import { mendBalances } from "./balances.ts";
import { mendLayouts, takeBack } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const read = async (network: string): Promise<LossyBatches> => {
  const world = new LossyBatches(store, network);
  await world.read();
  return world;
};

const copy = (table: "transfers" | "ledger", where: string, block = "block_number"): Promise<void> => {
  const columns = columnsOf(table).join(", ");
  const changed = columnsOf(table).map((name) => (name === "block_number" ? block : name));
  return store.engine.command(
    `INSERT INTO ${table} (${columns}) SELECT ${changed.join(", ")} FROM ${table} WHERE ${where}`,
  );
};

const told = async (world: LossyBatches) =>
  (await world.verify()).findings.map(({ table, from, to, kind, part }) => [table, from, to, kind, part]);

test("batches that hold what they held are sound, and counted", async () => {
  const world = await read("sound");
  expect(await world.verify()).toMatchObject({
    ...{ segments: 0, batches: 2, blocks: 6, findings: [], unfinished: [] },
    balances: { wrong: [], miscounted: [], misreaching: [], is_unsettled: false },
  });
});

test("a lost row and a foreign row are findings of their batch, a row of no batch of its block, and all are mended", async () => {
  const world = await read("hurt");
  const clean = await factsHash(store.engine, "hurt", Number.MAX_SAFE_INTEGER);
  const at = (block: number): string => `network = 'hurt' AND block_number = ${block}`;
  await store.engine.command(`DELETE FROM transfers WHERE ${at(13)}`);
  // Another block's row in block 43, and a copy of block 10 in block 11, which no batch has.
  await copy("transfers", at(10), "43");
  await copy("transfers", at(10), "11");
  const found = (await told(world)).filter(([table]) => table === "transfers");
  expect(found.sort()).toEqual([
    ["transfers", 10, 16, "lost", "record"],
    ["transfers", 11, 11, "other", "record"],
    ["transfers", 40, 46, "other", "record"],
  ]);
  const verified = await world.verify();
  expect(verified.balances).toBeNull();
  expect((await takeBack(store, verified)).map(({ from }) => from).sort()).toEqual([10, 40]);
  expect(await world.record()).toMatchObject({ state: "reading", is_rewriting: true, to_block: 60 });
  expect((await world.verify()).unfinished).toHaveLength(2);
  await mendLayouts(store, verified);
  // A later start of the indexer finishes them.
  world.clock = Date.now();
  await world.open();
  await mendBalances(store, "hurt");
  expect(await world.isSound()).toBe(true);
  expect(await factsHash(store.engine, "hurt", Number.MAX_SAFE_INTEGER)).toEqual(clean);
  expect(await world.received()).toEqual(RECEIVED);
  expect(await world.record()).toMatchObject({ state: "read", is_rewriting: false, is_balanced: true, untraced: [] });
});

test("a layout that has doubled rows is mended from the record, and only balances that are wrong are wrong", async () => {
  const world = await read("layout");
  await copy("ledger", "network = 'layout' AND block_number = 43");
  expect(await told(world)).toEqual([["ledger", 40, 46, "doubled", "layout"]]);
  await mendLayouts(store, await world.verify());
  expect(await world.isSound()).toBe(true);
  await store.engine.command("DELETE FROM balances WHERE network = 'layout' AND holder != ''");
  const { findings, balances } = await world.verify();
  expect([findings, balances?.wrong.map(({ table }) => table)]).toEqual([[], ["balances"]]);
  expect(await mendBalances(store, "layout")).toBeGreaterThan(0);
  expect(await world.isSound()).toBe(true);
});

test("blocks of an address whose batch has lost its mark are read again, not removed", async () => {
  const world = await read("unmarked");
  const clean = await factsHash(store.engine, "unmarked", Number.MAX_SAFE_INTEGER);
  await store.engine.command("DELETE FROM batches WHERE network = 'unmarked' AND from_block = 40");
  const verified = await world.verify();
  expect(verified).toMatchObject({ batches: 1, blocks: 3 });
  expect((await takeBack(store, verified)).map(({ from }) => from).sort()).toEqual([40, 43, 46]);
  expect(await world.record()).toMatchObject({ state: "reading", is_rewriting: true });
  world.clock = Date.now();
  await world.open();
  await mendBalances(store, "unmarked");
  expect(await world.isSound()).toBe(true);
  expect(await factsHash(store.engine, "unmarked", Number.MAX_SAFE_INTEGER)).toEqual(clean);
  expect(await world.received()).toEqual(RECEIVED);
});
