// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import type { World } from "../../src/demo/evm/world.ts";
import { startDemoWorld } from "../demo_world.ts";
import { drawsOf } from "../random.ts";
import { cleanRun, killRun } from "./kill_run.ts";
import { T0 } from "./stage.ts";
import { writeWorldConfig } from "./world_config.ts";

let world: World;

beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
});
afterAll(async () => {
  await world.stop();
});

/** More stand in bench/kills.ts. */
const KILLS = 20;
/** Each of several processes waits until the lease of a killed one has run out. */
const TOGETHER = 4;

const stage = {
  writeConfig: (folder: string) => writeWorldConfig(world, folder),
  heads: () => ({ demo: world.head.number }),
};

test("an indexer of EVM blocks that is killed again and again with and without its engine leaves the facts of a clean index", async () => {
  const count = await killRun(stage, await cleanRun(stage), { kills: KILLS, random: drawsOf(1) });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(KILLS);
  expect(count.engines).toBeGreaterThan(0);
}, 2_400_000);

test("indexers that fill one history of EVM blocks together and are killed again and again leave the facts of a clean index", async () => {
  const count = await killRun(stage, await cleanRun(stage), {
    kills: TOGETHER,
    random: drawsOf(3),
    per_store: 5,
    beside: 2,
  });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(TOGETHER);
}, 2_400_000);
