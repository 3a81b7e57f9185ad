import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { blockRows, openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { newestEpoch } from "./epochs.ts";
import { enterFence, type Fence, factsIdentity, fenceEngine } from "./fence.ts";
import { openFacts } from "./open.ts";
import { openWriter } from "./writer.ts";

let store: TestFacts;
beforeEach(async () => {
  store = await openTestFacts();
});
afterEach(() => store.close());

const never = new AbortController().signal;
const fenceOf = (epoch: number, network = "demo"): Fence => ({ subject: network, epoch, holder: `holder ${epoch}` });
const enter = (epoch: number, network = "demo") =>
  enterFence(store.engine, fenceOf(epoch, network), { host: "alpha", pid: 7, signal: never });
const engineOf = (epoch: number, check = () => {}, signal = never) =>
  fenceEngine(store.engine, fenceOf(epoch), { confirm: async () => check(), signal });

const count = async (table: string): Promise<number> =>
  Number((await store.query(`SELECT count() FROM ${table} WHERE network = 'demo'`))[0]?.[0]);
const lost = expect.objectContaining({ code: "LEASE_LOST" });
const blocks = (from: number, to: number) => blockRows({ network: "demo", from, to });
const COPY = "INSERT INTO blocks (network, block_number) SELECT 'demo', number FROM numbers(10)";

test("rows of the newest epoch are written as they are, in one part, and those of an older one are refused", async () => {
  await enter(3);
  const writer = openWriter(engineOf(3));
  await writer.insert("blocks", blocks(0, 1_999));
  expect(await store.query("SELECT count(), uniqExact(_part) FROM blocks")).toEqual([["2000", "1"]]);
  const hash = "SELECT sum(cityHash64(*)) FROM blocks WHERE network =";
  await store.writer.insert(
    "blocks",
    blocks(0, 1_999).map((row) => ({ ...row, network: "plain" })),
  );
  const same = `${hash.replace("(*)", "(* EXCEPT network)")}`;
  expect(await store.query(`${same} 'demo'`)).toEqual(await store.query(`${same} 'plain'`));
  await enter(4);
  await expect(writer.insert("blocks", blocks(2_000, 2_001))).rejects.toEqual(lost);
  expect(await count("blocks")).toBe(2_000);
});

test("every table that an indexer writes takes rows under a condition", async () => {
  await enter(1);
  const writer = openWriter(engineOf(1));
  const row = {
    ...{ network: "demo", block_number: 1, tx_index: 0, position: 1, time: 1_700_000_000 },
    ...{ kind: "erc20" as const, token: new Uint8Array(20), token_id: 2n ** 256n - 1n, source: new Uint8Array(0) },
    ...{ destination: Buffer.from("it's \\ \n"), amount: 2n ** 255n, sender: new Uint8Array(20) },
  };
  await writer.insert("transfers", [row]);
  const rows = await store.query("SELECT toString(token_id), toString(amount), destination FROM transfers");
  expect(rows).toEqual([[(2n ** 256n - 1n).toString(), (2n ** 255n).toString(), "it's \\ \n"]]);
});

test("a selection and a deletion of an older epoch change nothing", async () => {
  await enter(1);
  const old = engineOf(1);
  await old.command(COPY);
  expect(await count("blocks")).toBe(10);
  await enter(2);
  await expect(old.command(COPY)).rejects.toEqual(lost);
  const synchronous = { settings: { mutations_sync: 1 } };
  const deletion = "ALTER TABLE blocks DELETE WHERE network = 'demo'";
  await expect(old.command(deletion, synchronous)).rejects.toEqual(lost);
  await expect(old.command("ALTER TABLE blocks DROP PARTITION tuple()")).rejects.toEqual(lost);
  expect(await count("blocks")).toBe(10);
  await expect(old.command("DELETE FROM blocks WHERE network = 'demo'")).rejects.toEqual(lost);
  await expect(old.settle("assay-write:demo:")).rejects.toEqual(lost);
  expect(await count("blocks")).toBe(10);
  await engineOf(2).command(`${deletion} AND block_number < 4`, synchronous);
  expect(await count("blocks")).toBe(6);
  await engineOf(2).command("DELETE FROM blocks WHERE network = 'demo' AND block_number < 6 OR block_number = 9");
  expect(await count("blocks")).toBe(3);
});

test("of two holders of one epoch the store takes rows of one", async () => {
  await enter(1);
  const other = { ...fenceOf(1), holder: "zzz" };
  await expect(enterFence(store.engine, other, { host: "beta", pid: 8, signal: never })).rejects.toEqual(lost);
  await openWriter(engineOf(1)).insert("blocks", blocks(0, 0));
  const stranger = fenceEngine(store.engine, other, { confirm: async () => {}, signal: never });
  await expect(openWriter(stranger).insert("blocks", blocks(1, 1))).rejects.toEqual(lost);
});

test("an epoch that is not newer than every known one is not entered, and networks have epochs of their own", async () => {
  await enter(5);
  await expect(enter(5)).resolves.toBeUndefined();
  await expect(enter(4)).rejects.toEqual(lost);
  await enter(1, "other");
  expect([await newestEpoch(store.engine, "demo"), await newestEpoch(store.engine, "other")]).toEqual([5, 1]);
  expect(await newestEpoch(store.engine, "unknown")).toBe(0);
});

test("entering an epoch waits for the older one's statements, and none of them takes effect later", async () => {
  await enter(1);
  // Half a second for each of its rows: far from its end when the next one enters.
  const slow = "INSERT INTO blocks (network, block_number) SELECT 'demo', number + sleepEachRow(0.5) FROM numbers(60)";
  const begun = engineOf(1).command(slow, {
    settings: { max_block_size: 1, function_sleep_max_microseconds_per_block: 0 },
  });
  const ended = begun.then(
    () => "written",
    () => "ended",
  );
  const running = "SELECT count() FROM system.processes WHERE query LIKE 'INSERT%sleepEachRow%'";
  await expect.poll(async () => (await store.query(running))[0]?.[0]).toBe("1");
  await enter(2);
  expect((await store.query(running))[0]?.[0]).toBe("0");
  expect(await ended).toBe("ended");
  const before = await count("blocks");
  await sleep(1_000);
  expect(await count("blocks")).toBe(before);
});

test("sends no statement after losing the lease, and the end of the lease ends running statements", async () => {
  await enter(1);
  const refuse = () => {
    throw new Error("known here");
  };
  await expect(openWriter(engineOf(1, refuse)).insert("blocks", blocks(0, 0))).rejects.toThrow("known here");
  const stop = new AbortController();
  const asked = engineOf(1, () => {}, stop.signal).query("SELECT sleepEachRow(1) FROM numbers(30)", {
    settings: { max_block_size: 1 },
  });
  const ended = expect(asked).rejects.toThrow("enough");
  await sleep(100);
  stop.abort(new Error("enough"));
  await ended;
});

test("a store keeps its name, and two stores have two", async () => {
  const name = await factsIdentity(store.engine);
  expect(name).toMatch(/^[0-9a-f-]{36}$/);
  const again = await openFacts({ engine: "embedded", data_dir: store.data_dir });
  expect(await factsIdentity(again.engine)).toBe(name);
  await again.close();
  const data_dir = await mkdtemp(join(tmpdir(), "assay-facts-"));
  const other = await openFacts({ engine: "embedded", data_dir });
  expect(await factsIdentity(other.engine)).not.toBe(name);
  await other.close();
  await rm(data_dir, { recursive: true });
});
