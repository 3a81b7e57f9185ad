import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../src/demo/evm/world.ts";
import { cleanRun, killRun } from "./kill_run.ts";
import { drawn } from "./kill_stages.ts";
import { T0 } from "./stage.ts";
import { writeWorldConfig } from "./world_config.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld({ placement: "demo", t0: T0 });
});
afterAll(async () => {
  await world.stop();
});

// The long run of 2,000 over three families is bench/kills.ts.
test("an indexer of EVM blocks that is killed twenty times with and without its engine leaves the facts of a clean index", async () => {
  const stage = {
    writeConfig: (folder: string) => writeWorldConfig(world, folder),
    heads: () => ({ demo: world.head.number }),
  };
  const count = await killRun(stage, await cleanRun(stage), { kills: 20, random: drawn(1) });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(20);
  expect(count.engines).toBeGreaterThan(0);
}, 2_400_000);
