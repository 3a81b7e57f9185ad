// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { drawsOf } from "../random.ts";
import { cleanRun, killRun } from "./kill_run.ts";
import { familyScenario } from "./kill_scenarios.ts";
import { T0 } from "./served_world.ts";

let solana: SolanaWorld;
let tron: TronDemoWorld;

beforeAll(async () => {
  [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
});
afterAll(async () => {
  await solana?.stop();
  await tron?.stop();
});

/** bench/kills.ts runs more. */
const KILLS = 20;
/** Each of several processes waits until the lease of a killed one has expired. */
const TOGETHER = 10;

test("leaves the facts of a clean index when an indexer of Solana and Tron is killed repeatedly with and without its engine", async () => {
  const stage = familyScenario(solana, tron);
  const clean = await cleanRun(stage);
  for (const [id, head] of Object.entries(stage.heads()))
    expect([id, clean.hashes[id]?.blocks?.split(" ")[0]]).toEqual([id, String(head + 1)]);
  const count = await killRun(stage, clean, { kills: KILLS, random: drawsOf(2) });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(KILLS);
  expect(count.engines).toBeGreaterThan(0);
}, 1_200_000);

test("leaves the facts of a clean index when indexers that fill the histories of Solana and Tron together are killed repeatedly", async () => {
  const stage = familyScenario(solana, tron);
  const count = await killRun(stage, await cleanRun(stage), {
    kills: TOGETHER,
    random: drawsOf(4),
    per_store: 5,
    beside: 1,
  });
  expect(count.differences).toEqual([]);
  expect(count.kills).toBe(TOGETHER);
}, 1_200_000);
