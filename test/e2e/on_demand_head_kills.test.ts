import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import type { Engine } from "../../src/store/engine.ts";
import { headEnd } from "../../src/store/subjects/head_end.ts";
import { readSubjects, readTail, writeWishes } from "../../src/store/subjects/records.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { startDemoWorld } from "../demo_world.ts";
import { factsHash } from "../facts_hash.ts";
import { sized } from "../long.ts";
import { drawsOf } from "../random.ts";
import { payNow } from "./character_payment.ts";
import { ended, indexBlocks, indexOnce, processesOf, sleep } from "./indexer_process.ts";
import { T0 } from "./served_world.ts";
import { writeWorldConfig } from "./world_config.ts";

/** Kills while blocks that are not final are in the tail, with reorganisations in between, leave the rows of a clean run. */

const NAMES = ["alice", "bob"] as const;
const subjects = NAMES.map((name) => hex(CHARACTERS[name].address.slice(2).toLowerCase()));
/** Kills that leave rows in the tail. */
const KILLS = sized({ slice: 3, long: 20 });

let world: EvmWorld;
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  await world.rpc.call("anvil_mine", "0x60");
});
afterAll(() => world?.stop());

const wishedFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-head-kills-"));
  const config = await writeWorldConfig(world, folder);
  // The file that was just written.
  const written = JSON.parse(await readFile(config, "utf8")) as { networks: { demo: object } };
  const networks = { demo: { ...written.networks.demo, index: "on_demand", stablecoins: [] } };
  await writeFile(config, JSON.stringify({ ...written, networks, on_demand: { follow_seconds: 0 } }));
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  await writeWishes(store.writer, "demo", { subjects, wish: "track", asked_by: "" });
  await store.close();
  return { folder, config };
};

const within = async <T>(folder: string, read: (engine: Engine) => Promise<T>): Promise<T> => {
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    return await read(store.engine);
  } finally {
    await store.close();
  }
};

/** Alice pays Bob in a block of its own. Returns its number. */
const pay = async (value: number) => (await payNow(world, { from: "alice", to: "bob", value })).block;

/** Rows of the tail, and the end of calls about both addresses, null at the final block. */
const tailOf = (folder: string) =>
  within(folder, async (engine) => {
    const [[rows] = [0]] = await engine.query("SELECT count() FROM blocks WHERE network = 'demo' AND tail != 0");
    const records = await readSubjects(engine, "demo", subjects);
    const [first] = [...records].sort((a, b) => a.to_block - b.to_block);
    if (first === undefined) throw new Error("no address is followed");
    const final = { number: first.to_block, hash: first.to_hash, time: first.to_time };
    const end = await headEnd(records, final, (blocks) => readTail(engine, "demo", blocks));
    return { rows: Number(rows), end, last_final: first.to_block };
  });

const finish = async (folder: string, config: string) => {
  const { code, said } = await indexOnce(config);
  if (code !== 0) throw new Error(`the indexer ended with ${code}: ${said}`);
  return within(folder, async (engine) => {
    const records = await readSubjects(engine, "demo");
    expect(records.map(({ state, is_balanced }) => [state, is_balanced])).toEqual(NAMES.map(() => ["read", true]));
    const [[rows] = [0]] = await engine.query("SELECT count() FROM blocks WHERE network = 'demo' AND tail != 0");
    expect(Number(rows)).toBe(0);
    return factsHash(engine, "demo", Number.MAX_SAFE_INTEGER);
  });
};

test("rows and answers hold after kills with rows in the tail", async () => {
  const { folder, config } = await wishedFolder();
  await finish(folder, config);
  const began = performance.now();
  await finish(folder, config);
  // A start takes as long with everything read.
  const start_ms = performance.now() - began;
  const random = drawsOf(11);
  let [with_rows, used] = [0, 0];
  for (let n = 0; with_rows < KILLS; n += 1) {
    expect(n).toBeLessThan(KILLS * 8);
    const child = indexBlocks(config, []);
    const blocks = [await pay(6_000 + n)];
    await sleep(start_ms * (1 + random()));
    blocks.push(await pay(7_000 + n));
    await sleep(start_ms * random());
    const engines = n % 2 === 0 ? processesOf(folder).filter((pid) => pid !== child.pid) : [];
    child.kill("SIGKILL");
    for (const pid of engines) process.kill(pid, "SIGKILL");
    await ended(child);
    const { rows, end, last_final } = await tailOf(folder);
    if (rows > 0) with_rows += 1;
    if (end !== null) {
      used += 1;
      // Both of them have these blocks, and no other ones: those that are not final of this and of earlier rounds.
      for (const block of blocks)
        expect([block, end.tail.some(([number]) => number === block)]).toEqual([block, block <= end.newest.number]);
      expect(end.tail.every(([number]) => number > last_final)).toBe(true);
    }
    // The block of the last payment is replaced while no process runs.
    if (n % 3 === 1) await world.rpc.call("anvil_reorg", 1, []);
  }
  expect(used).toBeGreaterThan(0);
  await world.rpc.call("anvil_mine", "0x60");
  const clean = await wishedFolder();
  expect(await finish(folder, config)).toEqual(await finish(clean.folder, clean.config));
  for (const one of [folder, clean.folder])
    await rm(one, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}, 1_200_000);
