import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { packVersion } from "../labels/pack/index.ts";
import { hex } from "../lib/bytes.ts";
import { currentLists, removeList, replaceList } from "../store/lists.ts";
import { mendLabelPack, PackTurns, writeListedLabels } from "./label_pack.ts";

// Rows of the pack's CSV files: a wallet of Binance on every EVM network, a Tornado Cash pool that two lists name.
const BINANCE = hex("18e226459ccf0eec276514a4fd3b226d8961e4d1");
const TORNADO = hex("1e34a77868e19a6647b1f2f47b51ed72dede95dd");
const ALL = { enabled: true, leave_out: [] };
const networkOf = (id: string, family: "evm" | "tron" = "evm") => ({ ...fixedChain().network, id, family });
const HEAD = { list: "own", kind: "labels", format: "labels-csv", origin: "", licence: "", published_on: "" } as const;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** [label, category, confidence in percent, licence, day] of an address by the pack. */
const said = (network: string, address: string) =>
  store.query(
    `SELECT label, category, round(confidence * 100), licence, published_on FROM labels FINAL
     WHERE network = '${network}' AND address = unhex('${address}') AND source = 'pack' AND category != ''`,
  );
const own = (network: string, address: ReturnType<typeof hex>) => ({
  ...{ network, address, label: "Ours", category: "payment", entity: "", confidence: 0.8 },
  ...{ evidence: "", licence: "", published_on: "" },
});

test("the shipped pack is in the store before the first block, with licence and day of each row", async () => {
  await writeListedLabels(store, networkOf("arbitrum"), { choice: ALL, now_ms: 1_000 });
  expect(await said("arbitrum", TORNADO)).toEqual([["Tornado Cash: 100 ETH", "mixer", 99, "ISC; MIT", "2026-08-22"]]);
  const [list] = await currentLists(store);
  expect(list).toMatchObject({ list: "pack", version: packVersion(), format: "pack", rows: 14_306 });
});

test("a network that is enabled later gets the labels of every EVM network, and one of another family does not", async () => {
  expect(await said("later", BINANCE)).toEqual([]);
  await writeListedLabels(store, networkOf("later"), { choice: ALL, now_ms: 2_000 });
  expect((await said("later", BINANCE)).map(([label, category]) => [label, category])).toEqual([
    ["Binance: reserve wallet", "exchange"],
  ]);
  await writeListedLabels(store, networkOf("other", "tron"), { choice: ALL, now_ms: 2_000 });
  expect(await said("other", BINANCE)).toEqual([]);
});

test("a start with the same pack writes no row of it again", async () => {
  const stamps = () =>
    store.query("SELECT max(written_at), count() FROM labels FINAL WHERE source = 'pack' AND network = 'arbitrum'");
  const before = await stamps();
  await writeListedLabels(store, networkOf("arbitrum"), { choice: ALL, now_ms: 3_000 });
  expect(await stamps()).toEqual(before);
});

test("the pack has no label for addresses on the operator's own lists, as long as they are listed", async () => {
  // The import command need not know the network.
  const networks = [networkOf("arbitrum")];
  const entries = [own("arbitrum", TORNADO), own("later", BINANCE)];
  await replaceList(store, { ...HEAD, version: "1" }, { kind: "labels", entries, now_ms: 4_000 });
  await mendLabelPack(store, networks, { choice: ALL, now_ms: 4_000 });
  expect([await said("arbitrum", TORNADO), await said("later", BINANCE)]).toEqual([[], []]);
  // On another network no list of the operator names it.
  expect(await said("arbitrum", BINANCE)).toHaveLength(1);
  // A list that names it on every EVM network names it there too.
  const everywhere = [own("evm", TORNADO)];
  await replaceList(store, { ...HEAD, version: "2" }, { kind: "labels", entries: everywhere, now_ms: 4_500 });
  await mendLabelPack(store, networks, { choice: ALL, now_ms: 4_500 });
  expect([await said("arbitrum", TORNADO), await said("later", BINANCE)].map((rows) => rows.length)).toEqual([0, 1]);
  await removeList(store, { ...HEAD, version: "2" }, 5_000);
  await mendLabelPack(store, networks, { choice: ALL, now_ms: 5_000 });
  expect([await said("arbitrum", TORNADO), await said("later", BINANCE)].map((rows) => rows.length)).toEqual([1, 1]);
});

test("omitting a source removes its rows; a label with another source stays, with less confidence; without the pack nothing stays", async () => {
  const leave_out = ["DefiLlama/DefiLlama-Adapters"];
  await writeListedLabels(store, networkOf("arbitrum"), { choice: { enabled: true, leave_out }, now_ms: 6_000 });
  expect(await said("arbitrum", BINANCE)).toEqual([]);
  expect((await said("arbitrum", TORNADO)).map((row) => row[2])).toEqual([89]);
  const count = await store.query("SELECT count() FROM labels FINAL WHERE source = 'pack' AND category != ''");
  expect(Number(count[0]?.[0])).toBeLessThan(8_000);
  // Also under networks that are not indexed now.
  await writeListedLabels(store, networkOf("arbitrum"), { choice: { ...ALL, enabled: false }, now_ms: 7_000 });
  expect(await store.query("SELECT count() FROM labels FINAL WHERE source = 'pack' AND category != ''")).toEqual([
    ["0"],
  ]);
  expect(await currentLists(store)).toEqual([]);
});

test("networks that open at one time write the pack once", async () => {
  const turns = new PackTurns();
  const ids = ["one", "two", "three"];
  await Promise.all(
    ids.map((id, at) =>
      turns.take(() => writeListedLabels(store, networkOf(id), { choice: ALL, now_ms: 8_000 + at * 1_000 })),
    ),
  );
  // Written at second 8, by the first; copies under the other networks have the time of their original.
  expect(
    await store.query("SELECT DISTINCT written_at FROM labels FINAL WHERE source = 'pack' AND category != ''"),
  ).toHaveLength(1);
  for (const id of ids) expect(await said(id, BINANCE)).toHaveLength(1);
});

test("a network whose turn fails does not affect the others", async () => {
  const turns = new PackTurns();
  const failed = turns.take(() => Promise.reject(new Error("the store is away")));
  const next = turns.take(async () => "written");
  await expect(failed).rejects.toThrow("the store is away");
  expect(await next).toBe("written");
});
