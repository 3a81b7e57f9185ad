import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import { readSubjects, writeWishes } from "../../src/store/subjects/records.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { startDemoWorld } from "../demo_world.ts";
import { factsHash } from "../facts_hash.ts";
import { ended, indexBlocks, indexOnce, sleep } from "./indexer_process.ts";
import { T0 } from "./served_world.ts";
import { writeWorldConfig } from "./world_config.ts";

/** Histories grow backwards when the network's first block is lowered, also through a kill: the rows are those of a clean run. */

const NAMES = ["alice", "bob"] as const;
const subjects = NAMES.map((name) => hex(CHARACTERS[name].address.slice(2).toLowerCase())).sort();
const LATE = 500;

let world: EvmWorld;
const folders: string[] = [];
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  await world.rpc.call("anvil_mine", "0x60");
});
afterAll(async () => {
  await world?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-growth-"));
  folders.push(folder);
  const config = await writeWorldConfig(world, folder);
  const facts = () => openFactsOnly(settings.parse({}), join(folder, "data"));
  const begin = async (from_block: number): Promise<void> => {
    // The file that was just written.
    const written = JSON.parse(await readFile(config, "utf8")) as { networks: { demo: object } };
    const demo = { ...written.networks.demo, index: "on_demand", from_block };
    await writeFile(config, JSON.stringify({ ...written, networks: { demo } }));
  };
  const wish = async (): Promise<void> => {
    const store = await facts();
    await writeWishes(store.writer, "demo", { subjects, wish: "track", asked_by: "" });
    await store.close();
  };
  const read = async () => {
    const { code, said } = await indexOnce(config);
    expect([code, said]).toEqual([0, said]);
    const store = await facts();
    try {
      const records = await readSubjects(store.engine, "demo");
      const openings = await store.engine.query(
        "SELECT lower(hex(holder)), toString(amount) FROM openings FINAL WHERE network = 'demo' ORDER BY 1",
      );
      return {
        hash: await factsHash(store.engine, "demo", Number.MAX_SAFE_INTEGER),
        openings,
        records: records.map(({ subject, state, from_block, is_plain, is_balanced, found }) => {
          return { subject, state, from_block, is_plain, is_balanced, found };
        }),
      };
    } finally {
      await store.close();
    }
  };
  return { config, begin, wish, read };
};

test("rows, openings and records are those of histories that were read from the first block", async () => {
  const clean = await openFolder();
  await clean.begin(0);
  await clean.wish();
  const expected = await clean.read();
  const grown = await openFolder();
  await grown.begin(LATE);
  await grown.wish();
  const late = await grown.read();
  expect(late.records.map(({ subject, from_block, is_balanced }) => [subject, from_block, is_balanced])).toEqual(
    subjects.map((subject) => [subject, LATE, true]),
  );
  // Both had coins before it.
  expect(late.openings.map(([holder]) => holder)).toEqual(subjects);
  expect(late.hash).not.toEqual(expected.hash);
  await grown.begin(0);
  const child = indexBlocks(grown.config, []);
  await sleep(4_000);
  child.kill("SIGKILL");
  await ended(child);
  expect(await grown.read()).toEqual(expected);
}, 1_200_000);
