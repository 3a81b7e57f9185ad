import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../src/demo/evm/world.ts";
import { sized } from "../long.ts";
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

/** More stand in bench/kills.ts. */
const KILLS = sized({ slice: 2, long: 20 });

test("an indexer of EVM blocks that is killed again and again with and without its engine leaves the facts of a clean index", async () => {
  const stage = {
    writeConfig: (folder: string) => writeWorldConfig(world, folder),
    heads: () => ({ demo: world.head.number }),
  };
  const count = await killRun(stage, await cleanRun(stage), { kills: KILLS, random: drawn(1) });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(KILLS);
  expect(count.engines).toBeGreaterThan(0);
}, 2_400_000);
