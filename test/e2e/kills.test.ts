// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { startDemoWorld } from "../demo_world.ts";
import { drawsOf } from "../random.ts";
import { cleanRun, killRun } from "./kill_run.ts";
import { T0 } from "./served_world.ts";
import { writeWorldConfig } from "./world_config.ts";

let world: EvmWorld;

beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
});
afterAll(async () => {
  await world.stop();
});

/** bench/kills.ts runs more. */
const KILLS = 20;
/** Each of several processes waits until the lease of a killed one has expired. */
const TOGETHER = 4;

const stage = {
  writeConfig: (folder: string) => writeWorldConfig(world, folder),
  heads: () => ({ demo: world.head.number }),
};

test("leaves the facts of a clean index when an indexer of EVM blocks is killed repeatedly with and without its engine", async () => {
  const count = await killRun(stage, await cleanRun(stage), { kills: KILLS, random: drawsOf(1) });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(KILLS);
  expect(count.engines).toBeGreaterThan(0);
}, 2_400_000);

test("leaves the facts of a clean index when indexers that fill one history of EVM blocks together are killed repeatedly", async () => {
  const count = await killRun(stage, await cleanRun(stage), {
    kills: TOGETHER,
    random: drawsOf(3),
    per_store: 5,
    beside: 2,
  });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(TOGETHER);
}, 2_400_000);
