import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../src/config.ts";
import { openFactsOnly } from "../../src/main.ts";
import { factsHash } from "../facts_hash.ts";
import { startWorld, type World } from "../world/world.ts";
import { ended, indexBlocks, MOMENTS, processesOf, sleep } from "./indexer_process.ts";
import { T0 } from "./stage.ts";
import { writeWorldConfig } from "./world_config.ts";

let world: World;
const folders: string[] = [];

beforeAll(async () => {
  world = await startWorld({ placement: "demo", t0: T0 });
});
afterAll(async () => {
  await world.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const openFolder = async (): Promise<{ folder: string; config: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-kills-"));
  folders.push(folder);
  return { folder, config: await writeWorldConfig(world, folder) };
};

const hashOf = async (folder: string): Promise<Record<string, string>> => {
  const facts = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    const { final_block, block } = await facts.facts.snapshot("demo", null);
    expect(block.number).toBe(world.head.number);
    return await factsHash(facts.engine, "demo", final_block);
  } finally {
    await facts.close();
  }
};

/** The facts of an undisturbed run, and how long it took. */
const cleanRun = async (): Promise<{ hash: Record<string, string>; took_ms: number }> => {
  const { folder, config } = await openFolder();
  const began = performance.now();
  expect(await ended(indexBlocks(config, ["--once"]))).toBe(0);
  const took_ms = performance.now() - began;
  return { hash: await hashOf(folder), took_ms };
};

test("an indexer that is killed ten times, and its engine ten times, leaves the same facts as a clean index", async () => {
  const clean = await cleanRun();
  const { folder, config } = await openFolder();
  let engines = 0;
  for (const moment of MOMENTS) {
    const child = indexBlocks(config, []);
    await sleep(moment * clean.took_ms);
    child.kill("SIGKILL");
    await ended(child);
  }
  for (const moment of MOMENTS) {
    const child = indexBlocks(config, []);
    await sleep(moment * clean.took_ms);
    for (const pid of processesOf(folder).filter((pid) => pid !== child.pid)) {
      process.kill(pid, "SIGKILL");
      engines += 1;
    }
    await sleep(100);
    child.kill("SIGKILL");
    await ended(child);
  }
  expect(engines).toBeGreaterThan(0);
  expect(await ended(indexBlocks(config, ["--once"]))).toBe(0);
  expect(await hashOf(folder)).toEqual(clean.hash);
  await expect.poll(() => processesOf(folder), { timeout: 10_000 }).toEqual([]);
}, 2_400_000);
