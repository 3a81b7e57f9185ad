/**
 * Kills at random moments while blocks are indexed, over worlds of three families (EVM, Solana, Tron in one store): the
 * indexer, its engine, or both. After every `per-store` kills the index is completed and compared with a clean one.
 *   node dist/bench/kills.js [--kills 2000] [--seed 1] [--per-store 10]
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startWorld } from "../src/demo/evm/world.ts";
import { startSolanaWorld } from "../src/demo/solana/world.ts";
import { startTronDemo } from "../src/demo/tron/world.ts";
import { cleanRun, killRun } from "../test/e2e/kill_run.ts";
import { familyNetworks, familyScenario } from "../test/e2e/kill_scenarios.ts";
import { writeWorldConfig } from "../test/e2e/world_config.ts";
import { drawsOf } from "../test/random.ts";
import { loadText, printLine } from "./figures.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    "per-store": { type: "string", default: "10" },
  },
});
const t0 = Math.floor(Date.now() / 86_400_000) * 86_400 - 90 * 86_400;
const [world, solana, tron] = await Promise.all([
  startWorld({ placement: "demo", t0 }),
  startSolanaWorld(t0),
  startTronDemo(t0),
]);
const families = familyScenario(solana, tron);
const stage = {
  async writeConfig(folder: string): Promise<string> {
    const path = await writeWorldConfig(world, folder);
    const config = JSON.parse(await readFile(path, "utf8"));
    const networks = { ...config.networks, ...familyNetworks(solana, tron) };
    await writeFile(path, JSON.stringify({ ...config, networks }));
    return path;
  },
  heads: () => ({ demo: world.head.number, ...families.heads() }),
};
try {
  const clean = await cleanRun(stage);
  printLine(
    `a clean index of ${Object.keys(clean.hashes).length} networks takes ${(clean.took_ms / 1000).toFixed(1)} s`,
  );
  const { kills, engines, stores, differences } = await killRun(stage, clean, {
    kills: Number(values.kills),
    per_store: Number(values["per-store"]),
    random: drawsOf(Number(values.seed)),
    onStore: (count) => printLine(`${count.kills} kills, ${count.differences.length} differences, ${loadText()}`),
  });
  for (const difference of differences) printLine(difference);
  printLine(`${kills} kills (${engines} of engines) in ${stores} stores: ${differences.length} differences (goal: 0)`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  await Promise.all([world.stop(), solana.stop(), tron.stop()]);
}
